//! The compressors' cases: `core/src/compress/KIND/cases/NAME.in.EXT` with `NAME.out.EXT`, or `NAME.same.EXT` for what must
//! pass through. `UPDATE_CASES=1` rewrites the outputs; the difference is read as behaviour.
//!
//! Every case is asked, besides: two runs equal; the output shorter in tokens; the original recoverable; what is kept
//! a slice of the payload or stated to be recoded; a second compression changes nothing.

#[cfg(test)]
mod suite {
    use caveman_core::compress;
    use caveman_core::draft::Piece;
    use caveman_core::elide::Focus;
    use caveman_core::engine::{self, Options};
    use caveman_core::kind::Kind;
    use caveman_core::present;
    use caveman_core::store::{MemoryStore, Reference};
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Where the compressors live.
    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src/compress")
    }

    /// The kind that a compressor's folder is named for: `stack_trace` holds `stack-trace`.
    fn kind_of(folder: &str) -> Kind {
        Kind::parse(&folder.replace('_', "-"))
            .unwrap_or_else(|| panic!("no kind is named {folder}"))
    }

    /// Every case as folder and path, in order.
    fn cases() -> Vec<(String, PathBuf)> {
        let mut out = Vec::new();
        for folder in fs::read_dir(root()).expect("the compressors' folder") {
            let folder = folder.expect("a folder").path();
            let Ok(files) = fs::read_dir(folder.join("cases")) else { continue };
            let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
            for file in files {
                let path = file.expect("a case").path();
                let file = path.file_name().expect("a name").to_string_lossy().into_owned();
                if file.contains(".in.") || file.contains(".same.") {
                    out.push((name.clone(), path));
                }
            }
        }
        out.sort();
        out
    }

    fn check(folder: &str, path: &Path) -> Result<(), String> {
        let payload = fs::read(path).map_err(|error| error.to_string())?;
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let options = Options { content_type: Some(kind_of(folder)), ..Options::default() };
        let mut store = MemoryStore::default();
        let answer = engine::compress(&mut store, 0, &payload, &options);
        let output = answer.output.clone().into_owned();
        let again = engine::compress(&mut store, 0, &payload, &options);
        if again.output != output {
            return Err("two runs differ".into());
        }
        if name.contains(".same.") {
            return if output == payload {
                Ok(())
            } else {
                Err(format!("must pass through, became:\n{}", String::from_utf8_lossy(&output)))
            };
        }
        let Some(handle) = answer.recovery_handle else {
            return Err(format!("passed through: {:?}", answer.reason));
        };
        if answer.tokens_after >= answer.tokens_before {
            return Err(format!("{} tokens became {}", answer.tokens_before, answer.tokens_after));
        }
        let back = engine::retrieve(&mut store, 0, &Reference::Handle(handle), None)
            .map_err(|error| error.to_string())?;
        if back.original != payload {
            return Err("the original did not come back".into());
        }
        let second = engine::compress(&mut store, 0, &output, &Options::default());
        if second.output != output {
            return Err(format!(
                "a second compression changed the output:\n{}",
                String::from_utf8_lossy(&second.output)
            ));
        }
        pieces_cover_the_payload(&payload, folder)?;
        let expected = path.with_file_name(name.replacen(".in.", ".out.", 1));
        #[expect(clippy::disallowed_methods, reason = "the switch that rewrites cases")]
        let is_update = std::env::var_os("UPDATE_CASES").is_some();
        if is_update {
            return fs::write(&expected, &output).map_err(|error| error.to_string());
        }
        match fs::read(&expected) {
            Ok(want) if want == output => Ok(()),
            Ok(want) => Err(format!(
                "expected:\n{}\ngot:\n{}",
                String::from_utf8_lossy(&want),
                String::from_utf8_lossy(&output)
            )),
            Err(_) => Err(format!("there is no {}", expected.display())),
        }
    }

    /// Every byte of the payload is kept, recoded or named by a marker, in order and at most once.
    fn pieces_cover_the_payload(payload: &[u8], folder: &str) -> Result<(), String> {
        let text = std::str::from_utf8(payload).map_err(|error| error.to_string())?;
        let bare = present::unwrap(text).text.into_owned();
        let compressor =
            compress::of(kind_of(folder)).expect("a folder of cases belongs to a compressor");
        let proposals = compressor.compress(&bare, &Focus::default());
        for draft in [proposals.lossless, proposals.elided].into_iter().flatten() {
            let mut at = 0;
            for piece in &draft.pieces {
                let of = match piece {
                    Piece::Kept(of) | Piece::Recoded { of, .. } | Piece::Marker { of, .. } => *of,
                    Piece::Glue(_) => continue,
                };
                if of.start < at {
                    return Err(format!(
                        "{}: a piece at {} stands again before {at}",
                        draft.method, of.start
                    ));
                }
                let skipped =
                    bare.get(at as usize..of.start as usize).unwrap_or("not on a character");
                if !skipped
                    .trim_matches(|c: char| c.is_whitespace() || c == ',')
                    .trim_matches(['[', ']', '{', '}'])
                    .trim()
                    .is_empty()
                {
                    return Err(format!("{}: {skipped:?} vanished without a trace", draft.method));
                }
                at = of.end;
            }
        }
        Ok(())
    }

    #[test]
    fn every_case_comes_out_as_it_says() {
        let failures: Vec<String> = cases()
            .iter()
            .filter_map(|(folder, path)| {
                check(folder, path).err().map(|error| format!("{}: {error}", path.display()))
            })
            .collect();
        assert!(failures.is_empty(), "{} cases failed:\n{}", failures.len(), failures.join("\n\n"));
    }

    #[test]
    fn there_are_cases_for_every_compressor() {
        let cases = cases();
        for compressor in compress::ALL {
            let folder = compressor.kind().name().replace('-', "_");
            let of_this = || {
                cases
                    .iter()
                    .filter(|(name, _)| *name == folder)
                    .map(|(_, path)| path.to_string_lossy())
            };
            assert!(
                of_this().any(|path| path.contains(".in.")),
                "{folder} has no case that shortens"
            );
            assert!(
                of_this().any(|path| path.contains(".same.")),
                "{folder} has no case that must pass through"
            );
        }
    }
}

//! Reading a facts file.

use caveman_core::json::{self, JsonKind, Value};
use std::fmt;

/// What a reader needs of one payload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Groups of texts that have to stand together in the output.
    pub critical: Vec<Vec<String>>,
    /// Texts that have to stand together in the output, or come back with one query.
    pub needles: Vec<Needle>,
}

/// One question and what answers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    /// The query of the retrieve.
    pub query: String,
    /// What has to stand together.
    pub all: Vec<String>,
}

/// Why a facts file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsError(String);

impl fmt::Display for FactsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FactsError {}

impl Facts {
    /// Reads a facts file.
    pub fn read(text: &str) -> Result<Facts, FactsError> {
        let tape = json::read(text).map_err(|error| FactsError(error.to_string()))?;
        let missing =
            |what: &str| FactsError(format!("{what} is not there, or not a list of texts"));
        let list = |name: &str| {
            let value = tape.root().get(name).filter(|value| value.kind() == JsonKind::Array);
            value.ok_or_else(|| missing(&format!("{name:?}")))
        };
        let critical = list("critical")?.elements().map(texts).collect::<Option<_>>();
        let needles = list("needles")?.elements().map(|needle| {
            let query = needle.get("query")?.as_str()?.into_owned();
            Some(Needle { query, all: texts(needle.get("all")?)? })
        });
        Ok(Facts {
            critical: critical.ok_or_else(|| missing("a group of \"critical\""))?,
            needles: needles
                .collect::<Option<_>>()
                .ok_or_else(|| missing("\"query\" or \"all\" of a needle"))?,
        })
    }
}

/// The texts of a list that is not empty.
fn texts(list: Value<'_>) -> Option<Vec<String>> {
    if list.kind() != JsonKind::Array || list.is_empty() {
        return None;
    }
    list.elements().map(|text| Some(text.as_str()?.into_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_or_refused_with_the_reason() {
        let good = r#"{"type":"log","critical":[["a","b"]],"needles":[{"query":"q","all":["c"]}]}"#;
        let facts = Facts::read(good).unwrap();
        assert_eq!(facts.critical, [["a", "b"]]);
        assert_eq!(facts.needles[0], Needle { query: "q".to_owned(), all: vec!["c".to_owned()] });
        for (text, says) in [
            ("{", "at byte"),
            ("{}", "\"critical\""),
            (r#"{"critical":[],"needles":7}"#, "\"needles\""),
            (r#"{"critical":[[]],"needles":[]}"#, "a group"),
            (r#"{"critical":[[7]],"needles":[]}"#, "a group"),
            (r#"{"critical":[],"needles":[{"query":"q"}]}"#, "of a needle"),
        ] {
            let error = Facts::read(text).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}

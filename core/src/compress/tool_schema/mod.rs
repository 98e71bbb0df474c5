//! Catalogues of tool definitions: MCP `tools/list` results, and the tool arrays of model APIs.
//!
//! ```text
//! {"tools":[{"name":"get_file",                       1 tool; ? marks what is not required
//!   "description":"Get a file. It is read whole.",
//!   "inputSchema":{"type":"object","properties":{     get_file: Get a file.
//!     "path":{"type":"string"},                    ->  path string
//!     "mode":{"enum":["text","raw"],"default":"raw"}},  mode? text|raw default "raw"
//!   "required":["path"],"$schema":"…"}}]}             [caveman: 1 sentence elided: tool 1]
//! ```
//! Keeps: every name, parameter, type, enumeration, default and constraint, what is required, annotations; of each
//! description the first sentence and every sentence that states a constraint.
//! Recodes without loss: schemas as a line for each parameter; what a tool repeats of another.
//! Elides: further sentences, titles, examples.
//! Declines: JSON that is no catalogue.

mod prose;
mod schema;

use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::{Focus, MARKER_OPEN, mask};
use crate::json::{self, JsonKind, Value};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::Span;
use prose::Prose;

/// The compressor of catalogues of tools.
#[derive(Debug)]
pub(super) struct ToolSchema;

/// Fewer tools stay as they are where nobody says that they are a catalogue. Our choice.
const MIN_TOOLS: usize = 3;
/// What so many tools lack is counted in one marker. Our choice.
const RUN: usize = 16;

impl Compressor for ToolSchema {
    fn kind(&self) -> Kind {
        Kind::ToolSchema
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let Ok(tape) = json::read(text) else { return Proposals::default() };
        catalogue(text, tape.root(), focus, 1).unwrap_or_default()
    }

    /// The records of the array, as of any JSON document.
    fn units(&self, text: &str) -> Option<Units> {
        super::of(Kind::Json)?.units(text)
    }
}

/// The proposals for a document that is a catalogue of some tools; `None` when it is none.
pub(super) fn of_json(text: &str, root: Value<'_>, focus: &Focus) -> Option<Proposals> {
    catalogue(text, root, focus, MIN_TOOLS)
}

fn catalogue(text: &str, root: Value<'_>, focus: &Focus, min_tools: usize) -> Option<Proposals> {
    let list = find(root)?;
    let tools: Vec<Tool<'_>> = list.elements().map(Tool::of).collect::<Option<_>>()?;
    if tools.len() < min_tools {
        return None;
    }
    let mut writer = Writer::new(focus);
    let mut told: Vec<Told<'_>> =
        tools.iter().map(|tool| writer.tool(tool)).collect::<Option<_>>()?;
    let common = hoisted(&mut told);
    let mut draft = Draft::new("elide", "sentences", 0);
    around(text, Span { start: root.span().start, end: list.span().start + 1 }, &mut draft);
    let noun = if tools.len() == 1 { "tool" } else { "tools" };
    draft.pieces.push(Piece::Recoded {
        of: Span { start: list.span().start + 1, end: list.span().start + 1 },
        text: format!("{} {noun}; ? marks what is not required\n{common}\n", tools.len()),
    });
    write_runs(&tools, &told, &mut draft);
    around(text, Span { start: list.span().end - 1, end: root.span().end }, &mut draft);
    Some(if draft.is_lossless() {
        draft.method = "signatures";
        Proposals { lossless: Some(draft), elided: None }
    } else {
        Proposals { lossless: None, elided: Some(draft) }
    })
}

/// What is said of one tool.
struct Told<'f> {
    /// Its name, description and parameters.
    signature: String,
    /// Lines about the whole tool, such as annotations.
    remarks: Vec<String>,
    prose: Prose<'f>,
}

/// Takes the remarks that every tool has out of them, and says them once.
fn hoisted(told: &mut [Told<'_>]) -> String {
    let Some((first, others)) = told.split_first() else { return String::new() };
    let mut common = first.remarks.clone();
    common.retain(|remark| others.iter().all(|told| told.remarks.contains(remark)));
    if others.is_empty() || common.is_empty() {
        return String::new();
    }
    told.iter_mut().for_each(|told| told.remarks.retain(|remark| !common.contains(remark)));
    format!("each: {}\n", common.join("; "))
}

/// Writes the tools in runs; what a run lacks is counted at its end.
fn write_runs(tools: &[Tool<'_>], told: &[Told<'_>], draft: &mut Draft) {
    let mut number = 1;
    for (tools, told) in tools.chunks(RUN).zip(told.chunks(RUN)) {
        let start = tools.first().map_or(0, |tool| tool.whole.span().start);
        let end = tools.last().map_or(start, |tool| tool.whole.span().end);
        let mut text = String::new();
        let mut gone = prose::Gone::default();
        for told in told {
            text.push_str(&told.signature);
            for remark in &told.remarks {
                text.push_str(&format!(" {remark}\n"));
            }
            draft.n_units += told.prose.n_units;
            gone.add(&told.prose.gone);
        }
        let cut = gone.first.unwrap_or(end).clamp(start, end);
        draft.pieces.push(Piece::Recoded { of: Span { start, end: cut }, text });
        let last = number + tools.len() - 1;
        if let Some(counted) = gone.counted() {
            let range = if tools.len() == 1 {
                format!("tool {number}")
            } else {
                format!("tools {number}-{last}")
            };
            let text = format!("{MARKER_OPEN}{counted} elided: {range}]\n");
            let of = Span { start: cut, end };
            draft.pieces.push(Piece::Marker { of, n_units: gone.n(), text });
        }
        number = last + 1;
    }
}

/// What stands around the list: nothing where it only says that these are tools, else without whitespace.
fn around(text: &str, of: Span, draft: &mut Draft) {
    let mut said = String::new();
    json::minify(of.of(text), &mut said);
    let is_wrapper = said.len() <= 12
        && ["{\"tools\":[", "{\"functions\":[", "[", "]", "]}"].contains(&said.as_str());
    if is_wrapper {
        said.clear();
    } else if said.ends_with('[') {
        said.push('\n');
    } else {
        said.insert(0, '\n');
    }
    draft.pieces.push(Piece::Recoded { of, text: said });
}

/// The array of tools of a document: itself, or the value of `tools` or `functions` a little below.
fn find(root: Value<'_>) -> Option<Value<'_>> {
    if root.kind() == JsonKind::Array {
        return Some(root);
    }
    ["tools", "functions", "functionDeclarations"]
        .iter()
        .find_map(|name| root.get(name).or_else(|| root.get("result")?.get(name)))
        .filter(|value| value.kind() == JsonKind::Array)
}

/// One definition, whatever API it is written for.
struct Tool<'a> {
    whole: Value<'a>,
    name: Value<'a>,
    /// The object that holds the name: the tool itself, or its `function`.
    body: Value<'a>,
    input: Option<Value<'a>>,
}

/// What the schema of a tool's input is called.
const INPUT: &[&str] = &["inputSchema", "input_schema", "parameters"];

impl<'a> Tool<'a> {
    fn of(whole: Value<'a>) -> Option<Tool<'a>> {
        let body = whole.get("function").filter(|v| v.kind() == JsonKind::Object).unwrap_or(whole);
        let name = body.get("name").filter(|name| name.kind() == JsonKind::String)?;
        let input = INPUT.iter().find_map(|key| body.get(key));
        let is_schema = |input: Value<'_>| {
            input.kind() == JsonKind::Object
                && (input.is_empty()
                    || input.get("type").is_some_and(|t| t.is_str("object") || t.is_str("OBJECT"))
                    || input.get("properties").is_some())
        };
        // A tool without parameters has no schema, but then it says what it does.
        let is_tool = match input {
            Some(input) => is_schema(input),
            None => {
                body.get("description").is_some()
                    && whole.get("type").is_some_and(|t| t.is_str("function"))
            }
        };
        is_tool.then_some(Tool { whole, name, body, input })
    }
}

/// Writes tools; knows what it has written.
struct Writer<'f> {
    focus: &'f Focus,
    /// Hashes of what was told before, and of which tool.
    told: mask::HashedMap<String>,
}

impl<'f> Writer<'f> {
    fn new(focus: &'f Focus) -> Writer<'f> {
        Writer { focus, told: mask::HashedMap::default() }
    }

    /// One tool as text. `None` when a string says nothing that text can hold.
    fn tool(&mut self, tool: &Tool<'_>) -> Option<Told<'f>> {
        let mut prose = Prose::new(self.focus);
        let name = tool.name.as_str()?.into_owned();
        let mut out = name.clone();
        if let Some(description) = tool.body.get("description") {
            let said = prose.shorten(description)?;
            if !said.is_empty() {
                out.push_str(": ");
                out.push_str(&said);
            }
        }
        out.push('\n');
        let mut remarks = Vec::new();
        if let Some(input) = tool.input {
            let told = &mut self.told;
            schema::parameters(input, &name, &mut prose, told, &mut out, &mut remarks)?;
        }
        let inner = (tool.body.index() != tool.whole.index()).then_some(tool.body);
        for (key, value) in tool.whole.members().chain(inner.into_iter().flat_map(Value::members)) {
            let key = key.as_str()?;
            match key.as_ref() {
                "name" | "description" | "function" => {}
                "type" if value.is_str("function") => {}
                "title" => prose.title(value),
                key if INPUT.contains(&key) => {}
                "annotations" => remarks.extend(annotations(value, &mut prose)),
                "outputSchema" | "output_schema" => {
                    let mut said = String::from("returns ");
                    schema::once(value, &name, &mut prose, &mut self.told, &mut said)?;
                    remarks.push(said);
                }
                key => {
                    let mut said = format!("{key} ");
                    json::minify(value.text(), &mut said);
                    remarks.push(said);
                }
            }
        }
        let has_marker =
            out.contains(MARKER_OPEN) || remarks.iter().any(|r| r.contains(MARKER_OPEN));
        (!has_marker).then_some(Told { signature: out, remarks, prose })
    }
}

/// `{"readOnlyHint":true,"openWorldHint":false}` as `[readOnlyHint, openWorldHint false]`.
fn annotations(value: Value<'_>, prose: &mut Prose<'_>) -> Option<String> {
    let mut said = Vec::new();
    for (key, value) in value.members() {
        let key = key.as_str()?;
        match value.kind() {
            _ if key == "title" => prose.title(value),
            JsonKind::Bool if value.text() == "true" => said.push(key.into_owned()),
            _ => {
                let mut json = format!("{key} ");
                json::minify(value.text(), &mut json);
                said.push(json);
            }
        }
    }
    (!said.is_empty()).then(|| format!("[{}]", said.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &str) {
        let proposals = ToolSchema.compress(text, &Focus::default());
        let draft = proposals.elided.or(proposals.lossless);
        assert_eq!(draft.map(|draft| draft.render(text)).unwrap_or_default(), want, "{text}");
    }

    #[test]
    fn signatures_say_what_schemas_say() {
        check(
            r#"{"tools":[{"name":"read","description":"Read a file. It is read whole, from the first line to the last one. Paths must be absolute.",
              "inputSchema":{"type":"object","properties":{"path":{"type":"string","minLength":1,"title":"Path"},
              "mode":{"type":"string","enum":["text","raw"],"default":"raw"},
              "ranges":{"type":"array","items":{"type":"object","properties":{"from":{"type":"integer","minimum":0},"to":{"type":["integer","null"]}},"required":["from"]}}},
              "required":["path"],"additionalProperties":false,"$schema":"x"},"annotations":{"title":"Read it","readOnlyHint":true,"idempotentHint":false}}]}"#,
            "1 tool; ? marks what is not required\n\nread: Read a file. … Paths must be absolute.\n \
             path string minLength 1\n mode? text|raw default \"raw\"\n \
             ranges? array<{from: integer minimum 0, to?: integer|null}>\n \
             no other properties\n [readOnlyHint, idempotentHint false]\n\
             [caveman: 1 sentence, 2 titles elided: tool 1]\n",
        );
    }

    #[test]
    fn other_json_is_no_catalogue() {
        for text in [
            "",
            "[]",
            "{}",
            "[{\"name\":\"a\"}]",
            "{\"tools\":[{\"name\":\"hammer\",\"price\":3}]}",
            "{\"tools\":3}",
            "[[[[",
        ] {
            check(text, "");
        }
    }

    #[test]
    fn deep_schemas_come_back() {
        let deep = format!(
            "[{{\"name\":\"a\",\"parameters\":{{\"type\":\"object\",\"properties\":{{\"x\":{}1{}}}}}}}]",
            "{\"items\":".repeat(10_000),
            "}".repeat(10_000)
        );
        let proposals = ToolSchema.compress(&deep, &Focus::default());
        assert!(proposals.lossless.is_some());
    }
}

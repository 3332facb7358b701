//! What an editor can mend: the findings that have one right answer.

use monotable_lint::{fix_span, is_fixable};
use monotable_model::diagnostic::Span;
use serde_json::{Value, json};

use super::open_file::OpenFile;
use super::position::range;
use super::problems::problem;

/// The actions for what is wrong between two bytes.
pub(super) fn actions(file: &OpenFile, uri: &str, wanted: Span) -> Vec<Value> {
    if !file.is_model() {
        return Vec::new();
    }
    let found = file.problems();
    let touching = found.iter().filter(|finding| {
        finding.span.is_some_and(|span| span.start <= wanted.end && wanted.start <= span.end)
    });
    let action = |finding| {
        let span = fix_span(&file.text, finding)?;
        let written = finding.fix.as_ref()?.replace.as_str();
        if !is_fixable(&file.text, file.format, finding) {
            return None;
        }
        let edit = json!({ "range": range(&file.text, span), "newText": written });
        Some(json!({
            "title": format!("write {written}"),
            "kind": "quickfix",
            "diagnostics": [problem(file, uri, finding)],
            "edit": { "changes": { uri: [edit] } },
        }))
    };
    touching.filter_map(action).collect()
}

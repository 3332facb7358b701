//! What is wrong with a file: the mistakes of `check`, and the findings of `lint`.

use monotable_model::diagnostic::{Diagnostic, Severity, Span};
use serde_json::{Value, json};

use super::open_file::OpenFile;
use super::position::range;

/// The diagnostics of a file, in the protocol's form.
pub(super) fn problems(file: &OpenFile, uri: &str) -> Vec<Value> {
    if !file.is_model() {
        return Vec::new();
    }
    file.problems().iter().map(|diagnostic| problem(file, uri, diagnostic)).collect()
}

/// A diagnostic in the protocol's form.
pub(super) fn problem(file: &OpenFile, uri: &str, diagnostic: &Diagnostic) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Info => 3,
    };
    let suggestion = diagnostic.suggestion.as_ref();
    let message = match suggestion {
        Some(suggestion) => format!("{}\n{suggestion}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let span = diagnostic.span.unwrap_or(Span::new(0, 0));
    let mut problem = json!({
        "range": range(&file.text, span),
        "severity": severity,
        "code": diagnostic.code,
        "source": "monotable",
        "message": message,
    });
    let related: Vec<Value> = diagnostic
        .notes
        .iter()
        .filter_map(|note| {
            let place = json!({ "uri": uri, "range": range(&file.text, note.span?) });
            Some(json!({ "location": place, "message": note.message }))
        })
        .collect();
    if let (Some(problem), false) = (problem.as_object_mut(), related.is_empty()) {
        problem.insert("relatedInformation".to_owned(), Value::Array(related));
    }
    problem
}

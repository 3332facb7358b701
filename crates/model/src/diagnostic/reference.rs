//! Where the guide says what belongs at the place of a mistake.

use super::{Diagnostic, Place};

/// The page about the language of models.
const PAGE: &str = "docs/guide/model-language.md";

impl Diagnostic {
    /// The part of the language reference that says what a member may be, where the mistake is one
    /// in the form of the document.
    pub fn reference(&self) -> Option<String> {
        let section = match self.code {
            "bad-template" => "key-templates",
            // One of a recorded request is not written in the language of models.
            "bad-expression" if self.place.as_str().starts_with("requests") => return None,
            "bad-expression" => "expressions",
            "unknown-member" | "missing-member" | "wrong-type" | "bad-value" => {
                section(&self.place)
            }
            _ => return None,
        };
        Some(format!("{PAGE}#{section}"))
    }
}

/// The section about the members at a place, as links name it.
fn section(place: &Place) -> &'static str {
    let steps = place.steps();
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    match steps.as_slice() {
        ["tables", _, "local_indexes", ..] => "local-indexes",
        ["tables", _, "global_indexes", ..] => "global-indexes",
        ["tables", ..] => "tables",
        ["entities", _, "key", ..] => "keys-of-entities",
        ["entities", _, "indexes", ..] => "keys-in-indexes",
        ["entities", _, "attributes", ..] => "attributes",
        ["entities", ..] => "entities",
        ["relationships", ..] => "relationships",
        ["patterns", _, "parameters", ..] => "parameters",
        ["patterns", _, "actions", ..] => "actions",
        ["patterns", _, "steps", ..] => "steps",
        ["patterns", ..] => "access-patterns",
        ["samples", ..] | ["tests", _, "samples", ..] => "samples",
        ["tests", _, "steps", ..] => "steps-of-tests",
        ["tests", ..] => "tests",
        ["workload", ..] => "workload",
        ["lint", ..] => "lint-settings",
        ["allow", ..] => "accepted-findings",
        _ => "the-document",
    }
}

//! A pattern that wants what its index does not hold.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::IndexKind;

use crate::Subject;
use crate::amount::amount;
use crate::planned_query::requests;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "projection-gap",
    Error,
    Collections,
    Model,
    "a pattern wants attributes that its index does not hold",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (pattern, request) in requests(subject) {
        let index = subject
            .model
            .table(&request.target.table)
            .and_then(|table| table.index(request.target.index.as_deref()?));
        let Some(index) = index.filter(|_| !request.missing.is_empty()) else { continue };
        let rows = pattern.rows.or(pattern.limit.map(|limit| limit as f64)).unwrap_or(1.0);
        let message = format!(
            "{} does not hold {}: {} reads of the table follow each query",
            index.name,
            request.missing.join(", "),
            amount(rows.max(1.0))
        );
        let suggestion = format!(
            "add {} to the projection of {}, or say with project that the pattern does not want it",
            request.missing.join(", "),
            index.name
        );
        let place = Place::pattern(&pattern.name);
        // A local index fetches by itself, which only costs; a global one does not return what it
        // lacks.
        let diagnostic = match index.kind {
            IndexKind::Local => Diagnostic::warning(RULE.code, place, message),
            IndexKind::Global => Diagnostic::error(RULE.code, place, message),
        };
        found.push(diagnostic.with_suggestion(suggestion));
    }
    found
}

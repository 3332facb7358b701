//! A connection for each request.

use std::collections::BTreeSet;

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::request_part::request_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "no-keep-alive",
    Info,
    Requests,
    Evidence,
    "every request comes by a connection of its own",
    check
);

/// So few requests need no second use of a connection.
const REQUESTS_MIN: usize = 5;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let connections = subject.requests.iter().map(|request| request.connection.as_deref());
    let Some(connections) = connections.collect::<Option<Vec<&str>>>() else { return Vec::new() };
    let distinct: BTreeSet<&str> = connections.iter().copied().collect();
    let Some(second) = subject.requests.get(1) else { return Vec::new() };
    if connections.len() < REQUESTS_MIN || distinct.len() < connections.len() {
        return Vec::new();
    }
    let message = format!(
        "{} requests came by {} connections: none was used twice",
        connections.len(),
        distinct.len()
    );
    let suggestion = "make one client and use it for every request; it keeps its connections open";
    let place = request_place(second.line);
    vec![Diagnostic::info(RULE.code, place, message).with_suggestion(suggestion)]
}

//! Consistent reads as a habit.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Operation, Pattern, Purpose, Tree};

use crate::Subject;
use crate::flow::is_read;
use crate::request_part::request_parts;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "strong-read-everywhere",
    Warning,
    Requests,
    Model,
    "more than half of the reads ask for consistency without a reason",
    check
);

/// So few reads are no habit.
const READS_MIN: usize = 4;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    declared(subject).into_iter().chain(recorded(subject)).collect()
}

fn declared(subject: &Subject<'_>) -> Option<Diagnostic> {
    let patterns = subject.model.patterns.iter();
    let reads: Vec<&Pattern> = patterns.filter(|pattern| is_user_read(pattern)).collect();
    let is_strong = |pattern: &&&Pattern| pattern.consistent && pattern.description.is_none();
    let strong: Vec<&&Pattern> = reads.iter().filter(is_strong).collect();
    let first = strong.first()?;
    (reads.len() >= READS_MIN && strong.len() * 2 > reads.len()).then(|| {
        let message = format!(
            "{} of {} reading patterns are consistent, and none of them says why",
            strong.len(),
            reads.len()
        );
        let place = Place::pattern(&first.name).member("consistent");
        Diagnostic::warning(RULE.code, place, message).with_suggestion(INSTEAD)
    })
}

const INSTEAD: &str = "leave consistent out where a second of delay does no harm, which halves the \
                       price, and say in the description of the others why they need it";

fn is_user_read(pattern: &Pattern) -> bool {
    let reads = match pattern.operation {
        Operation::Get | Operation::Query | Operation::Scan | Operation::BatchGet => true,
        Operation::Put
        | Operation::Update
        | Operation::Delete
        | Operation::BatchWrite
        | Operation::TransactGet
        | Operation::TransactWrite
        | Operation::Steps
        | Operation::Expire
        | Operation::Consume
        | Operation::Administer => false,
    };
    reads && pattern.purpose == Purpose::User
}

fn recorded(subject: &Subject<'_>) -> Option<Diagnostic> {
    let parts = request_parts(subject);
    let reads: Vec<_> = parts.iter().filter(|part| is_read(part.kind)).collect();
    let strong: Vec<_> = reads
        .iter()
        .filter(|part| part.body.member("ConsistentRead").is_some_and(Tree::is_true))
        .collect();
    let first = strong.first()?;
    (reads.len() >= READS_MIN && strong.len() * 2 > reads.len()).then(|| {
        let message =
            format!("{} of {} recorded reads ask for consistency", strong.len(), reads.len());
        let place = first.place.member("ConsistentRead");
        Diagnostic::warning(RULE.code, place, message).with_suggestion(INSTEAD)
    })
}

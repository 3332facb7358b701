//! A transaction that many run at once on the same item.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{ActionKind, Operation, Pattern};

use crate::Subject;
use crate::action_count::{ActionCount, action_count};
use crate::pattern_write::{PatternWrite, writes_of};
use crate::rule::{Rule, rule};
use crate::threshold::{CONTENDED_TRANSACTION_ACTIONS, CONTENDED_TRANSACTION_RATE};

pub(super) const RULE: Rule = rule!(
    "contended-transaction",
    Warning,
    Requests,
    Model,
    "a transaction is about many items, or about one that many transactions want at once",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let patterns = subject.model.patterns.iter();
    let transactions = patterns.filter(|one| one.operation == Operation::TransactWrite);
    transactions.filter_map(|pattern| contended(subject, pattern)).collect()
}

fn contended(subject: &Subject<'_>, pattern: &Pattern) -> Option<Diagnostic> {
    let writes = writes_of(subject.model, pattern);
    let place = Place::pattern(&pattern.name).member("actions");
    let hot = writes.iter().find_map(|write| {
        let rate = rate_of_one(pattern, write)?;
        (rate > subject.threshold(&CONTENDED_TRANSACTION_RATE)).then_some((write, rate))
    });
    if let Some((write, rate)) = hot {
        let message = format!(
            "{rate:.0} transactions a second are about the same {}, and cancel each other",
            write.entity.name
        );
        let suggestion = "spread it over shards, or bring it up to date from the stream";
        return Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion));
    }
    let max = subject.threshold(&CONTENDED_TRANSACTION_ACTIONS);
    let most: u64 = writes.iter().map(|write| at_most(subject, write)).sum();
    let rate = pattern.rate.filter(|rate| *rate >= 1.0 && most as f64 > max)?;
    let message = format!(
        "the transaction can be about {most} items, {rate:.0} times a second: any other write to \
         one of them cancels it"
    );
    let suggestion =
        "write fewer items at once, or prepare them and make them current by one update";
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

/// How many items a write is about that others may be writing at the same time. Nobody else has an
/// item that is put.
fn at_most(subject: &Subject<'_>, write: &PatternWrite<'_>) -> u64 {
    if write.kind == ActionKind::Put {
        return 0;
    }
    match action_count(subject.model, write) {
        ActionCount::AtMost(count) => count,
        ActionCount::Unbounded => 1,
    }
}

/// How often a second one item is written by the pattern, on average.
fn rate_of_one(pattern: &Pattern, write: &PatternWrite<'_>) -> Option<f64> {
    let count = if write.entity.singleton { Some(1) } else { write.entity.count };
    Some(pattern.rate? / count.filter(|count| *count > 0)? as f64)
}

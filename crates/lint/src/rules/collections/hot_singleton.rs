//! An item that exists once and is read often.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Model, Operation};

use crate::Subject;
use crate::amount::amount;
use crate::rule::{Rule, rule};
use crate::threshold::SINGLETON_READS;

pub(super) const RULE: Rule = rule!(
    "hot-singleton",
    Warning,
    Collections,
    Model,
    "an item that exists once is read very often",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let singletons = subject.model.entities.iter().filter(|entity| entity.singleton);
    let single = singletons.filter(|entity| !has_copies(subject.model, entity));
    single.filter_map(|entity| judge(subject, entity)).collect()
}

fn has_copies(model: &Model, entity: &Entity) -> bool {
    let is_copy = |other: &Entity| {
        other.copies.is_some() && other.copy_of.as_deref() == Some(entity.name.as_str())
    };
    entity.copies.is_some() || model.entities.iter().any(is_copy)
}

fn judge(subject: &Subject<'_>, entity: &Entity) -> Option<Diagnostic> {
    let reads = subject.planned().filter(|(pattern, _)| {
        let is_read = matches!(
            pattern.operation,
            Operation::Get | Operation::Query | Operation::BatchGet | Operation::TransactGet
        );
        is_read && pattern.entities.contains(&entity.name)
    });
    let rate: f64 = reads.filter_map(|(pattern, _)| rate_of(subject, &pattern.name)).sum();
    if rate <= subject.threshold(&SINGLETON_READS) {
        return None;
    }
    let message = format!(
        "the one {} is read {} times a second, all from one partition",
        entity.name,
        amount(rate)
    );
    let suggestion = "keep several: copies = { attribute = \"Number\", count = 10 } with the \
                      number in the key, and read any of them; or put a cache before it";
    let place = Place::entity(&entity.name);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

fn rate_of(subject: &Subject<'_>, pattern: &str) -> Option<f64> {
    subject.estimate.patterns.iter().find(|cost| cost.name == pattern)?.rate
}

//! A prefix that ends inside of a component.

use monotable_expr::KeyComparison;
use monotable_item::Value;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Keys;
use monotable_model::template::Template;

use crate::Subject;
use crate::key_range::{KeyRange, can_be};
use crate::request_part::request_parts;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "begins-without-boundary",
    Warning,
    Requests,
    Evidence,
    "begins_with has a prefix without its closing delimiter, so that longer names match too",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let parts = request_parts(subject);
    let ranges = parts.iter().filter_map(|part| KeyRange::of(subject.model, part));
    ranges.filter_map(|range| open_prefix(&range)).collect()
}

fn open_prefix(range: &KeyRange<'_>) -> Option<Diagnostic> {
    let mut comparisons = range.condition.comparisons().iter();
    let prefix = comparisons.find_map(|(_, comparison)| match comparison {
        KeyComparison::BeginsWith(Value::String(prefix)) => Some(prefix),
        _ => None,
    })?;
    let entities = range.entities();
    let held: Vec<&Keys> =
        entities.iter().map(|(_, keys)| *keys).filter(|keys| range.can_hold(keys)).collect();
    let sorts: Vec<&Template> = held.iter().flat_map(|keys| &keys.sort).collect();
    let delimiter = sorts.first()?.delimiter().character();
    if prefix.ends_with(delimiter) {
        return None;
    }
    let closed = format!("{prefix}{delimiter}");
    let ends_there = sorts.iter().any(|sort| can_be(sort, &begins(&closed)));
    let goes_on =
        sorts.iter().any(|sort| others(prefix, delimiter).iter().any(|one| can_be(sort, one)));
    (ends_there && goes_on).then(|| {
        let message = format!(
            "begins_with {prefix:?} finds what goes on after {prefix:?} as well as what ends there"
        );
        let place = range.place();
        let suggestion = format!("end the prefix with the delimiter: {closed:?}");
        Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
    })
}

fn begins(prefix: &str) -> KeyComparison {
    KeyComparison::BeginsWith(Value::from(prefix))
}

/// What begins with the prefix and goes on with a letter or digit.
fn others(prefix: &str, delimiter: char) -> Vec<KeyComparison> {
    let letters = ('0'..='9').chain('A'..='Z').chain('a'..='z').filter(|one| *one != delimiter);
    letters.map(|letter| begins(&format!("{prefix}{letter}"))).collect()
}

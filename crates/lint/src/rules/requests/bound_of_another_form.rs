//! A bound that is written in another form than the keys.

use monotable_expr::KeyComparison;
use monotable_item::Value;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::template::Template;

use crate::Subject;
use crate::key_range::{KeyRange, can_be};
use crate::request_part::request_parts;
use crate::rule::{Rule, rule};
use crate::text_bound::text_bounds;

pub(super) const RULE: Rule = rule!(
    "bound-of-another-form",
    Warning,
    Requests,
    Evidence,
    "a bound of a query is written in another form than the keys that it is compared with",
    check
);

/// How much of a bound may go on where no key does: one character that sorts before or after all of
/// them.
const SENTINEL_CHARS_MAX: usize = 1;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let parts = request_parts(subject);
    let ranges = parts.iter().filter_map(|part| KeyRange::of(subject.model, part));
    ranges.filter_map(|range| foreign_bound(&range)).collect()
}

fn foreign_bound(range: &KeyRange<'_>) -> Option<Diagnostic> {
    let entities = range.entities();
    let held = entities.iter().filter(|(_, keys)| range.can_hold(keys));
    let pairs: Vec<(&Template, &KeyComparison)> =
        held.flat_map(|(_, keys)| range.pairs(keys)).collect();
    let mut all = pairs.iter().flat_map(|(_, comparison)| text_bounds(comparison));
    let (bound, common) = all.find_map(|bound| {
        let compared =
            pairs.iter().filter(|(_, comparison)| text_bounds(comparison).contains(&bound));
        let templates: Vec<&Template> = compared.map(|(template, _)| *template).collect();
        let common = longest_beginning(bound, &templates);
        let rest = bound.get(common.len()..)?.chars().count();
        (rest > SENTINEL_CHARS_MAX).then_some((bound, common))
    })?;
    let message = format!("keys go on in another form than the bound {bound:?} after {common:?}");
    let suggestion =
        "write bounds by the same function as keys; compared as texts, other forms sort elsewhere";
    Some(Diagnostic::warning(RULE.code, range.place(), message).with_suggestion(suggestion))
}

/// The longest beginning of a bound that a key can begin with.
fn longest_beginning<'b>(bound: &'b str, templates: &[&Template]) -> &'b str {
    let can_begin = |beginning: &str| {
        let begins = KeyComparison::BeginsWith(Value::from(beginning));
        templates.iter().any(|template| can_be(template, &begins))
    };
    let ends = bound.char_indices().map(|(position, _)| position).chain([bound.len()]);
    let beginnings: Vec<&str> = ends.filter_map(|end| bound.get(..end)).collect();
    let longest = beginnings.into_iter().rev().find(|beginning| can_begin(beginning));
    longest.unwrap_or_default()
}

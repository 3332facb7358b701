//! Times of two formats in one place of a key.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Attribute;
use monotable_model::template::Form;

use crate::Subject;
use crate::key_site::{KeySite, sort_sites};
use crate::request_part::{PartKind, RequestPart, request_parts};
use crate::rule::{Rule, rule};
use crate::text_bound::{text, text_bounds};
use crate::timestamp_shape::Timestamp;

pub(super) const RULE: Rule = rule!(
    "mixed-timestamp-format",
    Error,
    Keys,
    Model,
    "times of two formats stand in one place of a sort key, or are compared with each other",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for site in sort_sites(subject.model) {
        for (part, attribute) in site.parts() {
            if matches!(part.encoding.form(), Form::Text(_)) {
                found.extend(stored_twice(subject, &site, attribute));
            }
        }
    }
    let queries = request_parts(subject).into_iter().filter(|part| part.kind == PartKind::Query);
    found.extend(queries.filter_map(|query| asked_otherwise(subject, &query)));
    found
}

/// Two stored values of different formats.
fn stored_twice(
    subject: &Subject<'_>,
    site: &KeySite<'_>,
    attribute: &Attribute,
) -> Option<Diagnostic> {
    let texts = subject.values(site.entity, attribute).filter_map(text);
    let mut times = texts.filter_map(|text| Some((text, Timestamp::find(text)?.shape())));
    let (one, shape) = times.next()?;
    let (other, _) = times.find(|(_, other)| *other != shape)?;
    let name = &attribute.name;
    let message = format!(
        "{name} is \"{one}\" in one item and \"{other}\" in another, and both stand in {}",
        site.describe()
    );
    let suggestion = format!("write all with one form, such as {{{name}:time(s)}}");
    Some(Diagnostic::error(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
}

/// A bound of a query whose format is not that of the keys that it is compared with.
fn asked_otherwise(subject: &Subject<'_>, query: &RequestPart<'_>) -> Option<Diagnostic> {
    let table = query.table?;
    let condition = query.key_condition()?.ok()?;
    let (attribute, bound, stored) = condition.comparisons().iter().find_map(|(name, asked)| {
        let own = subject.items.iter().filter(|stored| stored.table == table.name);
        let keys: Vec<&str> = own.filter_map(|stored| text(stored.item.get(name)?)).collect();
        let (bound, stored) = text_bounds(asked).into_iter().find_map(|bound| {
            Some((bound, keys.iter().copied().find(|key| differ(bound, key))?))
        })?;
        Some((name, bound, stored))
    })?;
    let message = format!(
        "the bound \"{bound}\" of {attribute} has another format than the key \"{stored}\", so \
         that the order is not that of time"
    );
    let place = query.place.member("KeyConditionExpression");
    let found = Diagnostic::error(RULE.code, place, message);
    Some(found.with_suggestion("format bounds and keys with one function"))
}

/// Whether two texts have times of different formats behind the same beginning.
fn differ(bound: &str, key: &str) -> bool {
    match (Timestamp::find(bound), Timestamp::find(key)) {
        (Some(bound), Some(key)) => bound.before == key.before && bound.shape() != key.shape(),
        (None, _) | (_, None) => false,
    }
}

//! Times of two formats in one place of a key.

use monotable_item::Value;

use crate::diagnostic::Diagnostic;
use crate::document::Attribute;
use crate::lint::Subject;
use crate::lint::key_site::{KeySite, sort_sites};
use crate::lint::rule::{Rule, rule};
use crate::lint::timestamp_shape::Timestamp;
use crate::template::Form;

pub(super) const RULE: Rule = rule!(
    "mixed-timestamp-format",
    Error,
    Keys,
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
    found
}

fn stored_twice(
    subject: &Subject<'_>,
    site: &KeySite<'_>,
    attribute: &Attribute,
) -> Option<Diagnostic> {
    let texts = subject.values(site.entity, attribute).filter_map(|value| match value {
        Value::String(text) => Some(text.as_str()),
        _ => None,
    });
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

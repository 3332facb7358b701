//! A date in a sort key that does not sort by time.

use monotable_item::Value;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Attribute, AttributeFormat};
use monotable_model::template::Form;

use crate::Subject;
use crate::key_site::{KeySite, sort_sites};
use crate::rule::{Rule, rule};
use crate::timestamp_shape::{Timestamp, is_year_last};

pub(super) const RULE: Rule = rule!(
    "unsortable-date",
    Error,
    Keys,
    Model,
    "a date in a sort key does not sort by time, or is none",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for site in sort_sites(subject.model).filter(|site| !site.is_alone_in_partition()) {
        for (part, attribute) in site.parts() {
            if matches!(part.encoding.form(), Form::Text(_)) {
                found.extend(finding(subject, &site, attribute));
            }
        }
    }
    found
}

fn finding(subject: &Subject<'_>, site: &KeySite<'_>, attribute: &Attribute) -> Option<Diagnostic> {
    let name = &attribute.name;
    let describe = site.describe();
    let (message, suggestion) = if attribute.format == Some(AttributeFormat::Rfc3339) {
        (
            format!(
                "{describe} holds {name} as text: offsets and fractions of a second spoil its order"
            ),
            format!("write {{{name}:time(s)}}, which is UTC at a fixed width"),
        )
    } else {
        let (value, fault) = bad_value(subject, site, attribute)?;
        let suggestion = match fault {
            Fault::YearLast => format!("store {name} as 2026-01-03, or write {{{name}:ymd}}"),
            Fault::NoSuchDay => format!("refuse such values where {name} is written"),
        };
        (
            format!("{describe} holds {name}, which is \"{value}\" in an item: {}", fault.words()),
            suggestion,
        )
    };
    Some(Diagnostic::error(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
}

enum Fault {
    YearLast,
    NoSuchDay,
}

impl Fault {
    fn words(&self) -> &'static str {
        match self {
            Fault::YearLast => "the year comes last, so the order is not that of time",
            Fault::NoSuchDay => "there is no such day",
        }
    }
}

fn bad_value<'s>(
    subject: &'s Subject<'_>,
    site: &'s KeySite<'_>,
    attribute: &'s Attribute,
) -> Option<(&'s str, Fault)> {
    subject.values(site.entity, attribute).find_map(|value| {
        let Value::String(text) = value else { return None };
        if is_year_last(text) {
            return Some((text.as_str(), Fault::YearLast));
        }
        let is_date = |found: &Timestamp<'_>| found.before.is_empty();
        let date = Timestamp::find(text).filter(is_date)?;
        (!date.is_valid()).then_some((text.as_str(), Fault::NoSuchDay))
    })
}

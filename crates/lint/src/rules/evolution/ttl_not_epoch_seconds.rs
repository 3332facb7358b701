//! A time to live that the service does not understand.

use monotable_item::{Number, Type, Value};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, AttributeFormat, Entity};

use crate::Subject;
use crate::amount::stored_items;
use crate::expiry::expiry;
use crate::rule::{Rule, rule};
use crate::stored_entity::{KnownItem, known_items, value_text};

pub(super) const RULE: Rule = rule!(
    "ttl-not-epoch-seconds",
    Error,
    Evolution,
    Model,
    "a time to live is not a number of seconds since 1970, so that nothing expires",
    check
);

/// Seconds since 1970 reach this in the year 5138, milliseconds reached it in 1973.
const SECONDS_MAX: i64 = 100_000_000_000;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let items = known_items(subject);
    let mut found = Vec::new();
    for entity in &subject.model.entities {
        let Some(attribute) = expiry(subject.model, entity) else { continue };
        let declared = declared(entity, attribute);
        let is_declared = declared.is_some();
        found.extend(declared);
        let own = items.iter().filter(|known| known.entity.name == entity.name);
        let bad: Vec<&KnownItem<'_>> =
            own.filter(|known| fault(known, attribute).is_some()).collect();
        if let Some(first) = bad.first().filter(|_| !is_declared) {
            found.push(stored(first, attribute, bad.len()));
        }
    }
    found
}

fn declared(entity: &Entity, attribute: &Attribute) -> Option<Diagnostic> {
    let is = match (attribute.kind, attribute.format) {
        (Type::Number, None | Some(AttributeFormat::EpochSeconds)) => return None,
        (Type::Number, Some(AttributeFormat::EpochMillis)) => "milliseconds",
        (Type::Number, Some(_)) => "no count of seconds",
        (_, Some(AttributeFormat::Rfc3339 | AttributeFormat::Date)) => "a time as text",
        (_, _) => "no number",
    };
    let message =
        format!("{} of {} is {is}, so that its items never expire", attribute.name, entity.name);
    let suggestion = format!("{} = {{ type = \"N\", format = \"epoch-seconds\" }}", attribute.name);
    let place = Place::entity(&entity.name).member("attributes").member(&attribute.name);
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion))
}

/// What is wrong with the value of an item, if it has one.
fn fault(known: &KnownItem<'_>, attribute: &Attribute) -> Option<&'static str> {
    match known.item.get(attribute.item_name())? {
        Value::Number(number) if *number > Number::from(SECONDS_MAX) => Some("milliseconds"),
        Value::Number(_) => None,
        _ => Some("no number"),
    }
}

fn stored(first: &KnownItem<'_>, attribute: &Attribute, count: usize) -> Diagnostic {
    let value = first.item.get(attribute.item_name()).map_or_else(String::new, value_text);
    let message = format!(
        "{} of {} will never expire: {} is {}, such as {value} in {}",
        stored_items(count),
        first.entity.name,
        attribute.item_name(),
        fault(first, attribute).unwrap_or_default(),
        first.key()
    );
    let place = Place::entity(&first.entity.name).member("attributes").member(&attribute.name);
    Diagnostic::error(RULE.code, place, message)
        .with_suggestion("write whole seconds since 1970, as a number")
}

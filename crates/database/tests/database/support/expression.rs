//! Expressions whose values are written in place, as JSON between backquotes: ``total > `100` ``.

use std::collections::BTreeMap;

use monotable_database::schema::KeySchema;
use monotable_database::{KeySelection, SortCondition};
use monotable_expr::{
    Condition, KeyComparison, KeyCondition, Projection, Resolver, Update, parse_condition,
    parse_projection, parse_update,
};
use monotable_item::Value;

use super::json;

type Result<T> = std::result::Result<T, String>;
type Names = BTreeMap<String, String>;
type Values = BTreeMap<String, Value>;

pub(crate) fn condition(text: &str) -> Result<Condition> {
    let (text, values) = lift(text)?;
    let parsed = parse_condition(&text).map_err(debug)?;
    Resolver::new(&Names::new(), &values).condition(&parsed).map_err(debug)
}

pub(crate) fn update(text: &str) -> Result<Update> {
    let (text, values) = lift(text)?;
    let parsed = parse_update(&text).map_err(debug)?;
    Resolver::new(&Names::new(), &values).update(&parsed).map_err(debug)
}

pub(crate) fn projection(text: &str) -> Result<Projection> {
    let parsed = parse_projection(text).map_err(debug)?;
    Resolver::new(&Names::new(), &Values::new()).projection(&parsed).map_err(debug)
}

/// What a key condition selects of a table or index with these keys.
pub(crate) fn selection(key: &KeySchema, text: &str) -> Result<KeySelection> {
    let condition = KeyCondition::new(&condition(text)?).map_err(debug)?;
    let mut selection =
        KeySelection { partition: Vec::new(), sort_equal: Vec::new(), sort_last: None };
    for attribute in &key.partition {
        match condition.comparison(&attribute.name) {
            Some(KeyComparison::Equal(value)) => selection.partition.push(value.clone()),
            other => return Err(format!("partition key {}: {other:?}", attribute.name)),
        }
    }
    for attribute in &key.sort {
        let Some(comparison) = condition.comparison(&attribute.name) else { break };
        match sort_condition(comparison) {
            Ok(condition) => selection.sort_last = Some(condition),
            Err(equal) => selection.sort_equal.push(equal),
        }
    }
    Ok(selection)
}

/// The condition on the last sort key attribute, or the value that it must equal.
fn sort_condition(comparison: &KeyComparison) -> std::result::Result<SortCondition, Value> {
    Ok(match comparison.clone() {
        KeyComparison::Equal(value) => return Err(value),
        KeyComparison::Less(value) => SortCondition::Less(value),
        KeyComparison::LessOrEqual(value) => SortCondition::LessOrEqual(value),
        KeyComparison::Greater(value) => SortCondition::Greater(value),
        KeyComparison::GreaterOrEqual(value) => SortCondition::GreaterOrEqual(value),
        KeyComparison::Between(low, high) => SortCondition::Between(low, high),
        KeyComparison::BeginsWith(value) => SortCondition::BeginsWith(value),
        KeyComparison::NotIndexable => panic!("a value that cannot be part of a key"),
    })
}

/// Replaces the values between backquotes by placeholders.
fn lift(text: &str) -> Result<(String, Values)> {
    let mut lifted = String::new();
    let mut values = Values::new();
    for (at, piece) in text.split('`').enumerate() {
        if at % 2 == 0 {
            lifted.push_str(piece);
            continue;
        }
        let placeholder = format!(":v{at}");
        lifted.push_str(&placeholder);
        values.insert(placeholder, json::value(piece)?);
    }
    Ok((lifted, values))
}

fn debug(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}

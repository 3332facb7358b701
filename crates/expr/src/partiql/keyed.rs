//! The one item that a condition names.

use std::collections::BTreeMap;

use monotable_item::{Item, Value};
use thiserror::Error;

use super::plan::{comparisons_of, conjuncts};
use crate::{Condition, KeyComparison};

/// A condition on one item: its key, and what else must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedCondition {
    /// The key.
    pub key: Item,
    /// What else must hold.
    pub rest: Option<Condition>,
}

/// Why a condition does not name one item.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeyedConditionError {
    /// It does not give a value for every key attribute.
    #[error("the condition does not name the whole key")]
    Incomplete,
    /// It requires a key attribute to equal two values.
    #[error("the condition names two values of {attribute}")]
    SeveralValues {
        /// The attribute.
        attribute: String,
    },
}

impl KeyedCondition {
    /// Splits a condition that gives a value for each of these key attributes.
    pub fn new(
        condition: Option<&Condition>,
        key: &[&str],
    ) -> Result<KeyedCondition, KeyedConditionError> {
        let (keyed, second_values) = split(condition, key)?;
        match second_values.into_keys().next() {
            Some(attribute) => {
                let attribute = attribute.to_owned();
                Err(KeyedConditionError::SeveralValues { attribute })
            }
            None => Ok(keyed),
        }
    }

    /// The same, but the key consists of the first value of each key attribute. A second value
    /// becomes part of what else must hold.
    pub fn of_first_values(
        condition: Option<&Condition>,
        key: &[&str],
    ) -> Result<KeyedCondition, KeyedConditionError> {
        let (keyed, second_values) = split(condition, key)?;
        let others = second_values.into_values().cloned();
        Ok(KeyedCondition { rest: all_of(others.chain(keyed.rest)), key: keyed.key })
    }
}

/// The condition split up, and the comparisons of key attributes with second values.
type Split<'c> = (KeyedCondition, BTreeMap<&'c str, &'c Condition>);

fn split<'c>(
    condition: Option<&'c Condition>,
    key: &[&'c str],
) -> Result<Split<'c>, KeyedConditionError> {
    let mut values = Item::new();
    let mut second_values = BTreeMap::new();
    let mut rest = Vec::new();
    for conjunct in condition.map(conjuncts).unwrap_or_default() {
        let asked = key.iter().find_map(|name| Some((*name, equal_value(conjunct, name)?)));
        let Some((name, value)) = asked else {
            rest.push(conjunct.clone());
            continue;
        };
        match values.get(name) {
            None => drop(values.insert(name.to_owned(), value)),
            Some(first) if *first == value => {}
            Some(_) => drop(second_values.insert(name, conjunct)),
        }
    }
    if values.len() < key.len() {
        return Err(KeyedConditionError::Incomplete);
    }
    Ok((KeyedCondition { key: values, rest: all_of(rest) }, second_values))
}

/// Returns the value that a condition requires an attribute to equal. `IN` does not count, even
/// with one value.
fn equal_value(condition: &Condition, attribute: &str) -> Option<Value> {
    if !matches!(condition, Condition::Compare { .. }) {
        return None;
    }
    match comparisons_of(condition, attribute)?.pop()? {
        KeyComparison::Equal(value) => Some(value),
        _ => None,
    }
}

fn all_of(conditions: impl IntoIterator<Item = Condition>) -> Option<Condition> {
    let and = |left, right| Condition::And(Box::new(left), Box::new(right));
    conditions.into_iter().reduce(and)
}

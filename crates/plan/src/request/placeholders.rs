//! Placeholders of one request.

use std::collections::BTreeMap;

use monotable_expr::{KeyComparison, is_reserved};
use monotable_item::Value;
use monotable_model::document::Expression;

use crate::fill::{Arguments, FillError};

/// What the placeholders of a request's expressions stand for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Placeholders {
    /// `ExpressionAttributeNames`
    pub names: BTreeMap<String, String>,
    /// `ExpressionAttributeValues`
    pub values: BTreeMap<String, Value>,
}

impl Placeholders {
    /// Fills in an expression of the model, and keeps what its placeholders stand for.
    pub(super) fn bind(
        &mut self,
        expression: &Expression,
        arguments: &Arguments<'_>,
    ) -> Result<String, FillError> {
        let bound = expression.bind(|name| arguments.values.get(name).cloned())?;
        self.names.extend(bound.names);
        self.values.extend(bound.values);
        Ok(bound.text)
    }

    /// An expression that may be missing.
    pub(super) fn bind_all(
        &mut self,
        expression: Option<&Expression>,
        arguments: &Arguments<'_>,
    ) -> Result<Option<String>, FillError> {
        expression.map(|expression| self.bind(expression, arguments)).transpose()
    }

    /// An attribute's name as an expression can hold it.
    pub(super) fn name(&mut self, name: &str) -> String {
        let mut characters = name.chars();
        let is_plain = characters.next().is_some_and(|first| first.is_ascii_alphabetic())
            && characters.all(|character| character.is_ascii_alphanumeric() || character == '_');
        if is_plain && !is_reserved(name) {
            return name.to_owned();
        }
        let known = self.names.iter().find(|(_, known)| *known == name);
        if let Some((placeholder, _)) = known {
            return placeholder.clone();
        }
        let placeholder = free("#k", |placeholder| self.names.contains_key(placeholder));
        self.names.insert(placeholder.clone(), name.to_owned());
        placeholder
    }

    /// A placeholder for a value.
    pub(super) fn value(&mut self, value: Value) -> String {
        let placeholder = free(":k", |placeholder| self.values.contains_key(placeholder));
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    /// A comparison as text.
    pub(super) fn comparison(&mut self, name: &str, comparison: KeyComparison) -> String {
        let name = self.name(name);
        let mut compare =
            |operator: &str, value: Value| format!("{name} {operator} {}", self.value(value));
        match comparison {
            KeyComparison::Equal(value) => compare("=", value),
            KeyComparison::Less(value) => compare("<", value),
            KeyComparison::LessOrEqual(value) => compare("<=", value),
            KeyComparison::Greater(value) => compare(">", value),
            KeyComparison::GreaterOrEqual(value) => compare(">=", value),
            KeyComparison::Between(lower, upper) => {
                let (lower, upper) = (self.value(lower), self.value(upper));
                format!("{name} BETWEEN {lower} AND {upper}")
            }
            KeyComparison::BeginsWith(value) => {
                format!("begins_with({name}, {})", self.value(value))
            }
            KeyComparison::NotIndexable => unreachable!("plans never ask what no key answers"),
        }
    }
}

fn free(stem: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut number = 1;
    loop {
        let placeholder = format!("{stem}{number}");
        if !is_taken(&placeholder) {
            return placeholder;
        }
        number += 1;
    }
}

//! Puts parameters into an expression.

use std::collections::BTreeMap;

use monotable_expr::{Condition, ResolveError, Resolver, parse_condition};
use monotable_item::Value;
use thiserror::Error;

use super::{Expression, NameSource, Source};
use crate::document::plain_text;

/// An expression as a request carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The text.
    pub text: String,
    /// `ExpressionAttributeNames`
    pub names: BTreeMap<String, String>,
    /// `ExpressionAttributeValues`
    pub values: BTreeMap<String, Value>,
}

/// A parameter that was not given, or is not of a type that can stand where it is used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MissingParameter {
    /// It was not given.
    #[error("parameter {name} is missing")]
    Absent {
        /// The parameter.
        name: String,
    },
    /// It names a member or an element, and is neither text nor a whole number.
    #[error("parameter {name} cannot be part of a path")]
    NotAName {
        /// The parameter.
        name: String,
    },
}

/// Why an expression is not a condition that items can be asked.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ConditionError {
    /// A parameter is missing.
    #[error(transparent)]
    Parameter(#[from] MissingParameter),
    /// It is not a condition.
    #[error(transparent)]
    Parse(#[from] monotable_expr::ParseError),
    /// Operands do not go together.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
}

impl Expression {
    /// The condition that it is, with its parameters replaced by arguments.
    pub fn condition(
        &self,
        argument: impl Fn(&str) -> Option<Value>,
    ) -> Result<Condition, ConditionError> {
        let bound = self.bind(argument)?;
        let parsed = parse_condition(&bound.text)?;
        Ok(Resolver::new(&bound.names, &bound.values).condition(&parsed)?)
    }

    /// The expression with its parameters replaced by arguments.
    pub fn bind(
        &self,
        argument: impl Fn(&str) -> Option<Value>,
    ) -> Result<Bound, MissingParameter> {
        let given = |name: &str| {
            argument(name).ok_or_else(|| MissingParameter::Absent { name: name.to_owned() })
        };
        let mut names = BTreeMap::new();
        for (placeholder, source) in &self.names {
            let name = match source {
                NameSource::Name(name) => name.clone(),
                NameSource::Parameter(name) => path_text(name, &given(name)?)?,
            };
            names.insert(placeholder.clone(), name);
        }
        let mut values = BTreeMap::new();
        for (placeholder, source) in &self.values {
            let value = match source {
                Source::Parameter(name) => given(name)?,
                Source::Literal(value) => value.clone(),
            };
            values.insert(placeholder.clone(), value);
        }
        let mut text = self.rewritten.clone();
        for name in &self.indexes {
            let index = path_text(name, &given(name)?)?;
            text = text.replace(&format!("[{{{name}}}]"), &format!("[{index}]"));
        }
        Ok(Bound { text, names, values })
    }
}

fn path_text(name: &str, value: &Value) -> Result<String, MissingParameter> {
    plain_text(value).ok_or_else(|| MissingParameter::NotAName { name: name.to_owned() })
}

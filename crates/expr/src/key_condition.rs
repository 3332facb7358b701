//! Key conditions: what a Query asks of the key attributes.
//!
//! A key condition has the grammar of other conditions, but is only comparisons joined by `AND`,
//! one for each attribute, each against values of the request. Which attributes must have one and
//! which comparisons fit them depends on the table or index, so that is left to the database.

use monotable_item::{Path, Value};

use crate::KeyConditionError;
use crate::eval::{Condition, Operand};
use crate::operation::{Comparator, Function, Operation};

/// One comparison for each of some attributes, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyCondition {
    comparisons: Vec<(String, KeyComparison)>,
}

/// The condition on a key attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyComparison {
    /// Equal to the value.
    Equal(Value),
    /// Before the value.
    Less(Value),
    /// Before the value, or equal to it.
    LessOrEqual(Value),
    /// After the value.
    Greater(Value),
    /// After the value, or equal to it.
    GreaterOrEqual(Value),
    /// From the first value to the second, both included.
    Between(Value, Value),
    /// Beginning with the value.
    BeginsWith(Value),
    /// Something that no range of keys answers. Only requests without an expression can ask it.
    NotIndexable,
}

impl KeyCondition {
    /// Takes a condition as a key condition, if it has the shape of one.
    pub fn new(condition: &Condition) -> Result<KeyCondition, KeyConditionError> {
        let mut comparisons = Vec::new();
        collect(condition, &mut comparisons)?;
        Ok(KeyCondition { comparisons })
    }

    /// A key condition of comparisons, one for each attribute.
    pub fn of_comparisons(comparisons: Vec<(String, KeyComparison)>) -> KeyCondition {
        KeyCondition { comparisons }
    }

    /// The attributes and the conditions on them, in the order of the text.
    pub fn comparisons(&self) -> &[(String, KeyComparison)] {
        &self.comparisons
    }

    /// The condition on an attribute.
    pub fn comparison(&self, attribute: &str) -> Option<&KeyComparison> {
        let mut comparisons = self.comparisons.iter();
        comparisons.find_map(|(name, comparison)| (name == attribute).then_some(comparison))
    }
}

fn collect(
    condition: &Condition,
    comparisons: &mut Vec<(String, KeyComparison)>,
) -> Result<(), KeyConditionError> {
    let (attribute, comparison) = match condition {
        Condition::And(left, right) => {
            collect(left, comparisons)?;
            return collect(right, comparisons);
        }
        Condition::Compare { comparator, left, right } => compare(*comparator, left, right)?,
        Condition::Between { operand, lower, upper } => between(operand, lower, upper)?,
        Condition::BeginsWith { operand, prefix } => begins_with(operand, prefix)?,
        Condition::Or(..) => return Err(foreign(Operation::Or)),
        Condition::Not(_) => return Err(foreign(Operation::Not)),
        Condition::In { .. } => return Err(foreign(Operation::In)),
        Condition::Exists(_) => return Err(foreign_call(Function::AttributeExists)),
        Condition::NotExists(_) => return Err(foreign_call(Function::AttributeNotExists)),
        Condition::HasType { .. } => return Err(foreign_call(Function::AttributeType)),
        Condition::Contains { .. } => return Err(foreign_call(Function::Contains)),
    };
    if comparisons.iter().any(|(name, _)| *name == attribute) {
        return Err(KeyConditionError::RepeatedAttribute);
    }
    comparisons.push((attribute, comparison));
    Ok(())
}

fn compare(
    comparator: Comparator,
    left: &Operand,
    right: &Operand,
) -> Result<(String, KeyComparison), KeyConditionError> {
    if comparator == Comparator::NotEqual {
        return Err(foreign(Operation::Compare(comparator)));
    }
    match side(left)? {
        Side::Attribute(path) => Ok((attribute(path)?, comparison(comparator, bound(right)?))),
        Side::Value(value) => match side(right)? {
            Side::Attribute(path) => {
                Ok((attribute(path)?, comparison(comparator.flipped(), value)))
            }
            Side::Value(_) => Err(KeyConditionError::NoAttribute),
        },
    }
}

fn between(
    operand: &Operand,
    lower: &Operand,
    upper: &Operand,
) -> Result<(String, KeyComparison), KeyConditionError> {
    let attribute = first_attribute(operand, Operation::Between)?;
    let bounds = KeyComparison::Between(bound(lower)?.clone(), bound(upper)?.clone());
    Ok((attribute, bounds))
}

fn begins_with(
    operand: &Operand,
    prefix: &Operand,
) -> Result<(String, KeyComparison), KeyConditionError> {
    let attribute = first_attribute(operand, Operation::Call(Function::BeginsWith))?;
    Ok((attribute, KeyComparison::BeginsWith(bound(prefix)?.clone())))
}

/// A side of a comparison that can be part of a key condition.
enum Side<'o> {
    Attribute(&'o Path),
    Value(&'o Value),
}

fn side(operand: &Operand) -> Result<Side<'_>, KeyConditionError> {
    match operand {
        Operand::Path(path) => Ok(Side::Attribute(path)),
        Operand::Value(value) => Ok(Side::Value(value)),
        Operand::Size(_) | Operand::Condition(_) => Err(KeyConditionError::NestedOperation),
    }
}

fn first_attribute(operand: &Operand, operation: Operation) -> Result<String, KeyConditionError> {
    match operand {
        Operand::Path(path) => attribute(path),
        Operand::Value(_) | Operand::Size(_) | Operand::Condition(_) => {
            Err(KeyConditionError::KeyNotFirst { operation })
        }
    }
}

fn bound(operand: &Operand) -> Result<&Value, KeyConditionError> {
    match side(operand)? {
        Side::Value(value) => Ok(value),
        Side::Attribute(_) => Err(KeyConditionError::SeveralAttributes),
    }
}

fn attribute(path: &Path) -> Result<String, KeyConditionError> {
    if path.is_attribute() {
        Ok(path.root.clone())
    } else {
        Err(KeyConditionError::NestedAttribute)
    }
}

fn comparison(comparator: Comparator, value: &Value) -> KeyComparison {
    let value = value.clone();
    match comparator {
        Comparator::Equal | Comparator::NotEqual => KeyComparison::Equal(value),
        Comparator::Less => KeyComparison::Less(value),
        Comparator::LessOrEqual => KeyComparison::LessOrEqual(value),
        Comparator::Greater => KeyComparison::Greater(value),
        Comparator::GreaterOrEqual => KeyComparison::GreaterOrEqual(value),
    }
}

fn foreign(operation: Operation) -> KeyConditionError {
    KeyConditionError::Operation { operation }
}

fn foreign_call(function: Function) -> KeyConditionError {
    foreign(Operation::Call(function))
}

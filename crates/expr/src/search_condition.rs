//! Search conditions: what a vector search asks of the attributes of its index.
//!
//! A search condition has the grammar of other conditions, but is only equalities joined by `AND`,
//! each of an attribute and a value of the request. Which attributes can be asked for depends on
//! the index, so that is left to the caller.

use monotable_item::{Path, Value};
use thiserror::Error;

use crate::eval::{Condition, Operand};
use crate::operation::Comparator;

/// Equalities, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchCondition {
    equalities: Vec<(Path, Value)>,
}

/// Why a condition is no search condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SearchConditionError {
    /// It compares otherwise than for equality, or not an attribute with a value.
    #[error("comparator other than equality of an attribute and a value")]
    Comparator,
    /// It has an operator other than `AND`, or a function.
    #[error("operator other than AND")]
    Operator,
}

impl SearchCondition {
    /// Takes a condition as a search condition, if it has the shape of one.
    pub fn new(condition: &Condition) -> Result<SearchCondition, SearchConditionError> {
        let mut equalities = Vec::new();
        collect(condition, &mut equalities)?;
        Ok(SearchCondition { equalities })
    }

    /// The attributes and the values that they must have.
    pub fn equalities(&self) -> &[(Path, Value)] {
        &self.equalities
    }
}

fn collect(
    condition: &Condition,
    equalities: &mut Vec<(Path, Value)>,
) -> Result<(), SearchConditionError> {
    match condition {
        Condition::And(left, right) => {
            collect(left, equalities)?;
            collect(right, equalities)
        }
        Condition::Compare { comparator: Comparator::Equal, left, right } => {
            let (path, value) = match (left, right) {
                (Operand::Path(path), Operand::Value(value))
                | (Operand::Value(value), Operand::Path(path)) => (path, value),
                _ => return Err(SearchConditionError::Comparator),
            };
            equalities.push((path.clone(), (**value).clone()));
            Ok(())
        }
        Condition::Compare { .. } => Err(SearchConditionError::Comparator),
        Condition::Or(..)
        | Condition::Not(_)
        | Condition::Between { .. }
        | Condition::In { .. }
        | Condition::Exists(_)
        | Condition::NotExists(_)
        | Condition::HasType { .. }
        | Condition::BeginsWith { .. }
        | Condition::Contains { .. } => Err(SearchConditionError::Operator),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Resolver, parse_condition};

    fn read(text: &str) -> Result<SearchCondition, SearchConditionError> {
        let values = BTreeMap::from([(":v".to_owned(), Value::from(1))]);
        let names: BTreeMap<String, String> = BTreeMap::new();
        let parsed = parse_condition(text).unwrap();
        SearchCondition::new(&Resolver::new(&names, &values).condition(&parsed).unwrap())
    }

    #[test]
    fn equalities_are_taken_in_order() {
        let condition = read("a = :v AND (:v = b AND c.d = :v)").unwrap();
        let roots: Vec<&str> = condition.equalities().iter().map(|(path, _)| &*path.root).collect();
        assert_eq!(roots, ["a", "b", "c"]);
    }

    #[test]
    fn everything_else_is_refused() {
        for text in ["a < :v", "a <> :v", "a = :v AND b >= :v", "a = b", "size(a) = :v"] {
            assert_eq!(read(text), Err(SearchConditionError::Comparator), "{text}");
        }
        for text in ["a = :v OR b = :v", "NOT a = :v", "a IN (:v)", "a BETWEEN :v AND :v"] {
            assert_eq!(read(text), Err(SearchConditionError::Operator), "{text}");
        }
        assert_eq!(read("attribute_exists(a)"), Err(SearchConditionError::Operator));
    }
}

//! SearchConditionExpression: what a vector search asks of the attributes of the search schema.
//!
//! The texts were measured on AWS in August 2026.

use monotable_database::schema::{SearchAttribute, SearchRole, VectorIndexDefinition};
use monotable_expr::{Condition, SearchCondition, SearchConditionError};
use monotable_item::Value;

use crate::error::ApiError;
use crate::wording::key;

/// Which entries of an index are searched.
#[derive(Debug, Default)]
pub(crate) struct SearchScope {
    /// The partition, if the index has partitions.
    pub(crate) partition: Option<Value>,
    /// Which values attributes must have.
    pub(crate) filters: Vec<(String, Value)>,
}

/// Takes a condition as one of a search.
pub(crate) fn read(condition: &Condition) -> Result<SearchCondition, ApiError> {
    SearchCondition::new(condition).map_err(|error| {
        invalid(match error {
            SearchConditionError::Comparator => {
                "Invalid comparator used in SearchConditionExpression"
            }
            SearchConditionError::Operator => "Invalid operator used in SearchConditionExpression",
        })
    })
}

fn invalid(text: &str) -> ApiError {
    ApiError::validation(format!("Invalid SearchConditionExpression: {text}"))
}

/// Checks a condition against the search schema of an index.
pub(crate) fn resolve(
    index: &VectorIndexDefinition,
    condition: Option<&SearchCondition>,
) -> Result<SearchScope, ApiError> {
    let Some(condition) = condition else {
        return match index.partition() {
            None => Ok(SearchScope::default()),
            Some(_) => Err(ApiError::validation(
                "SearchConditionExpression must be provided when SearchSchema has a HASH key",
            )),
        };
    };
    check_shape(index, condition)?;
    let mut scope = SearchScope::default();
    for (path, value) in condition.equalities() {
        let element = index.search.iter().find(|element| element.attribute.name == path.root);
        let Some(element) = element else { continue };
        check_value(element, value)?;
        match element.role {
            SearchRole::Partition => scope.partition = Some(value.clone()),
            SearchRole::Filter => scope.filters.push((path.root.clone(), value.clone())),
        }
    }
    if index.partition().is_some() && scope.partition.is_none() {
        return Err(ApiError::validation(
            "SearchConditionExpression must have all HASH attributes in configured SearchSchema",
        ));
    }
    Ok(scope)
}

/// Checks that each attribute of the search schema is asked for at most once, and no other.
fn check_shape(index: &VectorIndexDefinition, condition: &SearchCondition) -> Result<(), ApiError> {
    let equalities = condition.equalities();
    if let Some((path, _)) = equalities.iter().find(|(path, _)| !index.searches(&path.root)) {
        return Err(ApiError::validation(format!(
            "SearchConditionExpression must not contain any attributes that is not in \
             SearchSchema. Invalid attribute: {}",
            path.root
        )));
    }
    if equalities.iter().any(|(path, _)| !path.is_attribute()) {
        return Err(invalid(
            "SearchConditionExpression cannot have conditions on nested attributes",
        ));
    }
    // There are at most nineteen attributes, so a longer list has one twice.
    let is_repeated = equalities.len() > index.search.len()
        || equalities.iter().enumerate().any(|(at, (path, _))| {
            equalities.iter().take(at).any(|(before, _)| before.root == path.root)
        });
    if is_repeated {
        return Err(invalid(
            "SearchConditionExpression must only contain one condition per attribute",
        ));
    }
    Ok(())
}

fn check_value(element: &SearchAttribute, value: &Value) -> Result<(), ApiError> {
    let (expected, actual) = (element.attribute.kind.value_type(), value.kind());
    let name = &element.attribute.name;
    if expected != actual {
        return Err(ApiError::validation(format!(
            "Type of '{name}' attribute in SearchConditionExpression ({}) does not match type in \
             search schema ({})",
            actual.code(),
            expected.code()
        )));
    }
    let is_empty = match value {
        Value::String(text) => text.is_empty(),
        Value::Binary(bytes) => bytes.is_empty(),
        _ => false,
    };
    if is_empty && element.role == SearchRole::Partition {
        return Err(ApiError::validation(key::empty(actual, name)));
    }
    Ok(())
}

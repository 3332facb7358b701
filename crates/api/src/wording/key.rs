//! Texts for keys that do not fit the schema.

use monotable_database::{KeyError, KeyProblem, KeyRole};
use monotable_item::Type;

use crate::error::ApiError;

/// What a lookup key that does not fit is answered with.
pub(crate) const NOT_OF_SCHEMA: &str = "The provided key element does not match the schema";

/// What is wrong with the key of an item that is put.
pub(crate) fn of_item(error: &KeyError) -> ApiError {
    match (&error.index, error.problem) {
        (None, KeyProblem::Missing) => {
            ApiError::parameter(format!("Missing the key {} in the item", error.name))
        }
        (None, KeyProblem::WrongType { expected, actual }) => ApiError::parameter(format!(
            "Type mismatch for key {} expected: {} actual: {}",
            error.name,
            expected.code(),
            actual.code()
        )),
        (Some(index), KeyProblem::WrongType { expected, actual }) => ApiError::parameter(format!(
            "Type mismatch for Index Key {} Expected: {} Actual: {} IndexName: {index}",
            error.name,
            expected.code(),
            actual.code()
        )),
        (Some(index), KeyProblem::Empty(kind)) => ApiError::validation(format!(
            "One or more parameter values are not valid. A value specified for a secondary index key \
             is not supported. The AttributeValue for a key attribute cannot contain an empty {} value. \
             IndexName: {index}, IndexKey: {}",
            kind_name(kind),
            error.name
        )),
        _ => of_lookup(error),
    }
}

/// What is wrong with a lookup key.
pub(crate) fn of_lookup(error: &KeyError) -> ApiError {
    match error.problem {
        KeyProblem::Empty(kind) => ApiError::validation(empty(kind, &error.name)),
        KeyProblem::TooLong(role) => ApiError::parameter(too_long(role)),
        _ => ApiError::validation(NOT_OF_SCHEMA),
    }
}

/// What is wrong with an index key that an update gave an item.
pub(crate) fn of_update(error: &KeyError) -> ApiError {
    match error.problem {
        KeyProblem::WrongType { .. } => ApiError::validation(
            "The update expression attempted to update the secondary index key to unsupported type",
        ),
        KeyProblem::Empty(kind) => ApiError::validation(format!(
            "One or more parameter values are not valid. The update expression attempted to update a \
             secondary index key to a value that is not supported. The AttributeValue for a key \
             attribute cannot contain an empty {} value.",
            kind_name(kind)
        )),
        _ => of_lookup(error),
    }
}

/// What is wrong with a value of the request that an update gives an index key attribute.
pub(crate) fn of_assignment(error: &KeyError) -> ApiError {
    match error.problem {
        KeyProblem::WrongType { .. } => of_item(error),
        _ => of_update(error),
    }
}

/// What is wrong with a key of which the values of one role are too long.
pub(crate) fn too_long(role: KeyRole) -> &'static str {
    match role {
        // The service leaves out the space before the figure.
        KeyRole::Partition => "Size of hashkey has exceeded the maximum size limit of2048 bytes",
        KeyRole::Sort => {
            "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
        }
    }
}

/// What an empty value for the key attribute `name` is answered with.
pub(crate) fn empty(kind: Type, name: &str) -> String {
    format!(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot \
         contain an empty {} value. Key: {name}",
        kind_name(kind)
    )
}

fn kind_name(kind: Type) -> &'static str {
    if kind == Type::Binary { "binary" } else { "string" }
}

//! Texts for keys that do not fit the schema.

use monotable_database::schema::SearchRole;
use monotable_database::{KeyError, KeyProblem, KeyRole, VectorProblem};
use monotable_item::limits::{PARTITION_KEY_BYTES_MAX, SEARCH_FILTER_BYTES_MAX};
use monotable_item::{Number, Type};

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
            "One or more parameter values are not valid. A value specified for a secondary index \
             key is not supported. The AttributeValue for a key attribute cannot contain an empty \
             {} value. IndexName: {index}, IndexKey: {}",
            kind_name(kind),
            error.name
        )),
        (Some(index), problem) => {
            of_search(index, &error.name, problem).unwrap_or_else(|| of_lookup(error))
        }
        (None, _) => of_lookup(error),
    }
}

/// What is wrong with a vector, or with an attribute of the search schema of a vector index. The
/// texts were measured on AWS in eu-west-2, but for those about lengths.
fn of_search(index: &str, name: &str, problem: KeyProblem) -> Option<ApiError> {
    const INVALID: &str = "One or more parameter values were invalid.";
    Some(match problem {
        KeyProblem::WrongSearchType { expected, actual } => ApiError::validation(format!(
            "{INVALID} Attribute '{name}' type mismatch. Expected: {}, Actual: {}. IndexName: \
             {index}",
            expected.code(),
            actual.code()
        )),
        KeyProblem::TooLongToSearch(SearchRole::Partition) => ApiError::parameter(format!(
            "Aggregate size for HASH key attributes exceeds the maximum of \
             {PARTITION_KEY_BYTES_MAX} bytes"
        )),
        KeyProblem::TooLongToSearch(SearchRole::Filter) => ApiError::parameter(format!(
            "Size limit exceeded for SearchSchema attribute '{name}': maximum \
             {SEARCH_FILTER_BYTES_MAX} bytes"
        )),
        KeyProblem::Vector(VectorProblem::NotList) => ApiError::validation(format!(
            "{INVALID} Invalid type for parameter {name}, Expected: 32-bit floating point number \
             list IndexName: {index}"
        )),
        KeyProblem::Vector(VectorProblem::Dimensions { expected, actual }) => {
            ApiError::validation(format!(
                "{INVALID} Invalid size for parameter {name}, Expected: {expected}, Actual: \
                 {actual} IndexName: {index}"
            ))
        }
        KeyProblem::Vector(VectorProblem::NotNumber { position, actual }) => {
            ApiError::validation(format!(
                "{INVALID} Invalid type for parameter {name}[{position}], Expected: 32-bit \
                 floating point number, Actual: {}. IndexName: {index}",
                actual.code()
            ))
        }
        KeyProblem::Vector(VectorProblem::OutOfRange { position, value }) => {
            ApiError::validation(format!(
                "{INVALID} Invalid value for parameter {name}[{position}], Value: {} is outside \
                 valid range [-3.4028235E38, 3.4028235E38]. IndexName: {index}",
                scientific(&value)
            ))
        }
        _ => return None,
    })
}

/// A number that is larger than those of 32 bits, as the service prints it: `1.3E+40`.
fn scientific(number: &Number) -> String {
    let near: f64 = number.to_string().parse().unwrap_or_default();
    format!("{near:E}").replace('E', "E+")
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
        problem if is_of_search(problem) => of_item(error),
        KeyProblem::WrongType { .. } => ApiError::validation(
            "The update expression attempted to update the secondary index key to unsupported type",
        ),
        KeyProblem::Empty(kind) => ApiError::validation(format!(
            "One or more parameter values are not valid. The update expression attempted to update \
             a secondary index key to a value that is not supported. The AttributeValue for a key \
             attribute cannot contain an empty {} value.",
            kind_name(kind)
        )),
        _ => of_lookup(error),
    }
}

/// Whether something is wrong with what a vector index reads, which is reported alike for every
/// write.
fn is_of_search(problem: KeyProblem) -> bool {
    matches!(
        problem,
        KeyProblem::Vector(_) | KeyProblem::WrongSearchType { .. } | KeyProblem::TooLongToSearch(_)
    )
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

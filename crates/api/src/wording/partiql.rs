//! Texts for PartiQL statements that are refused.
//!
//! Most were recorded on AWS by public test-suites in September and October 2026. What is wrong
//! with a condition or an update is reported in the words of expressions, without the name of a
//! parameter.

use std::collections::BTreeSet;

use monotable_expr::ResolveError;
use monotable_expr::partiql::{
    KeyedConditionError, PartiqlError, PartiqlErrorKind, PlanError, SyntaxError,
};
use monotable_item::Path;
use monotable_protocol::ValueError;

use super::value::{self, ValueLayer, number_range};
use super::{expression, hash_order};
use crate::error::ApiError;

/// Words what is wrong with a statement.
pub(crate) fn word(error: &PartiqlError) -> ApiError {
    let place = error.place();
    let text = match error.kind() {
        PartiqlErrorKind::Length { .. }
        | PartiqlErrorKind::Unreadable
        | PartiqlErrorKind::TooDeep => not_well_formed(""),
        PartiqlErrorKind::Syntax(error) => not_well_formed(&syntax(*error)),
        PartiqlErrorKind::Alias => "Aliasing is not supported".to_owned(),
        PartiqlErrorKind::UnsupportedClause { clause } => {
            format!("Unsupported clause: {clause} at {place}")
        }
        PartiqlErrorKind::UnsupportedOperator { operator, in_update } => {
            let clause = if *in_update { "Update" } else { "Condition" };
            format!("Unsupported operator in {clause} Expression. Operator: {operator} at {place}")
        }
        PartiqlErrorKind::EmptySource => "Path component cannot be an empty string".to_owned(),
        PartiqlErrorKind::SourceTooLong => {
            "A path may contain at most 2 components in the FROM clause".to_owned()
        }
        PartiqlErrorKind::IndexNotWritable => {
            "This operation is not supported on an index".to_owned()
        }
        PartiqlErrorKind::IndexNotInsertable => {
            "FROM clause may only contain a single table name".to_owned()
        }
        PartiqlErrorKind::ColumnNotPath => format!("Unexpected path component at {place}"),
        PartiqlErrorKind::ColumnsBesideStar => {
            "Other attributes should not be present in the projection when '*' is used.".to_owned()
        }
        PartiqlErrorKind::RepeatedColumn { name } => {
            format!("Duplicate identifiers in select clause: {name} at {place}")
        }
        PartiqlErrorKind::IndexOutOfRange { index } => {
            format!("List index is not within the allowable range; index: [{index}] at {place}")
        }
        PartiqlErrorKind::UnknownFunction { name } => {
            format!("Unrecognized function: {name} at {place}")
        }
        PartiqlErrorKind::SetArgumentCount { function } => {
            format!("{function} must have exactly two arguments at {place}")
        }
        PartiqlErrorKind::SetTarget { function } => {
            format!("The first argument to {function} must equal the assignment value at {place}")
        }
        PartiqlErrorKind::SetOperand { function, .. } => {
            format!("The second argument to {function} must be a value with type SET at {place}")
        }
        PartiqlErrorKind::ForeignType { name } => format!(
            "Unsupported data type for IS operator: {name}. Supported data types are [MISSING, \
             NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at {place}"
        ),
        PartiqlErrorKind::Returning { returning } => format!(
            "Invalid returning clause: RETURNING {returning}. Only RETURNING ALL OLD * is allowed \
             in DELETE statements."
        ),
        PartiqlErrorKind::ReturningInsert => "RETURNING is not supported in INSERT".to_owned(),
        PartiqlErrorKind::OrderWithoutCondition => {
            "Must have WHERE clause in the statement when using ORDER BY clause.".to_owned()
        }
        PartiqlErrorKind::TooManyOperators { count } => {
            format!("The expression contains too many operators; operator count: {count}")
        }
        PartiqlErrorKind::ParameterCount { .. } => {
            "Number of parameters in request and statement don't match.".to_owned()
        }
        PartiqlErrorKind::Expression(error) => resolve(error),
        literal => word_literal(literal, error),
    };
    ApiError::validation(text)
}

/// Words what is wrong with a literal.
fn word_literal(kind: &PartiqlErrorKind, error: &PartiqlError) -> String {
    let place = error.place();
    match kind {
        PartiqlErrorKind::NotAValue { what, path } => {
            format!("Unsupported data type: {what} under key {path} at {place}")
        }
        PartiqlErrorKind::Number { error, path } => {
            format!("{} under {path}", number_range(*error))
        }
        PartiqlErrorKind::NestedTooDeep { path } => {
            format!("Nesting Levels have exceeded supported limits under {path}")
        }
        PartiqlErrorKind::EmptySet => "Empty bags are not supported".to_owned(),
        PartiqlErrorKind::SetMembers => {
            "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"
                .to_owned()
        }
        PartiqlErrorKind::RepeatedStrings { members } => format!(
            "One or more parameter values were invalid: Input collection [{}] contains duplicates.",
            members.join(", ")
        ),
        PartiqlErrorKind::RepeatedNumbers { members, path } => format!(
            "One or more parameter values were invalid: Input collection [{}] contains duplicates! \
             under {path}",
            members.join(", ")
        ),
        PartiqlErrorKind::RepeatedMember { name, path } => {
            format!("Duplicate keys in tuple. Key: {name} under {path}")
        }
        other => other.to_string(),
    }
}

fn not_well_formed(detail: &str) -> String {
    format!("Statement wasn't well formed, can't be processed: {detail}")
}

fn syntax(error: SyntaxError) -> String {
    match error {
        SyntaxError::ExpectedStatement => "Expected data manipulation".to_owned(),
        SyntaxError::LeftoverToken => "Unexpected token after expression".to_owned(),
        SyntaxError::UnexpectedTerm => "Unexpected term".to_owned(),
        SyntaxError::UnexpectedKeyword => "Unexpected keyword".to_owned(),
        SyntaxError::UnexpectedOperator => "Unexpected operator".to_owned(),
        SyntaxError::MissingOperand => {
            "Missing right-hand side expression of infix operator".to_owned()
        }
        SyntaxError::ExpectedType => "Expected type name".to_owned(),
        SyntaxError::ExpectedTable => "Expected identifier for simple path".to_owned(),
        SyntaxError::PathComponent => "Invalid path dot component".to_owned(),
        SyntaxError::Expected(token) => format!("Expected {token}"),
    }
}

/// Words what is wrong with a condition or update. The types are listed in another order than in
/// expressions.
fn resolve(error: &ResolveError) -> String {
    match error {
        ResolveError::UnknownType { name } => format!(
            "Invalid attribute type name found; type: {name}, valid types: \
             {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}"
        ),
        other => expression::resolve_text(other),
    }
}

/// Words what is wrong with a parameter. Numbers are read in 32 bits of exponent, and those beyond
/// are no numbers.
pub(crate) fn parameter(error: &ValueError) -> ApiError {
    match error {
        ValueError::Number { text, .. } if !has_small_exponent(text) => ApiError::validation(
            format!("The parameter cannot be converted to a numeric value: {text}"),
        ),
        other => value::word(other, ValueLayer::Older),
    }
}

fn has_small_exponent(number: &str) -> bool {
    let exponent = number.split_once(['e', 'E']).map(|(_, exponent)| exponent);
    exponent.is_none_or(|exponent| exponent.parse::<i32>().is_ok_and(|it| it > i32::MIN))
}

/// Words why the keys of a condition cannot be read.
pub(crate) fn plan(error: PlanError) -> ApiError {
    ApiError::validation(match error {
        PlanError::TooManyReads => "Too many decomposed read operations for a given query.",
        PlanError::Overlapping => {
            "Overlapping conditions with range keys are not supported in where clause"
        }
    })
}

/// Words why a write is not about one item.
pub(crate) fn not_keyed(error: &KeyedConditionError) -> ApiError {
    ApiError::validation(match error {
        KeyedConditionError::Incomplete => {
            "Where clause does not contain a mandatory equality on all key attributes".to_owned()
        }
        KeyedConditionError::SeveralValues { attribute } => format!(
            "Multiple conditions on same key {attribute}. Only single item Update/Insert/Delete \
             are supported"
        ),
    })
}

/// A key attribute is compared with, or given, a value of another type.
pub(crate) fn wrong_key_type(name: &str) -> ApiError {
    ApiError::validation(format!(
        "Key attribute's data type should match its data type in table's schema: Key {name}"
    ))
}

/// An item lacks a key attribute.
pub(crate) fn missing_key(name: &str) -> ApiError {
    ApiError::validation(format!("Key attribute should be present in the item: Key {name}"))
}

/// The name of the table cannot be one.
pub(crate) fn invalid_table_name() -> ApiError {
    ApiError::validation(
        "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', \
         '-', '_', '.'.",
    )
}

/// The table has no such index.
pub(crate) fn index_not_found() -> ApiError {
    ApiError::validation("The table does not have the specified index")
}

/// The key of the index has several attributes of one role.
pub(crate) fn several_key_attributes() -> ApiError {
    ApiError::validation(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or \
         multi-attribute RANGE keys.",
    )
}

/// A global index is to be read consistently.
pub(crate) fn consistent_read_of_global_index() -> ApiError {
    ApiError::validation("Strongly consistent read is not supported on Global Secondary Indexes")
}

/// A condition asks for what the index does not hold.
pub(crate) fn filter_not_projected(index: &str, mut names: Vec<&str>) -> ApiError {
    // Names that fall into one slot are listed in the order in which they came.
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    hash_order::sort(&mut names);
    ApiError::parameter(format!(
        "Secondary index {index} does not project one or more filter attributes: [{}]",
        names.join(", ")
    ))
}

/// `ORDER BY` names something else than a key.
pub(crate) fn order_by_other(path: &Path) -> ApiError {
    ApiError::validation(format!(
        "Attribute {path} in ORDER BY clause must be part of the primary key"
    ))
}

/// `ORDER BY` in a scan.
pub(crate) fn order_without_partition() -> ApiError {
    ApiError::validation(
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER \
         BY clause.",
    )
}

/// `ORDER BY` over partitions, without the partition key.
pub(crate) fn order_without_partition_key() -> ApiError {
    ApiError::validation(
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in \
         WHERE clause.",
    )
}

/// The update would leave the item too deep.
pub(crate) fn item_too_deep() -> ApiError {
    ApiError::validation("Nesting Levels have exceeded supported limits")
}

/// The token is none.
pub(crate) fn invalid_token() -> ApiError {
    ApiError::validation("Invalid NextToken")
}

/// The token belongs to another statement.
pub(crate) fn foreign_token() -> ApiError {
    ApiError::validation("NextToken does not match request")
}

/// `EXISTS` outside of a transaction.
pub(crate) fn exists_outside_transaction() -> ApiError {
    ApiError::validation("EXISTS can only be used in ExecuteTransaction write requests.")
}

/// `EXISTS` that asks for no item, or for nothing but an item.
pub(crate) fn exists_without_condition() -> ApiError {
    ApiError::validation("EXISTS() must contain a single item read with additional condition")
}

/// `RETURNING` in a transaction.
pub(crate) fn returning_in_transaction() -> ApiError {
    ApiError::validation("RETURNING clause is not supported in ExecuteTransaction.")
}

/// A read of an index in a transaction.
pub(crate) fn index_in_transaction() -> ApiError {
    ApiError::validation("Reads on indices are not supported within transactions.")
}

/// A `SELECT` that is not a lookup, where only lookups are allowed.
pub(crate) fn select_without_key(operation: &str) -> ApiError {
    ApiError::validation(format!(
        "Select statements within {operation} must specify the primary key in the where clause."
    ))
}

/// Reads and writes in one request.
pub(crate) fn reads_and_writes(operation: &str) -> ApiError {
    ApiError::validation(format!(
        "{operation} API does not support both read and write operations in the same request."
    ))
}

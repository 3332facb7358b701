//! Texts for expressions that are refused.

use monotable_expr::{KeyConditionError, ParseError, ResolveError, UpdateError};
use monotable_item::{NumberError, Path, Step, Type, Value};

use super::value::number_range;
use crate::error::ApiError;

/// The kinds of expressions, by the names of their parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Condition,
    Filter,
    KeyCondition,
    Projection,
    SearchCondition,
    Update,
}

impl Kind {
    /// The name of the parameter.
    pub(crate) fn parameter(self) -> &'static str {
        match self {
            Kind::Condition => "ConditionExpression",
            Kind::Filter => "FilterExpression",
            Kind::KeyCondition => "KeyConditionExpression",
            Kind::Projection => "ProjectionExpression",
            Kind::SearchCondition => "SearchConditionExpression",
            Kind::Update => "UpdateExpression",
        }
    }

    fn refuse(self, text: &str) -> ApiError {
        ApiError::validation(format!("Invalid {}: {text}", self.parameter()))
    }
}

/// Every type that an operand given by a path might have, in the service's words.
const ANY_TYPE: &str = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S,HD,DOUBLE,FLOAT,HDS,FS,DOUBLESET,DICT,\
                        DECIMAL,INT,DECIMALSET,INTSET}";

/// Words why a text is not an expression.
pub(crate) fn parse(kind: Kind, error: &ParseError) -> ApiError {
    let text = match error {
        ParseError::TooLong { .. } if kind == Kind::Update => {
            "Expression size has exceeded the maximum allowed size;".to_owned()
        }
        ParseError::TooLong { size_bytes } => format!(
            "Expression size has exceeded the maximum allowed size; expression size: {size_bytes}"
        ),
        ParseError::Empty => "The expression can not be empty;".to_owned(),
        ParseError::Syntax { token, near } => {
            let token = token.as_deref().unwrap_or("<EOF>");
            format!("Syntax error; token: \"{token}\", near: \"{near}\"")
        }
        ParseError::RedundantParentheses => "The expression has redundant parentheses;".to_owned(),
        ParseError::UnknownFunction { function } => {
            format!("Invalid function name; function: {function}")
        }
        ParseError::ForeignFunction { function } => {
            let place = if kind == Kind::Update { "an update" } else { "a condition" };
            format!("The function is not allowed in {place} expression; function: {function}")
        }
        ParseError::MisplacedFunction { function } => format!(
            "The function is not allowed to be used this way in an expression; function: {function}"
        ),
        ParseError::ReservedWord { word } => {
            format!("Attribute name is a reserved keyword; reserved keyword: {word}")
        }
        ParseError::IndexOutOfRange { index } => {
            format!("List index is not within the allowable range; index: [{index}]")
        }
        ParseError::RepeatedSection { section } => {
            format!("The \"{section}\" section can only be used once in an update expression;")
        }
        ParseError::TooManyOperators { count } => {
            format!("The expression contains too many operators; operator count: {count}")
        }
        other => other.to_string(),
    };
    kind.refuse(&text)
}

/// Words why an expression does not fit its names and values.
pub(crate) fn resolve(kind: Kind, error: &ResolveError) -> ApiError {
    kind.refuse(&resolve_text(error))
}

/// The text for it, without the name of a parameter.
pub(crate) fn resolve_text(error: &ResolveError) -> String {
    match error {
        ResolveError::UndefinedName { name } => format!(
            "An expression attribute name used in the document path is not defined; attribute \
             name: {name}"
        ),
        ResolveError::UndefinedValue { value } => format!(
            "An expression attribute value used in expression is not defined; attribute value: \
             {value}"
        ),
        ResolveError::PathTooDeep { levels } => {
            format!("The document path has too many nesting levels; nesting levels: {levels}")
        }
        ResolveError::OperandCount { function, count } => format!(
            "Incorrect number of operands for operator or function; operator or function: \
             {function}, number of operands: {count}"
        ),
        ResolveError::OperandType { operation, operand } => format!(
            "Incorrect operand type for operator or function; operator or function: {operation}, \
             operand type: {}",
            operand.map_or(ANY_TYPE, Type::code)
        ),
        ResolveError::SectionOperandType { section, operand } => format!(
            "Incorrect operand type for operator or function; operator: {section}, operand type: \
             {}, typeSet: ALLOWED_FOR_{section}_OPERAND",
            long_name(*operand)
        ),
        ResolveError::PathRequired { function } => format!(
            "Operator or function requires a document path; operator or function: {function}"
        ),
        ResolveError::RepeatedOperand { operation, path } => format!(
            "The first operand must be distinct from the remaining operands for this operator or \
             function; operator: {operation}, first operand: {}",
            path_list(path)
        ),
        ResolveError::UnknownType { name } => format!(
            "Invalid attribute type name found; type: {name}, valid types: \
             {{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}"
        ),
        ResolveError::BoundTypes { lower, upper } => {
            bounds("same data type for lower and upper bounds", lower, upper)
        }
        ResolveError::BoundOrder { lower, upper } => {
            bounds("upper bound to be greater than or equal to lower bound", lower, upper)
        }
        ResolveError::TooManyCandidates { count } => format!(
            "The IN operator is provided with too many operands; number of operands: {count}"
        ),
        ResolveError::OverlappingPaths { first, second } => two_paths("overlap", first, second),
        ResolveError::ConflictingPaths { first, second } => two_paths("conflict", first, second),
        other => other.to_string(),
    }
}

/// Words why a condition cannot select keys.
pub(crate) fn key_condition(error: KeyConditionError) -> ApiError {
    ApiError::validation(match error {
        KeyConditionError::Operation { operation } => {
            format!("Invalid operator used in KeyConditionExpression: {operation}")
        }
        KeyConditionError::NestedOperation => {
            "KeyConditionExpressions cannot contain nested operations".to_owned()
        }
        KeyConditionError::KeyNotFirst { operation } => format!(
            "Invalid condition in KeyConditionExpression: {operation} operator must have the key \
             attribute as its first operand"
        ),
        KeyConditionError::SeveralAttributes => {
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one \
             condition"
                .to_owned()
        }
        KeyConditionError::NestedAttribute => {
            "KeyConditionExpressions cannot have conditions on nested attributes".to_owned()
        }
        KeyConditionError::NoAttribute => {
            "Invalid condition in KeyConditionExpression: No key attribute specified".to_owned()
        }
        KeyConditionError::RepeatedAttribute => {
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one \
             condition per key"
                .to_owned()
        }
        other => other.to_string(),
    })
}

/// Words why an update cannot be applied to the item.
pub(crate) fn update(error: &UpdateError) -> ApiError {
    ApiError::validation(match error {
        UpdateError::InvalidPath { .. } => {
            "The document path provided in the update expression is invalid for update"
        }
        UpdateError::MissingOperand { .. } => {
            "The provided expression refers to an attribute that does not exist in the item"
        }
        UpdateError::OperandType => {
            "An operand in the update expression has an incorrect data type"
        }
        UpdateError::AttributeType => "Type mismatch for attribute to update",
        // A sum of more than 38 digits is answered as if it were too large.
        UpdateError::Number(NumberError::Underflow) => number_range(NumberError::Underflow),
        UpdateError::Number(_) => number_range(NumberError::Overflow),
        _ => "The document path provided in the update expression is invalid for update",
    })
}

fn bounds(requirement: &str, lower: &Value, upper: &Value) -> String {
    format!(
        "The BETWEEN operator requires {requirement}; lower bound operand: AttributeValue: {}, \
         upper bound operand: AttributeValue: {}",
        typed(lower),
        typed(upper)
    )
}

/// A value as the service prints it: `{S:abc}`.
fn typed(value: &Value) -> String {
    let content = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Null => "true".to_owned(),
        Value::Binary(bytes) => bytes.escape_ascii().to_string(),
        Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => "…".to_owned(),
    };
    format!("{{{}:{content}}}", value.kind().code())
}

fn two_paths(relation: &str, first: &Path, second: &Path) -> String {
    format!(
        "Two document paths {relation} with each other; must remove or rewrite one of these paths; \
         path one: {}, path two: {}",
        path_list(first),
        path_list(second)
    )
}

/// A path as the service prints it: `[a, [0], b]`.
fn path_list(path: &Path) -> String {
    let step = |step: &Step| match step {
        Step::Member(name) => name.clone(),
        Step::Index(index) => format!("[{index}]"),
    };
    let steps: Vec<String> =
        std::iter::once(path.root.clone()).chain(path.steps.iter().map(step)).collect();
    format!("[{}]", steps.join(", "))
}

fn long_name(kind: Type) -> &'static str {
    match kind {
        Type::String => "STRING",
        Type::Number => "NUMBER",
        Type::Binary => "BINARY",
        Type::Bool => "BOOLEAN",
        Type::Null => "NULL",
        Type::List => "LIST",
        Type::Map => "MAP",
        Type::StringSet => "STRING_SET",
        Type::NumberSet => "NUMBER_SET",
        Type::BinarySet => "BINARY_SET",
    }
}

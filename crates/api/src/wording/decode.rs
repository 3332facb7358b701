//! Texts for bodies that are not of an operation's shape.

use monotable_protocol::{Base64Error, DecodeError, Found, TextPosition, ValueRole, WireType};

use crate::error::ApiError;

/// What DynamoDB answers where a list or a map that is itself an element has another type.
const PARAMETERIZED: &str = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl \
    cannot be cast to class java.lang.Class (sun.reflect.generics.reflectiveObjects.\
    ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')";

const STRUCTURE_NOT_EXPECTED: &str = "Start of structure or map found where not expected";

/// Words a decoding error.
pub(crate) fn word(error: DecodeError) -> ApiError {
    let message = match error {
        DecodeError::Malformed { .. } | DecodeError::TooDeep => None,
        DecodeError::Mismatch { role: ValueRole::Root, .. } => None,
        DecodeError::Mismatch { expected, found, role } => Some(mismatch(expected, found, role)),
        DecodeError::Base64(error) => Some(base64(error)),
        DecodeError::UnexpectedNull { expected, position } => {
            let (expected, TextPosition { line, column }) = (strict_name(expected), position);
            Some(format!("invalid type: null, expected {expected} at line {line} column {column}"))
        }
    };
    ApiError::serialization(message)
}

/// The type as the service says it where it reads strictly.
fn strict_name(expected: WireType) -> &'static str {
    match expected {
        WireType::Integer => "i32",
        WireType::List(_) => "a sequence",
        WireType::Map(_) | WireType::Structure(_) => "a map",
        WireType::Long => "i64",
        WireType::Double | WireType::Timestamp => "f64",
        WireType::Boolean => "a boolean",
        WireType::String | WireType::Blob => "a string",
    }
}

fn mismatch(expected: WireType, found: Found, role: ValueRole) -> String {
    match (expected, found) {
        (WireType::Structure(_) | WireType::Map(_), Found::Array) => {
            format!("Unrecognized collection type {}", java_type(expected))
        }
        (WireType::Structure(_), _) if role == ValueRole::Element => {
            "Unexpected value type in payload".to_owned()
        }
        (WireType::List(_), Found::Object) => STRUCTURE_NOT_EXPECTED.to_owned(),
        (WireType::List(_) | WireType::Map(_), _) if role == ValueRole::Element => {
            PARAMETERIZED.to_owned()
        }
        (WireType::List(_) | WireType::Map(_) | WireType::Structure(_), _) => {
            "Unexpected field type".to_owned()
        }
        (_, Found::Object) => STRUCTURE_NOT_EXPECTED.to_owned(),
        (_, Found::Array) => format!("Unrecognized collection type {}", java_type(expected)),
        (WireType::Blob, _) => "only base-64-encoded strings are convertible to bytes".to_owned(),
        (WireType::Boolean, Found::String) => "Unexpected token received from parser".to_owned(),
        (_, found) => format!("{} cannot be converted to {}", token(found), simple_name(expected)),
    }
}

fn token(found: Found) -> &'static str {
    match found {
        Found::String => "STRING_VALUE",
        Found::Integer => "NUMBER_VALUE",
        Found::Decimal => "DECIMAL_VALUE",
        Found::True => "TRUE_VALUE",
        Found::False => "FALSE_VALUE",
        Found::Null => "NULL_VALUE",
        Found::Array => "START_ARRAY",
        Found::Object => "START_OBJECT",
    }
}

fn simple_name(kind: WireType) -> &'static str {
    match kind {
        WireType::String => "String",
        WireType::Boolean => "Boolean",
        WireType::Integer => "Integer",
        WireType::Long => "Long",
        WireType::Double => "Double",
        WireType::Timestamp => "Date",
        WireType::Blob => "ByteBuffer",
        WireType::List(_) => "List",
        WireType::Map(_) => "Map",
        WireType::Structure(name) => name,
    }
}

/// The type as the service prints it: a class, or a generic type with its arguments.
fn java_type(kind: WireType) -> String {
    match kind {
        WireType::List(_) | WireType::Map(_) => java_name(kind),
        _ => format!("class {}", java_name(kind)),
    }
}

fn java_name(kind: WireType) -> String {
    match kind {
        WireType::List(element) => format!("java.util.List<{}>", java_name(*element)),
        WireType::Map(value) => format!("java.util.Map<java.lang.String, {}>", java_name(*value)),
        WireType::Structure(name) => format!("com.amazonaws.dynamodb.v20120810.{name}"),
        WireType::Blob => "java.nio.ByteBuffer".to_owned(),
        WireType::Timestamp => "java.util.Date".to_owned(),
        scalar => format!("java.lang.{}", simple_name(scalar)),
    }
}

fn base64(error: Base64Error) -> String {
    match error {
        Base64Error::Length(length) => {
            format!("Base64 encoded length is expected a multiple of 4 bytes but found: {length}")
        }
        Base64Error::Character(character) => format!("Invalid Base64 character: '{character}'"),
        // The service's own spelling.
        Base64Error::LastCharacter => "Invalid last non-pad Base64 character dectected".to_owned(),
    }
}

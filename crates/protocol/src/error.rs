//! What can be wrong with the shape of a request body.
//!
//! DynamoDB names the type it expected and the token it found, and words the same mistake
//! differently by where the value stands. [`DecodeError::Mismatch`] holds those three facts;
//! wording them is the caller's part.

use thiserror::Error;

/// Why a body is not a request of the expected shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// The body is not JSON, or not UTF-8.
    #[error("malformed JSON at byte {offset}")]
    Malformed {
        /// Where the first byte is that cannot be.
        offset: usize,
    },
    /// Objects and arrays lie deeper in each other than [`DEPTH_MAX`](crate::json::DEPTH_MAX).
    #[error("JSON nested too deeply")]
    TooDeep,
    /// A value has another type than its member.
    #[error("expected {expected:?}, found {found:?} as {role:?}")]
    Mismatch {
        /// The type of the member.
        expected: WireType,
        /// What stands there instead.
        found: Found,
        /// Where it stands.
        role: ValueRole,
    },
    /// A member is `null` that an operation needs, and reads strictly.
    #[error("expected {expected:?}, found null at {position:?}")]
    UnexpectedNull {
        /// The type of the member.
        expected: WireType,
        /// Where the `null` ends.
        position: TextPosition,
    },
    /// A binary value is not base64.
    #[error(transparent)]
    Base64(#[from] Base64Error),
}

/// A place in the text of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPosition {
    /// The line, from 1.
    pub line: usize,
    /// How many bytes of the line lie before it.
    pub column: usize,
}

/// The type of a member in DynamoDB's service model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireType {
    /// Text.
    String,
    /// `true` or `false`.
    Boolean,
    /// A 32-bit integer.
    Integer,
    /// A 64-bit integer.
    Long,
    /// A floating-point number.
    Double,
    /// A point in time, as a number of seconds.
    Timestamp,
    /// Bytes, as base64 text.
    Blob,
    /// Elements of one type, in order.
    List(&'static WireType),
    /// Values of one type, by name.
    Map(&'static WireType),
    /// Named members: the name of the shape in the service model, such as `KeySchemaElement`.
    Structure(&'static str),
}

/// The token that stands where another type was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A string.
    String,
    /// A number without fraction and exponent.
    Integer,
    /// A number with a fraction or an exponent.
    Decimal,
    /// `true`.
    True,
    /// `false`.
    False,
    /// `null` where a value is needed: as an element of a list or a value of a map. As a member of
    /// a structure it only means that the member is absent.
    Null,
    /// The start of an array.
    Array,
    /// The start of an object.
    Object,
}

/// Where a value stands in the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueRole {
    /// The body itself.
    Root,
    /// A member of a structure.
    Member,
    /// An element of a list or a value of a map.
    Element,
}

/// Why a text is not base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Base64Error {
    /// The length in bytes is not a multiple of four.
    #[error("base64 of {0} bytes, not a multiple of 4")]
    Length(usize),
    /// A character outside the alphabet, or padding before the end.
    #[error("{0:?} is not a base64 character")]
    Character(char),
    /// The last character before the padding has bits that no byte takes up.
    #[error("the last base64 character has stray bits")]
    LastCharacter,
}

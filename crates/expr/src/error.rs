//! What can be wrong with an expression.
//!
//! The variants say what and where as data; the wording that clients see is the API's. Three enums
//! follow the three stages: the text alone ([`ParseError`]), the text with its placeholders
//! ([`ResolveError`], [`KeyConditionError`]), and an update meeting an item ([`UpdateError`],
//! [`EvaluationError`]).

use monotable_item::stored::CorruptItem;
use monotable_item::{NumberError, Path, Type, Value};
use thiserror::Error;

use crate::operation::{Function, Operation, Section};

/// Why a text is not an expression.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The text is longer than an expression may be.
    #[error("expression of {size_bytes} bytes is too long")]
    TooLong {
        /// The length of the text.
        size_bytes: usize,
    },
    /// The text is empty.
    #[error("expression is empty")]
    Empty,
    /// A token stands where it cannot.
    #[error("unexpected {} near {near:?}", token.as_deref().unwrap_or("end of text"))]
    Syntax {
        /// The token, or nothing at the end of the text.
        token: Option<String>,
        /// The text from the token before it to the token after it.
        near: String,
    },
    /// Parentheses directly inside parentheses.
    #[error("redundant parentheses")]
    RedundantParentheses,
    /// A call of a function that does not exist.
    #[error("no function is called {function}")]
    UnknownFunction {
        /// The name as written.
        function: String,
    },
    /// A call of an update's function in a condition, or the other way round.
    #[error("function {function} belongs to another kind of expression")]
    ForeignFunction {
        /// The function.
        function: Function,
    },
    /// A function where its result cannot be used, such as `size(a)` as a whole condition.
    #[error("function {function} is misplaced")]
    MisplacedFunction {
        /// The function.
        function: Function,
    },
    /// A bare attribute name that is a reserved word.
    #[error("attribute name {word} is reserved")]
    ReservedWord {
        /// The name as written.
        word: String,
    },
    /// A list index above the largest that is allowed.
    #[error("list index {index} is out of range")]
    IndexOutOfRange {
        /// The index as written.
        index: String,
    },
    /// A section of an update given twice.
    #[error("section {section} is repeated")]
    RepeatedSection {
        /// The section.
        section: Section,
    },
    /// More operators and functions than an expression may hold.
    #[error("expression has {count} operators or more")]
    TooManyOperators {
        /// Where counting stopped: one more than is allowed.
        count: usize,
    },
}

/// Why an expression does not fit the names and values that came with it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// A `#name` that is not defined.
    #[error("name {name} is not defined")]
    UndefinedName {
        /// The placeholder with its `#`.
        name: String,
    },
    /// A `:value` that is not defined.
    #[error("value {value} is not defined")]
    UndefinedValue {
        /// The placeholder with its `:`.
        value: String,
    },
    /// A document path with too many elements.
    #[error("document path has {levels} levels")]
    PathTooDeep {
        /// How many elements the path has, its attribute included.
        levels: usize,
    },
    /// A function with the wrong number of operands.
    #[error("function {function} does not take {count} operands")]
    OperandCount {
        /// The function.
        function: Function,
        /// How many operands it was given.
        count: usize,
    },
    /// An operand of a type that the operation never accepts.
    #[error("operation {operation} does not take this operand")]
    OperandType {
        /// The operator or function.
        operation: Operation,
        /// The operand's type; nothing if it is a path, which might be of any type.
        operand: Option<Type>,
    },
    /// A value of a type that `ADD` or `DELETE` never accepts.
    #[error("section {section} does not take an operand of type {}", operand.code())]
    SectionOperandType {
        /// `ADD` or `DELETE`.
        section: Section,
        /// The type of the value.
        operand: Type,
    },
    /// A function that needs a document path was given something else.
    #[error("function {function} needs a document path")]
    PathRequired {
        /// The function.
        function: Function,
    },
    /// An operation whose first operand is also among the others.
    #[error("operand {path} of {operation} is repeated")]
    RepeatedOperand {
        /// The operator or function.
        operation: Operation,
        /// The path that is repeated.
        path: Path,
    },
    /// The second operand of `attribute_type` is not the name of a type.
    #[error("no type is called {name}")]
    UnknownType {
        /// The text of the operand.
        name: String,
    },
    /// The bounds of `BETWEEN` are of different types.
    #[error("bounds are of different types")]
    BoundTypes {
        /// The lower bound.
        lower: Value,
        /// The upper bound.
        upper: Value,
    },
    /// The bounds of `BETWEEN` are in the wrong order.
    #[error("lower bound is above the upper bound")]
    BoundOrder {
        /// The lower bound.
        lower: Value,
        /// The upper bound.
        upper: Value,
    },
    /// `IN` with too many candidates.
    #[error("IN has {count} candidates")]
    TooManyCandidates {
        /// How many candidates were given.
        count: usize,
    },
    /// Two paths of one projection or update, one of which is or contains the other.
    #[error("paths {first} and {second} overlap")]
    OverlappingPaths {
        /// The path that comes first in the text.
        first: Path,
        /// The path that comes second.
        second: Path,
    },
    /// Two paths that treat one element as a map and as a list.
    #[error("paths {first} and {second} conflict")]
    ConflictingPaths {
        /// The path that comes first in the text.
        first: Path,
        /// The path that comes second.
        second: Path,
    },
}

/// Why a condition cannot select a range of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyConditionError {
    /// An operator or function that key conditions do not have.
    #[error("operation {operation} is not for keys")]
    Operation {
        /// The operator or function.
        operation: Operation,
    },
    /// A function as an operand.
    #[error("an operand is a function")]
    NestedOperation,
    /// `BETWEEN` or `begins_with` whose first operand is not the key.
    #[error("first operand of {operation} is not a key")]
    KeyNotFirst {
        /// The operator or function.
        operation: Operation,
    },
    /// One condition on two attributes.
    #[error("a condition names several attributes")]
    SeveralAttributes,
    /// A condition on a part of an attribute.
    #[error("a condition is on a nested attribute")]
    NestedAttribute,
    /// A condition on no attribute.
    #[error("a condition names no attribute")]
    NoAttribute,
    /// Two conditions on one attribute.
    #[error("an attribute has two conditions")]
    RepeatedAttribute,
}

/// Why an update cannot be applied to an item.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// The parent of a target is missing, or is not a map or list as the path says.
    #[error("path {path} has no place in the item")]
    InvalidPath {
        /// The target.
        path: Path,
    },
    /// An operand's path leads to nothing.
    #[error("operand {path} is not in the item")]
    MissingOperand {
        /// The operand.
        path: Path,
    },
    /// A value in the item has a type that the operation does not accept.
    #[error("an operand has the wrong type")]
    OperandType,
    /// An attribute has another type than what a change of whole attributes adds or deletes.
    #[error("an attribute has the wrong type")]
    AttributeType,
    /// A sum or difference that cannot be stored.
    #[error(transparent)]
    Number(#[from] NumberError),
}

/// Why an update has no result for a stored item.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EvaluationError {
    /// The update cannot be applied to the item.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// The item cannot be read.
    #[error(transparent)]
    Corrupt(#[from] CorruptItem),
}

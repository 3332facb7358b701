//! What can be wrong with a statement, and where.

use std::fmt;

use monotable_item::{NumberError, Type};
use thiserror::Error;

use super::lexer::Span;
use crate::ResolveError;

/// Why a text is not an executable statement, and the token where that shows.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind} at {place}")]
pub struct PartiqlError {
    kind: PartiqlErrorKind,
    place: TokenPosition,
}

/// A place in the text of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenPosition {
    /// The bytes before it.
    pub offset: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    /// The length of the token there, in characters.
    pub length: usize,
}

/// What is wrong with a statement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PartiqlErrorKind {
    /// The text is too long or empty.
    #[error("statement of {length} characters is too long or empty")]
    Length {
        /// The characters of the text.
        length: usize,
    },
    /// A character that begins no token, or an unterminated quote or comment.
    #[error("unreadable text")]
    Unreadable,
    /// Parentheses, lists and the like are nested too deeply.
    #[error("statement is nested too deep")]
    TooDeep,
    /// The grammar does not allow the token.
    #[error(transparent)]
    Syntax(SyntaxError),
    /// An alias for a table or column.
    #[error("aliases are not supported")]
    Alias,
    /// A clause that DynamoDB does not support.
    #[error("clause {clause} is not supported")]
    UnsupportedClause {
        /// The keyword of the clause, in capitals.
        clause: String,
    },
    /// An operator that conditions or updates do not support.
    #[error("operator {operator} is not supported")]
    UnsupportedOperator {
        /// The operator as written, in capitals.
        operator: String,
        /// Whether it is in an update rather than a condition.
        in_update: bool,
    },
    /// The name of a table or index is empty.
    #[error("a name in FROM is empty")]
    EmptySource,
    /// More names in `FROM` than those of a table and an index.
    #[error("too many names in FROM")]
    SourceTooLong,
    /// An index as the target of a write.
    #[error("an index cannot be written")]
    IndexNotWritable,
    /// An index as the target of an `INSERT`.
    #[error("nothing can be inserted into an index")]
    IndexNotInsertable,
    /// A column that is not a path.
    #[error("a column is not a path")]
    ColumnNotPath,
    /// `*` beside other columns.
    #[error("other columns beside *")]
    ColumnsBesideStar,
    /// Two columns of the same name.
    #[error("column {name} is repeated")]
    RepeatedColumn {
        /// The name of the columns.
        name: String,
    },
    /// A list index that is negative or too large.
    #[error("list index {index} is out of range")]
    IndexOutOfRange {
        /// The index as written.
        index: String,
    },
    /// A call of a function that the clause does not support.
    #[error("no function is called {name} here")]
    UnknownFunction {
        /// The name in lower case.
        name: String,
    },
    /// A value that is not a literal, inside a literal or as an attribute of a new item.
    #[error("{what} cannot be a value at {path}")]
    NotAValue {
        /// What is there instead.
        what: String,
        /// Its path in the value, from `root` on.
        path: String,
    },
    /// A number that cannot be stored.
    #[error("{error} at {path}")]
    Number {
        /// Why not.
        error: NumberError,
        /// Its path in the value, from `root` on.
        path: String,
    },
    /// A value is nested too deeply.
    #[error("nesting is too deep at {path}")]
    NestedTooDeep {
        /// Its path in the value, from `root` on.
        path: String,
    },
    /// `<<>>`
    #[error("a set is empty")]
    EmptySet,
    /// A set of anything but numbers or strings, or of both.
    #[error("a set holds what sets cannot hold")]
    SetMembers,
    /// A set of strings with a repeated member.
    #[error("a set repeats a member")]
    RepeatedStrings {
        /// The members as written.
        members: Vec<String>,
    },
    /// A set of numbers with a repeated member.
    #[error("a set repeats a member at {path}")]
    RepeatedNumbers {
        /// The members as written.
        members: Vec<String>,
        /// The path of the set in the value, from `root` on.
        path: String,
    },
    /// A map or item with a repeated member.
    #[error("member {name} is repeated at {path}")]
    RepeatedMember {
        /// The member.
        name: String,
        /// The path of the map in the value, from `root` on.
        path: String,
    },
    /// `IS` with a type that no value has.
    #[error("type {name} is not one of DynamoDB's")]
    ForeignType {
        /// The type in capitals.
        name: String,
    },
    /// `set_add` or `set_delete` without exactly two arguments.
    #[error("{function} takes two arguments")]
    SetArgumentCount {
        /// The function.
        function: SetFunction,
    },
    /// `set_add` or `set_delete` of an attribute other than the one being set.
    #[error("{function} is not of what is set")]
    SetTarget {
        /// The function.
        function: SetFunction,
    },
    /// `set_add` or `set_delete` of something that is not a set.
    #[error("{function} takes a set")]
    SetOperand {
        /// The function.
        function: SetFunction,
        /// The type that it was given, if it is known.
        operand: Option<Type>,
    },
    /// `RETURNING` with what the statement cannot return.
    #[error("{returning} cannot be returned here")]
    Returning {
        /// What was to be returned.
        returning: Returning,
    },
    /// `RETURNING` in an `INSERT`.
    #[error("INSERT returns nothing")]
    ReturningInsert,
    /// `ORDER BY` without `WHERE`.
    #[error("ORDER BY needs WHERE")]
    OrderWithoutCondition,
    /// More operators than a condition may have.
    #[error("statement has {count} operators or more")]
    TooManyOperators {
        /// Where counting stopped.
        count: usize,
    },
    /// The number of values does not match the number of parameters.
    #[error("statement has {wanted} parameters and not {given}")]
    ParameterCount {
        /// The parameters of the statement.
        wanted: usize,
        /// The values supplied with it.
        given: usize,
    },
    /// An error that expressions have too.
    #[error(transparent)]
    Expression(ResolveError),
}

/// How a token violates the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SyntaxError {
    /// The text does not begin like a statement.
    #[error("expected a statement")]
    ExpectedStatement,
    /// There is more after the end of the statement.
    #[error("unexpected token after the statement")]
    LeftoverToken,
    /// Something other than a term where one is required.
    #[error("unexpected term")]
    UnexpectedTerm,
    /// A keyword where a term is required.
    #[error("unexpected keyword")]
    UnexpectedKeyword,
    /// An operator where a term is required.
    #[error("unexpected operator")]
    UnexpectedOperator,
    /// Nothing after an operator.
    #[error("an operator lacks its right side")]
    MissingOperand,
    /// Something other than a type after `IS`.
    #[error("expected the name of a type")]
    ExpectedType,
    /// Something other than the name of a table.
    #[error("expected the name of a table")]
    ExpectedTable,
    /// A keyword or something else as a component of a path.
    #[error("invalid path component")]
    PathComponent,
    /// Something other than a certain token.
    #[error("expected {0}")]
    Expected(ExpectedToken),
}

/// A token that the grammar requires, in the words of the reference implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ExpectedToken {
    /// A certain keyword.
    #[error("{0}")]
    Keyword(&'static str),
    /// `)`
    #[error("RIGHT_PAREN")]
    CloseParenthesis,
    /// `]`
    #[error("RIGHT_BRACKET")]
    CloseBracket,
    /// `}`
    #[error("RIGHT_CURLY")]
    CloseBrace,
    /// `>>`
    #[error("RIGHT_DOUBLE_ANGLE_BRACKET")]
    CloseBag,
    /// `:`
    #[error("COLON")]
    Colon,
    /// `=`
    #[error("EQ")]
    Equal,
    /// `*`
    #[error("STAR")]
    Star,
}

/// The functions that change sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetFunction {
    /// `set_add`
    Add,
    /// `set_delete`
    Delete,
}

/// What of an item a statement returns: `RETURNING ALL OLD *`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returning {
    /// `ALL OLD *`
    AllOld,
    /// `MODIFIED OLD *`
    ModifiedOld,
    /// `ALL NEW *`
    AllNew,
    /// `MODIFIED NEW *`
    ModifiedNew,
}

impl PartiqlError {
    pub(super) fn new(kind: PartiqlErrorKind, place: TokenPosition) -> PartiqlError {
        PartiqlError { kind, place }
    }

    /// What is wrong.
    pub fn kind(&self) -> &PartiqlErrorKind {
        &self.kind
    }

    /// Where it shows.
    pub fn place(&self) -> TokenPosition {
        self.place
    }
}

impl TokenPosition {
    /// The first place of every text.
    pub(super) const START: TokenPosition =
        TokenPosition { offset: 0, line: 1, column: 1, length: 0 };

    /// The place of some bytes of a text.
    pub(super) fn of(text: &str, span: Span) -> TokenPosition {
        let before = text.get(..span.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        TokenPosition {
            offset: span.start,
            line: 1 + before.matches('\n').count(),
            column: 1 + before.get(line_start..).unwrap_or_default().chars().count(),
            length: text.get(span.start..span.end).unwrap_or_default().chars().count(),
        }
    }
}

impl fmt::Display for TokenPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.line, self.column, self.length)
    }
}

impl fmt::Display for SetFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetFunction::Add => "SET_ADD",
            SetFunction::Delete => "SET_DELETE",
        })
    }
}

impl fmt::Display for Returning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Returning::AllOld => "ALL OLD *",
            Returning::ModifiedOld => "MODIFIED OLD *",
            Returning::AllNew => "ALL NEW *",
            Returning::ModifiedNew => "MODIFIED NEW *",
        })
    }
}

//! PartiQL, DynamoDB's SQL: statements that express the same as requests with expressions.
//!
//! A statement goes through three stages, as an expression does:
//!
//! 1. [`parse()`] reads the text alone, so that its result can be cached and shared by all requests
//!    with the same text. `lexer` finds the tokens, `parse` the grammar, and `lower` turns
//!    conditions and updates into the trees that expressions parse to.
//! 2. [`Statement::bind`] binds the parameters, through the [`Resolver`](crate::Resolver), and
//!    returns a [`Condition`](crate::Condition), an [`Update`](crate::Update) or an item.
//! 3. A [`KeyPlan`] says which keys the condition of a `SELECT` covers: whether it is a lookup,
//!    some queries, or a scan. A [`KeyedCondition`] is the condition of a write, which names one
//!    item.
//!
//! ```
//! use monotable_expr::partiql::{self, StatementKind};
//!
//! let statement = partiql::parse(r#"SELECT * FROM "Music" WHERE Artist = ? AND Year > 1990"#)?;
//! assert_eq!(statement.kind(), StatementKind::Select);
//! assert_eq!(statement.table(), "Music");
//! assert!(statement.pins("Artist") && !statement.pins("Year"));
//! # Ok::<(), partiql::PartiqlError>(())
//! ```

mod columns;
mod error;
mod keyed;
mod keyword;
mod lexer;
mod lower;
mod parse;
mod plan;
mod range;
mod statement;
mod syntax;

pub use columns::Columns;
pub use error::{
    ExpectedToken, PartiqlError, PartiqlErrorKind, Returning, SetFunction, SyntaxError,
    TokenPosition,
};
pub use keyed::{KeyedCondition, KeyedConditionError};
pub use plan::{KeyPlan, KeyRead, PlanError};
pub use range::SortRange;
pub use statement::{Bound, OrderKey, Statement, StatementKind};

use monotable_item::limits::STATEMENT_LENGTH_MAX;

/// Parses a statement.
pub fn parse(text: &str) -> Result<Statement, PartiqlError> {
    let length = text.chars().take(STATEMENT_LENGTH_MAX + 1).count();
    if length == 0 || length > STATEMENT_LENGTH_MAX {
        return Err(PartiqlError::new(PartiqlErrorKind::Length { length }, TokenPosition::START));
    }
    lower::lower(text, &parse::parse(text)?)
}

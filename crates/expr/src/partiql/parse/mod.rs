//! From text to syntax trees.
//!
//! This is a recursive descent over the tokens. Nesting depth and operators are counted, so that
//! neither the parser nor what walks the trees afterwards can exhaust the stack.

mod cursor;
mod expression;
mod statement;
mod term;

use super::error::PartiqlError;
use super::syntax::StatementExpr;
use cursor::Cursor;

/// A parsed text, and how many parameters it has.
pub(super) struct Parsed {
    pub(super) statement: StatementExpr,
    pub(super) parameter_count: usize,
}

/// Parses a text.
pub(super) fn parse(text: &str) -> Result<Parsed, PartiqlError> {
    let mut cursor = Cursor::new(text)?;
    let statement = statement::statement(&mut cursor)?;
    Ok(Parsed { statement, parameter_count: cursor.parameter_count() })
}

//! From text to syntax trees.
//!
//! A recursive descent over the tokens. What a text can nest is counted, and so are its operators,
//! so that neither this nor what walks the trees afterwards can exhaust a stack.

mod cursor;
mod expression;
mod statement;
mod term;

use super::error::PartiqlError;
use super::syntax::StatementExpr;
use cursor::Cursor;

/// What a text says, and how many parameters it has.
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

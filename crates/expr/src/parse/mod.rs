//! From text to syntax trees.
//!
//! Each kind of expression has its grammar; document paths and operands are common to all. The
//! parsers keep their own stacks instead of recursing, so that no text can exhaust the thread's:
//! the 4096 bytes of an expression are room for thousands of parentheses.
//!
//! DynamoDB refuses a text for its syntax before anything else. What is wrong beyond syntax (a
//! reserved word, an unknown function) is noted while parsing and reported afterwards, in the order
//! of [`Findings`], whichever came first in the text.

mod condition;
mod cursor;
mod findings;
mod operand;
mod path;
mod projection;
mod update;

pub use condition::parse_condition;
pub use projection::parse_projection;
pub use update::parse_update;

use monotable_item::limits::EXPRESSION_BYTES_MAX;

use crate::ParseError;
use cursor::Cursor;
use findings::Findings;

/// The two grammars that have operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grammar {
    Condition,
    Update,
}

/// Refuses a text that is too long or empty, before it is read.
fn check_length(text: &str) -> Result<(), ParseError> {
    if text.len() > EXPRESSION_BYTES_MAX {
        return Err(ParseError::TooLong { size_bytes: text.len() });
    }
    if text.is_empty() {
        return Err(ParseError::Empty);
    }
    Ok(())
}

//! DynamoDB's expression language: parse, resolve, evaluate.
//!
//! An expression goes through three stages, each a plain function of its arguments:
//!
//! 1. `parse_…(text)` reads the text alone, so that its result can be kept and shared by every
//!    request with the same text: [`ParsedCondition`], [`ParsedProjection`], [`ParsedUpdate`].
//! 2. A [`Resolver`] replaces the placeholders by one request's names and values, checks what can
//!    be checked without an item, and remembers which placeholders were used.
//! 3. The results meet items: [`Condition::matches`], [`Projection::project`], [`Update::edits`]. A
//!    condition on keys becomes a [`KeyCondition`], which the database turns into a range.
//!
//! ```
//! use std::collections::BTreeMap;
//! use monotable_expr::{Resolver, parse_condition};
//! use monotable_item::{Item, Value};
//!
//! let parsed = parse_condition("#s = :paid AND amount > :limit").unwrap();
//! let names = BTreeMap::from([("#s".to_owned(), "status".to_owned())]);
//! let values = BTreeMap::from([
//!     (":paid".to_owned(), Value::from("paid")),
//!     (":limit".to_owned(), Value::from(100)),
//! ]);
//! let condition = Resolver::new(&names, &values).condition(&parsed).unwrap();
//! let order = Item::from([
//!     ("status".to_owned(), Value::from("paid")),
//!     ("amount".to_owned(), Value::from(120)),
//! ]);
//! assert!(condition.matches(&order));
//! assert!(!condition.matches(&Item::new()));
//! ```
//!
//! Errors say what and where as data; the API puts them into DynamoDB's words.
//!
//! ```text
//! text ─► lexer ─► parse ─► ast ─► resolve ─► eval, on items
//!                  reserved  │                key_condition     of a Query, on keys
//!                            ▼                search_condition  of a vector search
//!                          print
//! partiql reads statements into the same trees; operation names what occurs in all of them
//! ```

mod ast;
mod error;
mod eval;
mod key_condition;
mod lexer;
mod operation;
mod parse;
#[cfg(feature = "partiql")]
pub mod partiql;
mod print;
mod reserved;
mod resolve;
mod search_condition;

pub use ast::{ParsedCondition, ParsedProjection, ParsedUpdate};
pub use error::{EvaluationError, KeyConditionError, ParseError, ResolveError, UpdateError};
pub use eval::{AttributeChange, Condition, Operand, Projection, Update};
pub use key_condition::{KeyComparison, KeyCondition};
pub use operation::{Arithmetic, Comparator, Function, Operation, Section};
pub use parse::{parse_condition, parse_projection, parse_update};
pub use reserved::is_reserved;
pub use resolve::{Names, Resolver, Values};
pub use search_condition::{SearchCondition, SearchConditionError};

//! The texts that a template can write, as finite automata over characters.
//!
//! Characters sort as their UTF-8 bytes do, so order and prefixes of texts can be decided character
//! by character. Edges carry sets of characters, which keeps "any text" at one state.

mod automaton;
mod calendar;
mod char_set;
mod condition;
mod forms;
mod image;
mod numerals;
mod search;

pub use char_set::CharSet;

pub(crate) use automaton::Automaton;
pub(crate) use condition::condition_language;
pub(crate) use forms::{segment_bytes_max, segment_language, template_language};

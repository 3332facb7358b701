//! What can be wrong with the string form, and where.

use std::ops::Range;

use monotable_item::Type;

/// The string form of a template could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at byte {}", span.start)]
pub struct SyntaxError {
    /// The bytes of the text that are wrong.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub kind: SyntaxErrorKind,
}

/// What is wrong with a piece of a template's string form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// There is nothing to make a key of.
    #[error("a template cannot be empty")]
    Empty,
    /// A brace or parenthesis is not closed.
    #[error("a brace or parenthesis is not closed")]
    Unclosed,
    /// A brace that opens or closes nothing.
    #[error("a brace that stands for itself is doubled")]
    StrayBrace,
    /// `{!…}` without one character of ASCII punctuation.
    #[error("a delimiter is one character of ASCII punctuation")]
    BadDelimiter,
    /// Something else than a path.
    #[error("expected an attribute such as id, address.country or lines[0]")]
    BadPath,
    /// An encoding that does not exist.
    #[error("unknown encoding {name:?}{}", suggest(suggestion))]
    UnknownEncoding {
        /// What was asked for.
        name: String,
        /// An encoding with a similar name.
        suggestion: Option<&'static str>,
    },
    /// A function that does not exist.
    #[error("unknown function {name:?}: expected shard, shard_sum, shard_mod or shard_any")]
    UnknownFunction {
        /// What was asked for.
        name: String,
    },
    /// An encoding or a function with the wrong arguments.
    #[error("expected {usage}")]
    BadArguments {
        /// How it is written.
        usage: &'static str,
    },
    /// A width of no digits, or of more than a number can have.
    #[error("a number has 1 to 38 digits, such as 06, +06 or 08.2")]
    BadWidth,
    /// An encoding after one that it cannot be applied to.
    #[error("{name} cannot follow {after}")]
    CannotFollow {
        /// The encoding.
        name: &'static str,
        /// What stands before it.
        after: &'static str,
    },
    /// A key that is a number or binary, with something else in it.
    #[error("a key of type {} is one attribute and nothing else", kind.code())]
    NotAlone {
        /// The type of the key.
        kind: Type,
    },
    /// An optional part that is not the end of a key, or all of it.
    #[error("only the last part of a key can be optional, and something must stand before it")]
    OptionalPlace,
}

fn suggest(suggestion: &Option<&'static str>) -> String {
    match suggestion {
        Some(name) => format!(", did you mean {name}?"),
        None => ": docs/guide/model-language.md lists them".to_owned(),
    }
}

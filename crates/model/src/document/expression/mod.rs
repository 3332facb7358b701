//! Expressions of a model: DynamoDB's grammar with two liberties.
//!
//! A reserved word may stand as an attribute's name, and a literal where a value placeholder would:
//! `status <> 'DELIVERED' AND stock >= 5`. `true`, `false` and `null` are literals as well. `:name`
//! is a parameter; `addresses.{name}` is a map member, and `lines[{n}]` a list element, that a
//! parameter names. `#name` is an attribute in any case, for one that is called like a keyword of
//! the grammar (`AND`, `SET`…). A name with other characters than letters, digits and underscores
//! stands between backticks: `` `follower#` ``.
//!
//! [`Expression::parse`] rewrites such a text into the service's own form, in which only
//! placeholders are left, and has it parsed by the expression crate. [`Expression::bind`] puts
//! parameters in.
//!
//! ```text
//! written     Status <> 'DELIVERED' AND attribute_exists(Addresses.{label})
//! rewritten   #Status <> :c1 AND attribute_exists(Addresses.#label)
//! names       #Status = attribute Status, #label = parameter label
//! values      :c1 = "DELIVERED"
//! ```

mod bind;
mod conjunct;
mod range;
mod rewrite;
mod scope;
mod token;
mod vocabulary;

use std::collections::BTreeMap;
use std::fmt;
use std::ops;

pub use bind::{Bound, ConditionError, MissingParameter};
pub use range::parse_range;
pub use scope::Scope;
pub use token::{Token, TokenKind, quoted_name, tokenize};
pub use vocabulary::{EXPRESSIONS, ExpressionWord};

use super::Source;

/// An expression as it is written, and as the service takes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// The text in the model.
    pub text: String,
    /// The text for the service: reserved words and literals are placeholders. A list index that a
    /// parameter gives is still `[{name}]`.
    pub rewritten: String,
    /// What its `#placeholders` stand for.
    pub names: BTreeMap<String, NameSource>,
    /// What its `:placeholders` stand for.
    pub values: BTreeMap<String, Source>,
    /// The parameters that are list indexes.
    pub indexes: Vec<String>,
    /// The attributes that paths begin with, by their names in the model, without repetition.
    pub attributes: Vec<String>,
}

/// What a `#placeholder` stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameSource {
    /// An attribute or member, by its name in items.
    Name(String),
    /// A member that the parameter of this name names.
    Parameter(String),
}

/// Where an expression stands, which decides its grammar. Literals get placeholders that differ
/// from one kind to the next, so that the expressions of one request never clash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpressionKind {
    /// What must hold for a write.
    Condition,
    /// What is read and thrown away.
    Filter,
    /// Which items are in an index.
    When,
    /// The change of an update.
    Update,
    /// The paths to return.
    Projection,
}

/// What is wrong with an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// The bytes of the text, if they are known.
    pub range: Option<ops::Range<usize>>,
    /// What is wrong.
    pub message: String,
    /// What was probably meant.
    pub suggestion: Option<String>,
}

impl ExpressionKind {
    /// The letter that the placeholders of its literals begin with.
    fn letter(self) -> char {
        match self {
            ExpressionKind::Condition => 'c',
            ExpressionKind::Filter => 'f',
            ExpressionKind::When => 'w',
            ExpressionKind::Update => 'u',
            ExpressionKind::Projection => 'p',
        }
    }
}

impl Expression {
    /// Reads a text whose attributes are those of a scope, and reports all that is wrong.
    pub fn parse(
        kind: ExpressionKind,
        text: &str,
        scope: &Scope,
    ) -> Result<Expression, Vec<ExpressionError>> {
        rewrite::rewrite(kind, text, scope)
    }

    /// The parameters that it needs, without repetition.
    pub fn parameters(&self) -> Vec<&str> {
        let of_names = self.names.values().filter_map(|source| match source {
            NameSource::Parameter(name) => Some(name.as_str()),
            NameSource::Name(_) => None,
        });
        let of_values = self.values.values().filter_map(|source| match source {
            Source::Parameter(name) => Some(name.as_str()),
            Source::Literal(_) => None,
        });
        let mut parameters: Vec<&str> =
            of_names.chain(of_values).chain(self.indexes.iter().map(String::as_str)).collect();
        parameters.sort_unstable();
        parameters.dedup();
        parameters
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

//! Conditions: what a statement asks of the facts of a request.
//!
//! Each condition is one operator, one key and a list of values. All conditions of a statement must
//! hold. A value of the request passes if it fits any of the listed values, or none of them if the
//! operator is negated. Which of the request's values must pass:
//!
//! | | the key has values | it has none |
//! |---|---|---|
//! | no set operator | the one value; see below if there are several | holds only if negated |
//! | `ForAllValues:` | all of them | holds |
//! | `ForAnyValue:` | one of them | does not hold |
//! | `…IfExists` | as without it | holds |
//!
//! A key with several values needs a set operator; AWS does not say what happens without one. Here
//! the safe reading is taken: an allow needs all values to pass, a deny one. In the same way a
//! comparison that cannot be made, because a variable has no value or because the request's value
//! has the wrong form, never allows, and a negated one of a deny holds.

mod date;
mod network;
mod number;
mod operator;
mod test;

pub(crate) use date::DateValue;
pub(crate) use network::Network;
pub(crate) use number::Number;
pub(crate) use operator::{Operator, Quantifier};
pub(crate) use test::Test;

use crate::question::Question;
use crate::statement::Effect;
use crate::template::Template;

/// One condition, compiled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Condition {
    pub(crate) operator: Operator,
    /// In lower case.
    pub(crate) key: Box<str>,
    /// As the document has it.
    pub(crate) spelled_key: Box<str>,
    /// The listed values as the document has them.
    pub(crate) sources: Vec<Box<str>>,
    pub(crate) test: Test,
}

impl Condition {
    /// Whether the condition holds, in a statement of this effect.
    pub(crate) fn holds(&self, effect: Effect, question: &Question<'_>) -> bool {
        let values = question.values(&self.key);
        if let Test::Null(wanted) = &self.test {
            return wanted.contains(&values.is_none());
        }
        let Some(values) = values else { return self.holds_without_values() };
        let passes = |value: &str| self.passes(value, effect, question);
        let mut values = values.iter();
        match (self.operator.quantifier, effect) {
            (Some(Quantifier::ForAllValues), _) | (None, Effect::Allow) => {
                values.all(|v| passes(v))
            }
            (Some(Quantifier::ForAnyValue), _) | (None, Effect::Deny) => values.any(|v| passes(v)),
        }
    }

    fn holds_without_values(&self) -> bool {
        self.operator.if_exists
            || match self.operator.quantifier {
                Some(Quantifier::ForAllValues) => true,
                Some(Quantifier::ForAnyValue) => false,
                None => self.operator.is_negated,
            }
    }

    fn passes(&self, value: &str, effect: Effect, question: &Question<'_>) -> bool {
        match (self.test.fits(value, question), self.operator.is_negated) {
            (Some(fits), is_negated) => fits != is_negated,
            (None, is_negated) => is_negated && effect == Effect::Deny,
        }
    }

    /// The keys that the condition asks for: its own and those of variables.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        let variables = self.templates().flat_map(Template::variable_keys);
        std::iter::once(&*self.key).chain(variables)
    }

    /// The key of the first variable that has no value.
    pub(crate) fn unresolved(&self, question: &Question<'_>) -> Option<&str> {
        self.templates().find_map(|template| template.unresolved(question))
    }

    fn templates(&self) -> impl Iterator<Item = &Template> {
        self.test.templates()
    }
}

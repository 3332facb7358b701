//! The texts that meet a key condition.

use monotable_expr::KeyComparison;
use monotable_item::Value;

use super::automaton::{Automaton, Builder};
use super::char_set::{CharSet, next, previous};

/// Whether a bound itself meets the condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inclusion {
    Included,
    Excluded,
}

/// The texts that meet a condition, if it is one on texts.
pub(crate) fn condition_language(condition: &KeyComparison) -> Option<Automaton> {
    let literal = |value: &Value| Some(Automaton::literal(text(value)?));
    match condition {
        KeyComparison::Equal(value) => literal(value),
        KeyComparison::BeginsWith(value) => Some(literal(value)?.then_anything()),
        KeyComparison::Less(value) => Some(up_to(text(value)?, Inclusion::Excluded)),
        KeyComparison::LessOrEqual(value) => Some(up_to(text(value)?, Inclusion::Included)),
        KeyComparison::Greater(value) => Some(from(text(value)?, Inclusion::Excluded)),
        KeyComparison::GreaterOrEqual(value) => Some(from(text(value)?, Inclusion::Included)),
        KeyComparison::Between(lower, upper) => {
            let from = from(text(lower)?, Inclusion::Included);
            Some(from.intersection(&up_to(text(upper)?, Inclusion::Included)))
        }
        KeyComparison::NotIndexable => None,
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// The texts from a bound on: those that go on after it, or leave it for a greater character.
fn from(bound: &str, inclusion: Inclusion) -> Automaton {
    let (mut builder, end, anything) = along(bound);
    for (state, character) in bound.chars().enumerate() {
        let greater = next(character).map(|low| (low, char::MAX));
        builder.edge(state, CharSet::from_ranges(greater), anything);
    }
    builder.edge(end, CharSet::all(), anything);
    if inclusion == Inclusion::Included {
        builder.accept(end);
    }
    builder.finish(0)
}

/// The texts up to a bound: those that end before it does, or leave it for a lesser character.
fn up_to(bound: &str, inclusion: Inclusion) -> Automaton {
    let (mut builder, end, anything) = along(bound);
    for (state, character) in bound.chars().enumerate() {
        let lesser = previous(character).map(|high| ('\0', high));
        builder.edge(state, CharSet::from_ranges(lesser), anything);
        builder.accept(state);
    }
    if inclusion == Inclusion::Included {
        builder.accept(end);
    }
    builder.finish(0)
}

/// States along the characters of a text, and one more that accepts anything.
fn along(bound: &str) -> (Builder, usize, usize) {
    let length = bound.chars().count();
    let mut builder = Builder::with_states(length + 2);
    for (state, character) in bound.chars().enumerate() {
        builder.edge(state, CharSet::from_ranges([(character, character)]), state + 1);
    }
    let anything = length + 1;
    builder.accept(anything);
    builder.edge(anything, CharSet::all(), anything);
    (builder, length, anything)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bounds_are_those_of_the_order_of_texts(bound in "[abc]{0,3}", text in "[abc]{0,4}") {
            prop_assert_eq!(from(&bound, Inclusion::Included).accepts(&text), text >= bound);
            prop_assert_eq!(from(&bound, Inclusion::Excluded).accepts(&text), text > bound);
            prop_assert_eq!(up_to(&bound, Inclusion::Included).accepts(&text), text <= bound);
            prop_assert_eq!(up_to(&bound, Inclusion::Excluded).accepts(&text), text < bound);
        }
    }
}

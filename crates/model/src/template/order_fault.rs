//! Parts of keys that do not sort by value.

use monotable_item::Path;

use super::domain::Domain;
use super::encoding::Form;
use super::enumeration::Enumeration;
use super::key_set::KeySet;
use super::language::{Automaton, segment_language};
use super::segment::{AttributePart, Segment};
use super::text_form::Escaping;

/// Two keys in the wrong order: they are the same up to an attribute, the first has the lesser
/// value of it, and yet does not come first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderFault {
    /// The attribute.
    pub path: Path,
    /// Why its values do not sort.
    pub cause: FaultCause,
    /// The end of a key with the lesser value, from the attribute on.
    pub lesser: String,
    /// The end of a key with the greater value, from the attribute on.
    pub greater: String,
}

/// Why values do not sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultCause {
    /// Numbers without padding: 10 comes before 9.
    Unpadded,
    /// A value goes on where another ends, with a character below what follows the part.
    LowCharacter,
    /// The tokens of an enumeration are not in the order of its values.
    Tokens,
}

impl KeySet {
    /// The parts that do not sort by value, each with an example.
    pub fn order_faults(&self) -> Vec<OrderFault> {
        let segments = self.template().segments().iter().enumerate();
        segments.filter_map(|(place, segment)| self.order_fault(place, segment)).collect()
    }

    fn order_fault(&self, place: usize, segment: &Segment) -> Option<OrderFault> {
        let part = segment.attribute()?;
        let rest = self.language_from(place + 1);
        let (cause, (lesser, greater)) = match part.encoding.form() {
            Form::Plain => (FaultCause::Unpadded, self.unpadded(part, &rest)?),
            Form::Text(form) if form.escaping == Escaping::Verbatim && self.is_number(part) => {
                (FaultCause::Unpadded, self.unpadded(part, &rest)?)
            }
            Form::Text(_) => (FaultCause::LowCharacter, self.low_character(segment, &rest)?),
            Form::Enumeration(enumeration) => {
                (FaultCause::Tokens, disordered_tokens(enumeration, &rest)?)
            }
            Form::Number(_) | Form::Time(_) | Form::YearFirst | Form::Identifier(_) => return None,
            // Nobody expects an order of hashes, and ranges of them are refused.
            Form::Hash(_) | Form::Bool | Form::NumberKey | Form::BinaryKey => return None,
        };
        Some(OrderFault { path: part.path.clone(), cause, lesser, greater })
    }

    fn is_number(&self, part: &AttributePart) -> bool {
        matches!(self.domains().get(&part.path), Some(Domain::Integers { .. }))
    }

    /// Numbers of different length, or negative ones, sort by their digits.
    fn unpadded(&self, part: &AttributePart, rest: &Automaton) -> Option<(String, String)> {
        let (min, max) = match self.domains().get(&part.path) {
            Some(Domain::Integers { min, max }) => (*min, *max),
            Some(Domain::Text { .. } | Domain::Values(_)) | None => (0, 10),
        };
        let rest = rest.shortest()?;
        let mut near: Vec<i64> = (0..19).map(|digits| 10_i64.pow(digits)).collect();
        near.extend(near.clone().into_iter().map(|number| number - 1));
        near.extend(near.clone().into_iter().map(|number| -number));
        near.extend([min, max, min.saturating_add(1)]);
        near.retain(|number| (min..=max).contains(number));
        near.sort_unstable();
        let key = |number: &i64| format!("{number}{rest}");
        let pairs = near.iter().zip(near.iter().skip(1)).filter(|(a, b)| a < b);
        pairs.map(|(a, b)| (key(a), key(b))).find(|(lesser, greater)| lesser > greater)
    }

    /// A value that is the beginning of another is followed by the rest of the key. That must be
    /// less than whatever the other value goes on with.
    fn low_character(&self, segment: &Segment, rest: &Automaton) -> Option<(String, String)> {
        let part = segment_language(segment, self.domains(), self.template().delimiter());
        let both = Automaton::concat(&[part, rest.clone()]);
        (0..both.states().len()).find_map(|state| {
            let (greater, lesser) = both.stays_below(state)?;
            let value = both.shortest_to(state)?;
            Some((format!("{value}{lesser}"), format!("{value}{greater}")))
        })
    }
}

/// Values that are their own tokens promise no order but that of the texts.
fn disordered_tokens(enumeration: &Enumeration, rest: &Automaton) -> Option<(String, String)> {
    let tokens: Vec<&str> = enumeration.tokens().map(|(_, token)| token).collect();
    if enumeration.tokens().all(|(value, token)| value == token) {
        return None;
    }
    let keys = |token: &str| Automaton::concat(&[Automaton::literal(token), rest.clone()]);
    let pairs = tokens.iter().enumerate().flat_map(|(place, lesser)| {
        tokens.iter().skip(place + 1).map(move |greater| (lesser, greater))
    });
    pairs.into_iter().find_map(|(lesser, greater)| {
        let (greater, lesser) = keys(greater).less_than(&keys(lesser))?;
        Some((lesser, greater))
    })
}

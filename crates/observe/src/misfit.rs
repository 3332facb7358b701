//! What is wrong with an item that is not one of the model.

use std::fmt;

/// Why an item does not fit a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// The table, as the service calls it.
    pub table: String,
    /// The entity that the item seems to be, if it seems to be any.
    pub entity: Option<String>,
    /// The attribute that is wrong.
    pub attribute: String,
    /// The index whose key the attribute belongs to.
    pub index: Option<String>,
    /// What is wrong with it.
    pub fault: Fault,
    /// What it is.
    pub found: String,
    /// What it should be: the key that the item's attributes build, or else a template.
    pub expected: Option<String>,
}

/// What became of an item that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MisfitOutcome {
    /// It was written.
    Written,
    /// It was refused.
    Refused,
}

/// What is wrong with an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The key has the form of no entity.
    UnknownKey,
    /// The type is that of no entity.
    UnknownType,
    /// The key has another entity's form than the type says.
    ForeignKey,
    /// The same letters in another case.
    WrongCase,
    /// A number without its leading zeros.
    UnpaddedNumber,
    /// The parts are there, and something else is between them.
    WrongDelimiter,
    /// The key ends too early.
    MissingPart,
    /// The attributes build another key, or none.
    StaleKey,
    /// The item has a key of an index that it should not be in.
    UnexpectedKey,
    /// The time of expiry is in milliseconds.
    ExpiryInMilliseconds,
    /// The time of expiry is not a number.
    ExpiryNotNumber,
}

impl Fault {
    /// A name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Fault::UnknownKey => "unknown-key",
            Fault::UnknownType => "unknown-type",
            Fault::ForeignKey => "foreign-key",
            Fault::WrongCase => "wrong-case",
            Fault::UnpaddedNumber => "unpadded-number",
            Fault::WrongDelimiter => "wrong-delimiter",
            Fault::MissingPart => "missing-part",
            Fault::StaleKey => "stale-key",
            Fault::UnexpectedKey => "unexpected-key",
            Fault::ExpiryInMilliseconds => "expiry-in-milliseconds",
            Fault::ExpiryNotNumber => "expiry-not-number",
        }
    }

    /// What it means, for people.
    pub fn text(self) -> &'static str {
        match self {
            Fault::UnknownKey => "the key has the form of no entity",
            Fault::UnknownType => "no entity has this type",
            Fault::ForeignKey => "the key has not the form of the entity that the type names",
            Fault::WrongCase => "the case of letters differs",
            Fault::UnpaddedNumber => "a number lacks its leading zeros",
            Fault::WrongDelimiter => "the parts are not separated as the template says",
            Fault::MissingPart => "a part of the key is missing",
            Fault::StaleKey => "the attributes do not build this key",
            Fault::UnexpectedKey => "the item does not belong into the index",
            Fault::ExpiryInMilliseconds => "the time of expiry is in milliseconds, not in seconds",
            Fault::ExpiryNotNumber => "the time of expiry is not a number",
        }
    }

    /// What is wrong with a key that should be another.
    pub(crate) fn of_keys(found: &str, expected: &str, otherwise: Fault) -> Fault {
        let is_letter = |c: &char| c.is_ascii_alphanumeric();
        let bare = |text: &str| -> String { text.chars().filter(is_letter).collect() };
        if found.eq_ignore_ascii_case(expected) {
            return Fault::WrongCase;
        }
        if unpadded(found) == unpadded(expected) {
            return Fault::UnpaddedNumber;
        }
        if bare(found) == bare(expected) {
            return Fault::WrongDelimiter;
        }
        if expected.starts_with(found) {
            return Fault::MissingPart;
        }
        otherwise
    }
}

/// A key without the leading zeros of its numbers.
fn unpadded(key: &str) -> String {
    let mut out = String::with_capacity(key.len());
    let mut after_digit = false;
    let mut rest = key.chars().peekable();
    while let Some(character) = rest.next() {
        let next_is_digit = rest.peek().is_some_and(char::is_ascii_digit);
        let is_padding = character == '0' && !after_digit && next_is_digit;
        if !is_padding {
            out.push(character);
            after_digit = character.is_ascii_digit();
        }
    }
    out
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(entity) = &self.entity {
            write!(f, "{entity}: ")?;
        }
        write!(f, "{} is {:?}", self.attribute, self.found)?;
        if let Some(expected) = &self.expected {
            write!(f, ", expected {expected:?}")?;
        }
        write!(f, " ({})", self.fault.text())
    }
}

impl std::error::Error for Misfit {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_found_by_comparing_keys() {
        let of = |found, expected| Fault::of_keys(found, expected, Fault::StaleKey);
        assert_eq!(of("order#000017", "ORDER#000017"), Fault::WrongCase);
        assert_eq!(of("ORDER#17", "ORDER#000017"), Fault::UnpaddedNumber);
        assert_eq!(of("ORDER-000017", "ORDER#000017"), Fault::WrongDelimiter);
        assert_eq!(of("ORDER#2026", "ORDER#2026#x"), Fault::MissingPart);
        assert_eq!(of("ORDER#000018", "ORDER#000017"), Fault::StaleKey);
        assert_eq!(of("A#0", "A#000"), Fault::UnpaddedNumber);
    }
}

//! What is declared about attributes, as the domains that templates are decided with.

use monotable_item::{Path, Type, Value};

use crate::document::{Attribute, AttributeFormat, Entity};
use crate::template::{CharSet, Domain, Domains};

/// The domains of an entity's attributes.
///
/// Lengths are left out: whether keys can meet hardly ever depends on them, and automata that count grow with
/// every character.
pub(super) fn domains_of(entity: &Entity) -> Domains {
    let declared = entity.attributes.iter().filter_map(|attribute| {
        Some((Path::attribute(attribute.name.as_str()), domain_of(attribute)?))
    });
    declared.fold(Domains::new(), |domains, (path, domain)| domains.with_path(path, domain))
}

fn domain_of(attribute: &Attribute) -> Option<Domain> {
    match attribute.kind {
        Type::String => text_domain(attribute),
        Type::Number => number_domain(attribute),
        Type::Binary
        | Type::Bool
        | Type::Null
        | Type::List
        | Type::Map
        | Type::StringSet
        | Type::NumberSet
        | Type::BinarySet => None,
    }
}

fn text_domain(attribute: &Attribute) -> Option<Domain> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    if !attribute.values.is_empty() {
        return attribute.values.iter().map(text).collect::<Option<Vec<_>>>().map(Domain::Values);
    }
    let characters = characters_of(attribute)?;
    Some(Domain::text_of(characters, None))
}

/// The characters that a text attribute is made of, if anything is said about them.
pub(super) fn characters_of(attribute: &Attribute) -> Option<CharSet> {
    if let Some(charset) = &attribute.charset {
        return Some(char_set(charset));
    }
    let alphanumeric = CharSet::ascii_alphanumeric;
    match attribute.format? {
        AttributeFormat::Ksuid | AttributeFormat::Ulid => Some(alphanumeric()),
        AttributeFormat::Uuid | AttributeFormat::UuidV7 => Some(char_set("0-9A-Fa-f-")),
        AttributeFormat::Rfc3339 => Some(char_set("0-9TZtz:.+-")),
        AttributeFormat::Date => Some(char_set("0-9-")),
        AttributeFormat::EpochSeconds | AttributeFormat::EpochMillis => Some(CharSet::digits()),
        // Before the @ almost anything is allowed.
        AttributeFormat::Email => None,
    }
}

/// The characters of a text such as `a-zA-Z0-9._-`: a dash between two characters is a range, and one at the
/// end stands for itself.
fn char_set(written: &str) -> CharSet {
    let characters: Vec<char> = written.chars().collect();
    let mut ranges = Vec::new();
    let mut rest = characters.as_slice();
    while let Some((first, after)) = rest.split_first() {
        match after {
            ['-', last, remaining @ ..] if first <= last => {
                ranges.push((*first, *last));
                rest = remaining;
            }
            _ => {
                ranges.push((*first, *first));
                rest = after;
            }
        }
    }
    CharSet::from_ranges(ranges)
}

fn number_domain(attribute: &Attribute) -> Option<Domain> {
    if attribute.min.is_none() && greatest(attribute).is_none() {
        return None;
    }
    let min = attribute.min.map_or(Some(i64::MIN), |min| min.to_i64())?;
    Some(Domain::Integers { min, max: greatest(attribute).unwrap_or(i64::MAX) })
}

/// The greatest whole number that a number attribute is declared to have.
pub(super) fn greatest(attribute: &Attribute) -> Option<i64> {
    let by_digits = || {
        let digits = u32::try_from(attribute.digits?).ok()?;
        Some(10_i64.checked_pow(digits)? - 1)
    };
    attribute.max.and_then(|max| max.to_i64()).or_else(by_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_is_a_range_between_two_characters_and_itself_at_the_end() {
        let set = char_set("a-c._-");
        assert!("abc._-".chars().all(|character| set.contains(character)));
        assert!(!set.contains('d') && !set.contains('#'));
        assert!(char_set("-").contains('-'));
    }

    #[test]
    fn a_greatest_number_comes_from_max_or_digits() {
        let mut attribute = Attribute::new("n", Type::Number);
        assert_eq!(greatest(&attribute), None);
        attribute.digits = Some(3);
        assert_eq!(greatest(&attribute), Some(999));
        attribute.max = "17".parse().ok();
        assert_eq!(greatest(&attribute), Some(17));
    }
}

//! What is known of attributes: what they declare, and what their formats and bounds imply.

use monotable_item::{Path, Type};
use monotable_model::document::{Attribute, AttributeFormat, Entity, characters};
use monotable_model::template::{CharSet, Domain, Domains};

/// The domains of an entity's attributes: those that are declared and, for the others, those that
/// are implied.
pub(super) fn domains_of(entity: &Entity) -> Domains {
    entity.attributes.iter().fold(entity.domains(), |domains, attribute| {
        let path = Path::attribute(attribute.name.as_str());
        match implied(entity, attribute) {
            Some(domain) if domains.get(&path).is_none() => domains.with_path(path, domain),
            Some(_) | None => domains,
        }
    })
}

fn implied(entity: &Entity, attribute: &Attribute) -> Option<Domain> {
    match attribute.kind {
        Type::String => Some(Domain::text_of(characters_of(attribute)?, None)),
        Type::Number if entity.writes_whole(&attribute.name) => bounds_of(attribute),
        Type::Number
        | Type::Binary
        | Type::Bool
        | Type::Null
        | Type::List
        | Type::Map
        | Type::StringSet
        | Type::NumberSet
        | Type::BinarySet => None,
    }
}

/// The characters that a text attribute is made of, if anything is said about them.
pub(super) fn characters_of(attribute: &Attribute) -> Option<CharSet> {
    if let Some(charset) = &attribute.charset {
        return Some(characters(charset));
    }
    match attribute.format? {
        AttributeFormat::Ksuid | AttributeFormat::Ulid => Some(CharSet::ascii_alphanumeric()),
        AttributeFormat::Uuid | AttributeFormat::UuidV7 => Some(characters("0-9A-Fa-f-")),
        AttributeFormat::Rfc3339 => Some(characters("0-9TZtz:.+-")),
        AttributeFormat::Date => Some(characters("0-9-")),
        AttributeFormat::EpochSeconds | AttributeFormat::EpochMillis => Some(CharSet::digits()),
        // Before the @ almost anything is allowed.
        AttributeFormat::Email => None,
    }
}

/// The range of a number that has a bound on one side or a number of digits.
fn bounds_of(attribute: &Attribute) -> Option<Domain> {
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
    fn a_greatest_number_comes_from_max_or_digits() {
        let mut attribute = Attribute::new("n", Type::Number);
        assert_eq!(greatest(&attribute), None);
        attribute.digits = Some(3);
        assert_eq!(greatest(&attribute), Some(999));
        attribute.max = "17".parse().ok();
        assert_eq!(greatest(&attribute), Some(17));
    }
}

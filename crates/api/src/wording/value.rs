//! Texts for attribute values that are refused.
//!
//! There are two layers on AWS, and which one answers depends on the operation.

use monotable_item::{Item, NumberError, Type, item_nesting};
use monotable_protocol::{InvalidAttribute, ValueError};

use crate::error::ApiError;

/// How deep a request may be nested for the newer layer to answer. Measured: about 62 levels.
const NEWER_LAYER_NESTING_MAX: usize = 62;

/// Which of the two layers checks an operation's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueLayer {
    /// The current one.
    Current,
    /// The older one: BatchWriteItem and Scan.
    Older,
}

/// Words a refusal.
pub(crate) fn word(error: &ValueError, layer: ValueLayer) -> ApiError {
    ApiError::validation(text(error, layer))
}

/// Words the refusal of an attribute. Of an item that is nested very deeply, the older layer is
/// left to tell.
pub(crate) fn word_attribute(invalid: &InvalidAttribute, layer: ValueLayer) -> ApiError {
    let error = word(&invalid.error, layer);
    let is_very_deep = |item: &Item| item_nesting(item) > NEWER_LAYER_NESTING_MAX;
    if invalid.too_deep.as_ref().is_some_and(is_very_deep) { error.of_older_layer() } else { error }
}

/// The text of a refusal.
pub(crate) fn text(error: &ValueError, layer: ValueLayer) -> String {
    match error {
        ValueError::Number { text, reason } => number(text, *reason, layer),
        ValueError::Duplicates { kind, members } => duplicates(*kind, members, layer),
        ValueError::EmptySet(Type::StringSet) => invalid("An string set  may not be empty"),
        ValueError::EmptySet(Type::NumberSet) => invalid("An number set  may not be empty"),
        ValueError::EmptySet(_) => invalid("Binary sets should not be empty"),
        ValueError::NullNotTrue => {
            invalid("Null attribute value types must have the value of true")
        }
        ValueError::NoType => {
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
                .to_owned()
        }
        ValueError::SeveralTypes => {
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of \
             the supported datatypes"
                .to_owned()
        }
        ValueError::TooDeep => NESTING.to_owned(),
    }
}

/// The text for a value that lies too deep.
pub(crate) const NESTING: &str = "Nesting Levels have exceeded supported limits: Attributes in the \
    item have nested levels beyond supported limit";

fn invalid(text: &str) -> String {
    format!("One or more parameter values were invalid: {text}")
}

fn number(raw: &str, reason: NumberError, layer: ValueLayer) -> String {
    match reason {
        NumberError::NotANumber if raw.is_empty() && layer == ValueLayer::Older => {
            "The parameter cannot be converted to a numeric value".to_owned()
        }
        NumberError::NotANumber => {
            format!("The parameter cannot be converted to a numeric value: {raw}")
        }
        NumberError::Overflow if layer == ValueLayer::Older && wraps_around(raw) => {
            number_range(NumberError::Underflow).to_owned()
        }
        _ => number_range(reason).to_owned(),
    }
}

/// Whether the number of digits before the point does not fit into 32 bits, which makes the older
/// layer take a huge number for a tiny one.
fn wraps_around(raw: &str) -> bool {
    let Some((mantissa, exponent)) = raw.split_once(['e', 'E']) else { return false };
    let integer = mantissa.trim_start_matches(['+', '-']).split('.').next().unwrap_or_default();
    let digits = integer.trim_start_matches('0').len() as i64;
    exponent.parse::<i64>().is_ok_and(|exponent| exponent + digits > i64::from(i32::MAX))
}

/// The text for a number that cannot be stored.
pub(crate) fn number_range(reason: NumberError) -> &'static str {
    match reason {
        NumberError::Overflow => {
            "Number overflow. Attempting to store a number with magnitude larger than supported \
             range"
        }
        NumberError::Underflow => {
            "Number underflow. Attempting to store a number with magnitude smaller than supported \
             range"
        }
        _ => "Attempting to store more than 38 significant digits in a Number",
    }
}

fn duplicates(kind: Type, members: &[String], layer: ValueLayer) -> String {
    match (kind, layer) {
        (Type::NumberSet, ValueLayer::Current) => invalid("Input collection contains duplicates."),
        // The older layer leaves out the usual beginning here, and the full stop.
        (Type::NumberSet, ValueLayer::Older) => "Input collection contains duplicates".to_owned(),
        (Type::BinarySet, ValueLayer::Current) => {
            let quoted = quoted(&sorted_to_first_repeat(members, base64_order));
            invalid(&format!(
                "Input collection [{}]of type BS contains duplicates.",
                quoted.join(",")
            ))
        }
        (Type::BinarySet, ValueLayer::Older) => invalid(&format!(
            "Input collection [{}]of type BS contains duplicates.",
            members.join(", ")
        )),
        (_, ValueLayer::Current) => {
            let quoted =
                quoted(&sorted_to_first_repeat(members, |member| member.as_bytes().to_vec()));
            invalid(&format!("Input collection [{}] contains duplicates.", quoted.join(", ")))
        }
        (_, ValueLayer::Older) => {
            invalid(&format!("Input collection [{}] contains duplicates.", members.join(", ")))
        }
    }
}

fn quoted(members: &[&String]) -> Vec<String> {
    members.iter().map(|member| format!("\"{member}\"")).collect()
}

/// The members up to the first repeat in byte order, then the repeat, then the rest as sent: the
/// current layer fills a sorted set until a member does not go in.
fn sorted_to_first_repeat(members: &[String], bytes: fn(&str) -> Vec<u8>) -> Vec<&String> {
    let mut seen: Vec<&String> = Vec::with_capacity(members.len());
    let mut rest = members.iter();
    for member in rest.by_ref() {
        if seen.contains(&member) {
            seen.sort_by_cached_key(|member| bytes(member));
            seen.push(member);
            break;
        }
        seen.push(member);
    }
    seen.extend(rest);
    seen
}

/// What sorts base64 texts as the bytes that they stand for: the numbers of their digits.
fn base64_order(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    text.trim_end_matches('=').bytes().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duplicates(kind: Type, members: &[&str], layer: ValueLayer) -> String {
        let members = members.iter().map(|member| (*member).to_owned()).collect();
        text(&ValueError::Duplicates { kind, members }, layer)
    }

    #[test]
    fn the_current_layer_lists_strings_sorted_to_the_first_repeat() {
        assert_eq!(
            duplicates(Type::StringSet, &["b", "a", "b"], ValueLayer::Current),
            "One or more parameter values were invalid: Input collection [\"a\", \"b\", \"b\"] \
             contains duplicates."
        );
        assert_eq!(
            duplicates(Type::StringSet, &["b", "a", "b"], ValueLayer::Older),
            "One or more parameter values were invalid: Input collection [b, a, b] contains \
             duplicates."
        );
        assert_eq!(
            duplicates(Type::BinarySet, &["/w==", "AA==", "AA=="], ValueLayer::Current),
            "One or more parameter values were invalid: Input collection \
             [\"AA==\",\"/w==\",\"AA==\"]of type BS contains duplicates."
        );
    }

    #[test]
    fn the_older_layer_takes_the_largest_exponents_for_tiny_ones() {
        let overflow = |text: &str, layer| {
            super::text(
                &ValueError::Number { text: text.to_owned(), reason: NumberError::Overflow },
                layer,
            )
        };
        assert!(overflow("1e2147483647", ValueLayer::Older).starts_with("Number underflow"));
        assert!(overflow("1e2147483647", ValueLayer::Current).starts_with("Number overflow"));
        assert!(overflow("1e126", ValueLayer::Older).starts_with("Number overflow"));
    }

    #[test]
    fn an_empty_number_is_quoted_by_the_current_layer_only() {
        let empty = ValueError::Number { text: String::new(), reason: NumberError::NotANumber };
        assert!(text(&empty, ValueLayer::Current).ends_with("numeric value: "));
        assert!(text(&empty, ValueLayer::Older).ends_with("numeric value"));
    }
}

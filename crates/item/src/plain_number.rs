//! Numbers that are sent as they are printed, which most are: their text can be kept as it is.

use crate::limits::NUMBER_DIGITS_MAX;

/// The size of a number whose text is just what the number is printed as. None says nothing: the
/// text may be a number all the same.
///
/// What is printed has no sign but a minus, no leading zero but the one before a point, no zero at
/// the end of a fraction, and no exponent.
pub(crate) fn plain_size_bytes(text: &str) -> Option<usize> {
    if text == "0" {
        return Some(1);
    }
    let unsigned = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let mut parts = unsigned.splitn(2, |byte| *byte == b'.');
    let (integer, fraction) = (parts.next()?, parts.next());
    let digit_bytes = match (integer, fraction) {
        ([b'1'..=b'9', ..], None) => pairs(count_from_nonzero(integer.iter().rev())),
        ([b'0'], Some(fraction @ [.., b'1'..=b'9'])) => pairs(count_from_nonzero(fraction.iter())),
        ([b'1'..=b'9', ..], Some(fraction @ [.., b'1'..=b'9'])) => {
            pairs(integer.len()) + pairs(fraction.len())
        }
        _ => return None,
    };
    let is_plain = unsigned.len() <= NUMBER_DIGITS_MAX as usize
        && integer.iter().chain(fraction.unwrap_or_default()).all(u8::is_ascii_digit);
    let sign_bytes = text.len() - unsigned.len();
    is_plain.then_some(1 + digit_bytes + sign_bytes)
}

/// How many digits there are from the first on that is not zero.
fn count_from_nonzero<'a>(digits: impl Iterator<Item = &'a u8>) -> usize {
    digits.skip_while(|digit| **digit == b'0').count()
}

/// The bytes of this many digits: one for two of them.
fn pairs(digits: usize) -> usize {
    digits.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Number;

    proptest! {
        #[test]
        fn a_plain_number_is_printed_as_it_is_written_and_has_that_size(
            text in "[-+]?[0-9]{0,6}([0.][0-9]{0,40})?([eE.][0-9])?",
        ) {
            let plain = plain_size_bytes(&text);
            let number = text.parse::<Number>().ok().filter(|number| number.to_string() == text);
            if let Some(size_bytes) = plain {
                prop_assert_eq!(number.map(|number| number.size_bytes()), Some(size_bytes));
            } else if text.len() <= NUMBER_DIGITS_MAX as usize {
                prop_assert_eq!(number, None, "it is plain");
            }
        }

        #[test]
        fn any_text_is_plain_only_if_it_is_a_number(text in ".{0,8}") {
            if plain_size_bytes(&text).is_some() {
                prop_assert_eq!(text.parse::<Number>().unwrap().to_string(), text);
            }
        }
    }

    #[test]
    fn zeros_count_only_between_other_digits() {
        for (text, size_bytes) in [
            ("0", 1),
            ("7", 2),
            ("-7", 3),
            ("1250", 3),
            ("1000000", 2),
            ("3.14159", 5),
            ("0.05", 2),
            ("-0.005", 3),
            ("100.5", 4),
            ("10.01", 3),
        ] {
            assert_eq!(plain_size_bytes(text), Some(size_bytes), "{text}");
        }
        for text in ["", "-", "-0", "00", "01", ".5", "5.", "5.0", "+5", "1e2", "0.0", "1.2.3"] {
            assert_eq!(plain_size_bytes(text), None, "{text}");
        }
    }
}

//! Numbers of conditions: exact decimals of 19 digits before and 18 after the point.

/// How many digits a number may have after its point.
const SCALE_DIGITS: usize = 18;
/// How many digits a number may have before its point.
const WHOLE_DIGITS_MAX: usize = 19;

/// A number, in units of its last digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Number(i128);

impl Number {
    /// Reads a number such as `-12.5`.
    pub(crate) fn parse(text: &str) -> Option<Number> {
        let (is_negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = match digits.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (digits, None),
        };
        if fraction.is_some_and(str::is_empty) || whole.is_empty() {
            return None;
        }
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.unwrap_or_default().trim_end_matches('0');
        if whole.len() > WHOLE_DIGITS_MAX || fraction.len() > SCALE_DIGITS {
            return None;
        }
        let padding = SCALE_DIGITS - fraction.len();
        let digits =
            whole.bytes().chain(fraction.bytes()).chain(std::iter::repeat_n(b'0', padding));
        let mut value: i128 = 0;
        for digit in digits {
            if !digit.is_ascii_digit() {
                return None;
            }
            value = value * 10 + i128::from(digit - b'0');
        }
        Some(Number(if is_negative { -value } else { value }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_value() {
        let number = |text| Number::parse(text).unwrap();
        assert_eq!(number("1.50"), number("+01.5"));
        assert!(number("9") < number("10"));
        assert!(number("-2") < number("-1.999999999999999999"));
        assert!(number("9007199254740993") > number("9007199254740992"));
        assert_eq!(number("-0"), number("0"));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", ".", "1.", ".5", "1e3", "abc", "1 ", "0x1", &"9".repeat(20)] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }
}

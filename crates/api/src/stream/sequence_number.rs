//! Sequence numbers as clients see them: with AWS's least number of digits.

/// What is added to a number: the smallest one of 21 digits.
const OFFSET: u128 = 100_000_000_000_000_000_000;

/// The text of a sequence number.
pub(crate) fn text(sequence_number: u64) -> String {
    (OFFSET + u128::from(sequence_number)).to_string()
}

/// The sequence number that a text stands for.
pub(crate) fn read(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let number: u128 = text.parse().ok().filter(|_| is_number)?;
    u64::try_from(number.checked_sub(OFFSET)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_numbers_have_21_digits_and_read_back() {
        for (at, number) in [(0, "100000000000000000000"), (7, "100000000000000000007")] {
            assert_eq!(text(at), number);
            assert_eq!(read(number), Some(at));
        }
        assert_eq!(text(u64::MAX).len(), 21);
        assert_eq!(read(&text(u64::MAX)), Some(u64::MAX));
    }

    #[test]
    fn other_texts_stand_for_no_number() {
        for text in ["", "99999999999999999999", "+100000000000000000007", "x", &"9".repeat(40)] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}

//! Sequence numbers: the positions of records, with AWS's least number of digits.

/// What is added to a position: the smallest number of 21 digits.
const OFFSET: u128 = 100_000_000_000_000_000_000;

/// The sequence number of a position.
pub(crate) fn sequence_number(position: u64) -> String {
    (OFFSET + u128::from(position)).to_string()
}

/// The position that a sequence number stands for.
pub(crate) fn position(sequence_number: &str) -> Option<u64> {
    let is_number = sequence_number.bytes().all(|byte| byte.is_ascii_digit());
    let number: u128 = sequence_number.parse().ok().filter(|_| is_number)?;
    u64::try_from(number.checked_sub(OFFSET)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_numbers_have_21_digits_and_read_back() {
        for (at, number) in [(0, "100000000000000000000"), (7, "100000000000000000007")] {
            assert_eq!(sequence_number(at), number);
            assert_eq!(position(number), Some(at));
        }
        assert_eq!(sequence_number(u64::MAX).len(), 21);
        assert_eq!(position(&sequence_number(u64::MAX)), Some(u64::MAX));
    }

    #[test]
    fn other_texts_stand_for_no_position() {
        for text in ["", "99999999999999999999", "+100000000000000000007", "x", &"9".repeat(40)] {
            assert_eq!(position(text), None, "{text}");
        }
    }
}

//! Integers in as few bytes as they need: seven bits in each byte, the lowest first, and the top
//! bit says that more follow.

/// Appends an integer.
pub(crate) fn push(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Takes an integer off the front; none if there is no whole one.
pub(crate) fn split(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (first, mut rest) = bytes.split_first()?;
    if *first < 0x80 {
        return Some((u64::from(*first), rest));
    }
    let mut value = u64::from(first & 0x7F);
    for shift in (7..64).step_by(7) {
        let (byte, after) = rest.split_first()?;
        rest = after;
        value |= u64::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            return Some((value, rest));
        }
    }
    None
}

/// The same for a length.
pub(crate) fn split_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (value, rest) = split(bytes)?;
    Some((usize::try_from(value).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_integer_reads_back(value: u64, shift in 0..64) {
            let value = value >> shift;
            let mut bytes = Vec::new();
            push(&mut bytes, value);
            prop_assert_eq!(split(&bytes), Some((value, &[][..])));
            bytes.pop();
            prop_assert_eq!(split(&bytes), None);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            split(&bytes);
        }
    }
}

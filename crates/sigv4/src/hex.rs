//! Digests and their hexadecimal digits.

use ring::digest;

/// Bytes of a SHA-256 digest.
pub(crate) const DIGEST_BYTES: usize = 32;

/// The SHA-256 digest of some bytes.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; DIGEST_BYTES] {
    let mut result = [0; DIGEST_BYTES];
    result.copy_from_slice(digest::digest(&digest::SHA256, bytes).as_ref());
    result
}

/// The digits of a digest, in lower case.
pub(crate) fn encode(digest: &[u8; DIGEST_BYTES]) -> [u8; 2 * DIGEST_BYTES] {
    let mut digits = [0; 2 * DIGEST_BYTES];
    for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(digest) {
        *pair = encode_byte(*byte, b'a');
    }
    digits
}

/// The two digits of a byte, of which those after 9 begin with a letter of either case.
pub(crate) fn encode_byte(byte: u8, letter: u8) -> [u8; 2] {
    let digit = |value: u8| if value < 10 { b'0' + value } else { letter + (value - 10) };
    [digit(byte >> 4), digit(byte & 15)]
}

/// The digest that these digits write, if they are what [`encode`] writes.
pub(crate) fn decode(digits: &str) -> Option<[u8; DIGEST_BYTES]> {
    let (pairs, rest) = digits.as_bytes().as_chunks();
    if pairs.len() != DIGEST_BYTES || !rest.is_empty() {
        return None;
    }
    let mut digest = [0; DIGEST_BYTES];
    for (byte, [high, low]) in digest.iter_mut().zip(pairs) {
        *byte = decode_digit(*high)? << 4 | decode_digit(*low)?;
    }
    Some(digest)
}

fn decode_digit(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_lead_back_to_the_digest() {
        let digest = sha256(b"");
        let digits = encode(&digest);
        let text = str::from_utf8(&digits).unwrap();
        assert_eq!(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(decode(text), Some(digest));
    }

    #[test]
    fn what_is_not_64_digits_in_lower_case_is_no_digest() {
        let digits = "0".repeat(64);
        assert!(decode(&digits).is_some());
        for wrong in [&digits[1..], &format!("{digits}0"), &digits.replacen('0', "A", 1), "g"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}

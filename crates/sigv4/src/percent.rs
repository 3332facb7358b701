//! Percent-encoding by the rules of signatures, which leave fewer characters alone than those of
//! addresses.

use crate::hex;

/// Whether a byte stands for itself.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Writes bytes, with all that are not unreserved as `%` and two digits.
pub(crate) fn encode(out: &mut Vec<u8>, bytes: &[u8]) {
    for byte in bytes {
        if is_unreserved(*byte) {
            out.push(*byte);
        } else {
            out.push(b'%');
            out.extend_from_slice(&hex::encode_byte(*byte, b'A'));
        }
    }
}

/// The bytes that a text stands for. A `%` without two digits stands for itself.
pub(crate) fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = if *first == b'%' { escaped(after) } else { None };
        bytes.push(escaped.unwrap_or(*first));
        rest = escaped.map_or(after, |_| after.get(2..).unwrap_or_default());
    }
    bytes
}

/// The byte whose two digits come first.
fn escaped(digits: &[u8]) -> Option<u8> {
    let [high, low, ..] = digits else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    Some(digit(*high)? << 4 | digit(*low)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encoded(text: &str) -> String {
        let mut out = Vec::new();
        encode(&mut out, text.as_bytes());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_unreserved_characters_stand_for_themselves() {
        assert_eq!(encoded("aZ09-._~"), "aZ09-._~");
        assert_eq!(encoded("/ +=%\u{1234}"), "%2F%20%2B%3D%25%E1%88%B4");
    }

    #[test]
    fn a_percent_sign_without_digits_stands_for_itself() {
        for text in ["%", "%4", "%zz", "a%", "%%"] {
            assert_eq!(decode(text), text.as_bytes());
        }
        assert_eq!(decode("%4a%4A%%41"), b"JJ%A");
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(text in any::<String>()) {
            prop_assert_eq!(decode(&encoded(&text)), text.as_bytes());
        }
    }
}

//! Key values as bytes whose order is the order of the values.
//!
//! Each part of a key is self-delimiting: no encoded value is a prefix of another one of its type.
//! So the parts of a key are simply written one after the other, and the whole sorts part by part.
//! The type of each part is known from the table's schema and is not written.
//!
//! | type | bytes |
//! |---|---|
//! | string, binary | the bytes, each `00` as `00 FF`, then `00 00` |
//! | number, positive | `02`, exponent + 130, digit pairs + 1, `00` |
//! | number, zero | `01` |
//! | number, negative | `00`, then the positive form after its first byte, every bit flipped |
//!
//! A number's exponent is that of its first digit. Its digits are taken two at a time, the last
//! pair filled up with a zero; 1 is added so that no pair is the `00` that ends them. Numbers that
//! are longer with the same start sort after, as the end marker is below every pair.

use crate::limits::NUMBER_EXPONENT_MIN;
use crate::{Number, Type, Value};

const ESCAPED: u8 = 0x00;
const ESCAPE: u8 = 0xFF;
const END: u8 = 0x00;
const NEGATIVE: u8 = 0x00;
const ZERO: u8 = 0x01;
const POSITIVE: u8 = 0x02;

/// The types that a key attribute can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyType {
    /// `S`
    String,
    /// `N`
    Number,
    /// `B`
    Binary,
}

impl KeyType {
    /// The type of the values.
    pub fn value_type(self) -> Type {
        match self {
            KeyType::String => Type::String,
            KeyType::Number => Type::Number,
            KeyType::Binary => Type::Binary,
        }
    }
}

/// Appends the bytes of a key value. Returns `false`, writing nothing, if the type cannot be a key.
#[must_use]
pub fn encode(value: &Value, out: &mut Vec<u8>) -> bool {
    match value {
        Value::String(text) => encode_bytes(text.as_bytes(), out),
        Value::Binary(bytes) => encode_bytes(bytes, out),
        Value::Number(number) => encode_number(number, out),
        Value::Bool(_)
        | Value::Null
        | Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => return false,
    }
    true
}

/// Appends the start of the bytes of every string or binary that begins with `prefix`.
pub fn encode_prefix(prefix: &[u8], out: &mut Vec<u8>) {
    out.reserve(prefix.len() + 2);
    // Hardly any key has a byte to escape, so that this is one copy.
    for piece in prefix.split_inclusive(|byte| *byte == ESCAPED) {
        out.extend_from_slice(piece);
        if piece.ends_with(&[ESCAPED]) {
            out.push(ESCAPE);
        }
    }
}

/// Appends the bytes of a number.
pub fn encode_number(number: &Number, out: &mut Vec<u8>) {
    if number.coefficient() == 0 {
        return out.push(ZERO);
    }
    out.push(if number.is_negative() { NEGATIVE } else { POSITIVE });
    let start = out.len();
    out.push((number.leading_exponent() - NUMBER_EXPONENT_MIN) as u8);
    push_digit_pairs(number.coefficient(), out);
    out.push(END);
    if number.is_negative() {
        out.iter_mut().skip(start).for_each(|byte| *byte = !*byte);
    }
}

/// Appends the bytes of a string or binary.
pub fn encode_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    encode_prefix(bytes, out);
    out.extend([END, END]);
}

/// The text in the bytes of a string, if it lies there as it is: no byte of it is escaped.
#[inline]
pub fn plain_text(encoded: &[u8]) -> Option<&[u8]> {
    let text = encoded.strip_suffix(&[END, END])?;
    (!has_zero(text)).then_some(text)
}

/// Returns whether a byte is 0, looking at eight at a time.
#[inline]
fn has_zero(bytes: &[u8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let among = |eight: &[u8; 8]| {
        let eight = u64::from_ne_bytes(*eight);
        eight.wrapping_sub(ONES) & !eight & HIGHS != 0
    };
    match bytes.last_chunk() {
        Some(last) => bytes.as_chunks().0.iter().any(among) || among(last),
        None => bytes.contains(&0),
    }
}

fn push_digit_pairs(coefficient: u128, out: &mut Vec<u8>) {
    let digits = coefficient.ilog10() + 1;
    let even = if digits.is_multiple_of(2) { coefficient } else { coefficient * 10 };
    let mut scale = 10_u128.pow(digits.next_multiple_of(2) - 2);
    while scale > 0 {
        out.push((even / scale % 100) as u8 + 1);
        scale /= 100;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encoded(value: &Value) -> Vec<u8> {
        let mut out = Vec::new();
        assert!(encode(value, &mut out));
        out
    }

    fn any_number() -> impl Strategy<Value = Number> {
        (any::<bool>(), prop_oneof![0..1000_u128, 0..10_u128.pow(38)], -130_i32..126)
            .prop_filter_map("range", |(sign, digits, exponent)| {
                Number::from_parts(sign, digits, exponent).ok()
            })
    }

    fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(
            prop_oneof![Just(0_u8), Just(1), Just(0xFE), Just(0xFF), any::<u8>()],
            0..8,
        )
    }

    #[test]
    fn a_text_lies_in_its_bytes_as_it_is_unless_it_has_a_zero() {
        for length in 0..40 {
            let text = "x".repeat(length);
            assert_eq!(plain_text(&encoded(&Value::from(text.as_str()))), Some(text.as_bytes()));
            for zero in 0..length {
                let mut bytes = text.clone().into_bytes();
                bytes[zero] = 0;
                assert_eq!(plain_text(&encoded(&Value::Binary(bytes))), None, "{zero} of {length}");
            }
        }
        assert_eq!(plain_text(b"cut off"), None);
    }

    #[test]
    fn types_that_cannot_be_keys_are_refused() {
        for value in [
            Value::Null,
            Value::Bool(true),
            Value::List(vec![]),
            Value::string_set(vec!["a".into()]),
        ] {
            assert!(!encode(&value, &mut Vec::new()), "{value:?}");
        }
    }

    #[test]
    fn numbers_of_the_whole_range_sort_by_value() {
        let texts = [
            "-9.9E125", "-1E125", "-100", "-12", "-11.5", "-11", "-1", "-0.5", "-1E-130", "0",
            "1E-130", "2E-130", "0.5", "0.51", "1", "1.0001", "9", "10", "11", "99", "100",
            "1E125", "9.9E125",
        ];
        let keys: Vec<_> =
            texts.iter().map(|text| encoded(&Value::Number(text.parse().unwrap()))).collect();
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:02x?}");
    }

    proptest! {
        #[test]
        fn order_of_number_bytes_is_order_of_numbers(a in any_number(), b in any_number()) {
            let (x, y) = (encoded(&Value::Number(a)), encoded(&Value::Number(b)));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert!(a == b || !x.starts_with(&y));
        }

        #[test]
        fn order_of_encoded_bytes_is_order_of_bytes(a in any_bytes(), b in any_bytes()) {
            let (x, y) = (encoded(&Value::Binary(a.clone())), encoded(&Value::Binary(b.clone())));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert!(a == b || !x.starts_with(&y));
        }

        #[test]
        fn parts_sort_before_what_follows_them(
            a in any_bytes(), b in any_bytes(), c in any_bytes(), d in any_bytes(),
        ) {
            let join = |first: &[u8], second: &[u8]| {
                let mut out = encoded(&Value::Binary(first.to_vec()));
                out.extend(encoded(&Value::Binary(second.to_vec())));
                out
            };
            prop_assert_eq!(join(&a, &b).cmp(&join(&c, &d)), (&a, &b).cmp(&(&c, &d)));
        }

        #[test]
        fn a_prefix_begins_just_what_it_begins(a in any_bytes(), b in any_bytes()) {
            let mut prefix = Vec::new();
            encode_prefix(&a, &mut prefix);
            prop_assert_eq!(encoded(&Value::Binary(b.clone())).starts_with(&prefix),
                b.starts_with(&a));
        }
    }
}

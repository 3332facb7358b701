//! Hashes in keys: a value that is found by equality alone, in a text of fixed width.
//!
//! A hash keeps long or secret values out of keys and spreads neighbours evenly. What it stood for
//! cannot be read back, so a key tells only whether a value that is known elsewhere fits.

use std::fmt::Write as _;

use hmac_sha256::Hash;
use monotable_item::{Type, Value};

use super::error::PartError;
use super::text_form::TextStep;

/// The hexadecimal digits of a whole SHA-256.
pub const HASH_DIGITS_MAX: u8 = 64;

/// `hash`, `hash(n)`: the first digits of the SHA-256 of a text, in lower-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HashForm {
    steps: Vec<TextStep>,
    digits: u8,
}

impl HashForm {
    /// A hash of 1 to 64 digits over a text to which some steps are done first.
    pub fn new(steps: Vec<TextStep>, digits: u8) -> Option<HashForm> {
        (1..=HASH_DIGITS_MAX).contains(&digits).then_some(HashForm { steps, digits })
    }

    /// What is done to the text before it is hashed.
    pub fn steps(&self) -> &[TextStep] {
        &self.steps
    }

    /// How many digits are written.
    pub fn digits(&self) -> u8 {
        self.digits
    }

    pub(crate) fn width(&self) -> usize {
        usize::from(self.digits)
    }

    /// Hashes the UTF-8 bytes of the text; a number is hashed as `raw` writes it.
    pub(crate) fn encode(&self, value: &Value) -> Result<String, PartError> {
        let source = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return Err(PartError::wrong_type(&[Type::String, Type::Number], value)),
        };
        let text = self.steps.iter().fold(source, |text, step| step.apply(&text));
        if text.is_empty() {
            return Err(PartError::Empty);
        }
        let mut written = String::with_capacity(usize::from(HASH_DIGITS_MAX));
        for byte in Hash::hash(text.as_bytes()) {
            write!(written, "{byte:02x}").expect("a text can always be written to");
        }
        written.truncate(self.width());
        Ok(written)
    }

    /// Returns whether a text can be a hash of this form.
    pub fn is_valid(&self, text: &str) -> bool {
        text.len() == self.width()
            && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(steps: Vec<TextStep>, digits: u8, value: &Value) -> String {
        HashForm::new(steps, digits).unwrap().encode(value).unwrap()
    }

    #[test]
    fn a_hash_is_the_published_sha_256_cut_to_its_digits() {
        let whole = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash(Vec::new(), 64, &Value::from("abc")), whole);
        assert_eq!(hash(Vec::new(), 8, &Value::from("abc")), whole[..8]);
        assert_eq!(hash(vec![TextStep::Fold], 64, &Value::from("ABC")), whole);
        let number = "73475cb40a568e8da8a045ced110137e159f890ac4da883b6b17dc651b3a8049";
        assert_eq!(hash(Vec::new(), 64, &Value::from(42)), number);
    }

    #[test]
    fn widths_beyond_the_hash_and_other_types_are_refused() {
        assert_eq!(HashForm::new(Vec::new(), 0), None);
        assert_eq!(HashForm::new(Vec::new(), 65), None);
        let form = HashForm::new(Vec::new(), 4).unwrap();
        assert!(form.encode(&Value::Bool(true)).is_err());
        assert!(form.encode(&Value::from("")).is_err());
        assert!(form.is_valid("00af") && !form.is_valid("00AF") && !form.is_valid("00a"));
    }
}

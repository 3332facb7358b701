//! Binary values: base64 with padding.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Base64Error, DecodeError};

/// The bytes of a base64 text.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, DecodeError> {
    STANDARD.decode(text).map_err(|_| DecodeError::Base64(fault_of(text)))
}

/// The base64 text of bytes.
pub(super) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// What DynamoDB would say of a text that is not base64: it tests the length first, then the
/// characters but for the padding, then the bits at the end, and stray padding last.
#[cold]
fn fault_of(text: &str) -> Base64Error {
    if !text.len().is_multiple_of(4) {
        return Base64Error::Length(text.len());
    }
    let digits = text.trim_end_matches('=');
    match digits.chars().find(|character| !is_digit(*character) && *character != '=') {
        Some(character) => Base64Error::Character(character),
        None if text.len() - digits.len() <= 2 && digits.len() < text.len() => {
            Base64Error::LastCharacter
        }
        None => Base64Error::Character('='),
    }
}

fn is_digit(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '+' | '/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, fault: Base64Error) {
        assert_eq!(decode(text), Err(DecodeError::Base64(fault)));
    }

    #[test]
    fn padded_base64_decodes() {
        assert_eq!(decode(""), Ok(vec![]));
        assert_eq!(decode("AA=="), Ok(vec![0]));
        assert_eq!(decode("//79"), Ok(vec![0xff, 0xfe, 0xfd]));
    }

    /// The first three are what public suites record of the service.
    #[test]
    fn the_fault_of_a_text_is_told() {
        check("23456", Base64Error::Length(5));
        check("=+/=", Base64Error::LastCharacter);
        check("+/+=", Base64Error::LastCharacter);
        check("A$==", Base64Error::Character('$'));
        check("A-_=", Base64Error::Character('-'));
        check("AA==AAAA", Base64Error::Character('='));
        check("A===", Base64Error::Character('='));
        check("AAAAA", Base64Error::Length(5));
        check("A\u{e9}A", Base64Error::Character('\u{e9}'));
    }
}

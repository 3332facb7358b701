//! `NextToken`: where the next page of a statement begins, as a text that clients carry around.
//!
//! A token tells which of the reads continues and after which key. It contains a digest of the
//! statement and its parameters, so that it is rejected with any other, and a checksum: it is not
//! secret, but truncated or hand-made text is not accepted. Its key is checked like a start key.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_item::{Item, Value, stored};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::error::ApiError;
use crate::wording::partiql;

const VERSION: u8 = 1;

/// Where a page begins.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct NextToken {
    /// Which of the reads.
    pub(crate) read: usize,
    /// After which key of it.
    pub(crate) start: Option<Item>,
}

/// Identifies a statement together with its parameters.
pub(crate) fn digest(statement: &str, parameters: &[Value]) -> u128 {
    let names = (0..).map(|position: usize| position.to_string());
    let values: Item = names.zip(parameters.iter().cloned()).collect();
    let mut bytes = (statement.len() as u64).to_be_bytes().to_vec();
    bytes.extend(statement.as_bytes());
    bytes.extend(stored::encode(&values));
    xxh3_128(&bytes)
}

impl NextToken {
    /// The token as text, for the statement with this digest.
    pub(crate) fn encode(&self, digest: u128) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(digest.to_be_bytes());
        bytes.extend((self.read as u64).to_be_bytes());
        if let Some(start) = &self.start {
            bytes.extend(stored::encode(start));
        }
        bytes.extend(xxh3_64(&bytes).to_be_bytes());
        STANDARD.encode(bytes)
    }

    /// Reads what [`NextToken::encode`] wrote for the same statement, and nothing else.
    pub(crate) fn decode(text: &str, digest: u128) -> Result<NextToken, ApiError> {
        let (sent_digest, token) = read(text).ok_or_else(partiql::invalid_token)?;
        if sent_digest == digest { Ok(token) } else { Err(partiql::foreign_token()) }
    }
}

fn read(text: &str) -> Option<(u128, NextToken)> {
    let bytes = STANDARD.decode(text).ok()?;
    let (bytes, sum) = bytes.split_last_chunk::<8>()?;
    if u64::from_be_bytes(*sum) != xxh3_64(bytes) {
        return None;
    }
    let (&[VERSION], bytes) = bytes.split_first_chunk::<1>()? else { return None };
    let (digest, bytes) = bytes.split_first_chunk::<16>()?;
    let (read, start) = bytes.split_first_chunk::<8>()?;
    let start = if start.is_empty() { None } else { Some(stored::decode(start).ok()?) };
    let read = usize::try_from(u64::from_be_bytes(*read)).ok()?;
    Some((u128::from_be_bytes(*digest), NextToken { read, start }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> NextToken {
        let start = Item::from([("pk".to_owned(), Value::from("a"))]);
        NextToken { read: 3, start: Some(start) }
    }

    #[test]
    fn tokens_read_back_for_the_same_statement_only() {
        let own = digest("SELECT * FROM t WHERE a = ?", &[Value::from(1)]);
        let text = token().encode(own);
        assert_eq!(NextToken::decode(&text, own), Ok(token()));
        let other = digest("SELECT * FROM t WHERE a = ?", &[Value::from(2)]);
        assert_eq!(NextToken::decode(&text, other), Err(partiql::foreign_token()));
    }

    #[test]
    fn no_text_with_another_character_or_fewer_is_a_token() {
        let text = token().encode(7);
        for (at, character) in text.char_indices() {
            assert_eq!(NextToken::decode(&text[..at], 7), Err(partiql::invalid_token()), "{at}");
            let other = if character == 'B' { 'C' } else { 'B' };
            let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            assert_eq!(NextToken::decode(&changed, 7), Err(partiql::invalid_token()), "{changed}");
        }
    }
}

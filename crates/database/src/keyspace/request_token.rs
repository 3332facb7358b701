//! Request tokens: `06 account region token` → when and for which request a transaction token was
//! used.
//!
//! Value: version `01`, time in milliseconds (8 bytes), digest of the request (16 bytes).

use monotable_storage::KeyRange;

use super::{home, tag};
use crate::home::Home;

const VERSION: u8 = 1;

/// What is remembered of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenRecord {
    /// When the transaction committed, in milliseconds since 1970.
    pub(crate) committed_millis: u64,
    /// A digest of the whole request.
    pub(crate) digest: u128,
}

/// The key of a token.
pub(crate) fn encode_key(home: &Home, token: &str) -> Vec<u8> {
    let mut key = home::prefix(tag::REQUEST_TOKEN, home);
    key.extend_from_slice(token.as_bytes());
    key
}

/// Returns whether a key is that of a token.
pub(crate) fn is_key(key: &[u8]) -> bool {
    home::split(tag::REQUEST_TOKEN, key)
        .is_some_and(|(_, token)| std::str::from_utf8(token).is_ok())
}

/// The keys of all tokens.
pub(crate) fn range() -> KeyRange {
    KeyRange::prefix(&[tag::REQUEST_TOKEN])
}

/// The bytes of a record.
pub(crate) fn encode_value(record: TokenRecord) -> Vec<u8> {
    let mut value = vec![VERSION];
    value.extend(record.committed_millis.to_be_bytes());
    value.extend(record.digest.to_be_bytes());
    value
}

/// Reads what [`encode_value`] wrote.
pub(crate) fn decode_value(value: &[u8]) -> Option<TokenRecord> {
    let (&[VERSION], rest) = value.split_first_chunk::<1>()? else { return None };
    let (committed, digest) = rest.split_first_chunk::<8>()?;
    Some(TokenRecord {
        committed_millis: u64::from_be_bytes(*committed),
        digest: u128::from_be_bytes(digest.try_into().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_read_back() {
        let record = TokenRecord { committed_millis: 1_700_000_000_123, digest: u128::MAX / 3 };
        assert_eq!(decode_value(&encode_value(record)), Some(record));
        assert_eq!(decode_value(b"\x02"), None);
    }
}

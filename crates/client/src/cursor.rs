//! Cursors: where a page ended.
//!
//! A sealed cursor is text that a client of the application may hold and give back: the version of
//! the form, the fingerprint of the access pattern, which shards it is about if there are several,
//! and the positions, followed by an HMAC-SHA256 over all of it, in base64. It is readable but
//! cannot be forged, and one of another access pattern or of an older model is refused.

use std::fmt;
use std::marker::PhantomData;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac_sha256::HMAC;
use monotable_item::{Item, stored};

use crate::entity::Pattern;
use crate::error::CursorError;

/// The version of the sealed form.
const VERSION: u8 = 1;

/// What stands before the number of the shards, and before no position.
const ASCENDING_SHARDS: u8 = 3;
const DESCENDING_SHARDS: u8 = 4;

/// The bytes of an HMAC-SHA256.
const TAG_BYTES: usize = 32;

/// A position in the results of an access pattern, or of a scan. [`Query`](crate::db::Query) has an
/// example.
///
/// Its type names the access pattern, so that a cursor of one is no cursor of another; a sealed one
/// is checked for that when it is opened.
pub struct Cursor<P> {
    /// One for each shard or segment; one for a pattern without shards.
    positions: Vec<Position>,
    /// Which shards they are positions in, if they are in several.
    shards: Option<Shards>,
    of: PhantomData<fn() -> P>,
}

/// The shards of one query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shards {
    /// A number that differs where their partition keys differ.
    pub(crate) partitions: u64,
    /// Whether they are read from the greatest sort key on.
    pub(crate) descending: bool,
}

/// What a cursor is a position in: an access pattern, [everything](crate::db::Everything) in a
/// table, or the [entries](crate::db::Entries) of an index.
pub trait CursorScope {
    /// Identifies what positions refer to; differs between scopes.
    fn fingerprint() -> u64;
}

impl<P: Pattern> CursorScope for P {
    fn fingerprint() -> u64 {
        P::schema().fingerprint
    }
}

/// A position in one partition, or in one segment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Position {
    /// Nothing was read.
    Start,
    /// Everything up to this key was read.
    After(Item),
    /// Everything was read.
    End,
}

impl<P> Clone for Cursor<P> {
    fn clone(&self) -> Cursor<P> {
        Cursor { positions: self.positions.clone(), shards: self.shards, of: PhantomData }
    }
}

impl<P> fmt::Debug for Cursor<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cursor").field(&self.positions).finish()
    }
}

impl<P> Cursor<P> {
    pub(crate) fn new(positions: Vec<Position>) -> Cursor<P> {
        Cursor { positions, shards: None, of: PhantomData }
    }

    pub(crate) fn over(shards: Shards, positions: Vec<Position>) -> Cursor<P> {
        Cursor { positions, shards: Some(shards), of: PhantomData }
    }

    pub(crate) fn shards(&self) -> Option<Shards> {
        self.shards
    }

    pub(crate) fn into_positions(self) -> Vec<Position> {
        self.positions
    }

    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions
    }
}

impl<P: CursorScope> Cursor<P> {
    /// Returns the cursor as text, signed with the secret.
    pub fn seal(&self, secret: &[u8]) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(P::fingerprint().to_be_bytes());
        if let Some(Shards { partitions, descending }) = self.shards {
            bytes.push(if descending { DESCENDING_SHARDS } else { ASCENDING_SHARDS });
            bytes.extend(partitions.to_be_bytes());
        }
        for position in &self.positions {
            match position {
                Position::Start => bytes.push(0),
                Position::End => bytes.push(2),
                Position::After(key) => {
                    let key = stored::encode(key);
                    bytes.push(1);
                    bytes.extend((key.len() as u32).to_be_bytes());
                    bytes.extend(key);
                }
            }
        }
        bytes.extend(HMAC::mac(&bytes, secret));
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads what [`Cursor::seal`] wrote with the same secret, for the same access pattern.
    pub fn open(sealed: &str, secret: &[u8]) -> Result<Cursor<P>, CursorError> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed).map_err(|_| CursorError::NotAuthentic)?;
        let (body, tag) = bytes.split_last_chunk::<TAG_BYTES>().ok_or(CursorError::NotAuthentic)?;
        if !HMAC::verify(body, secret, tag) {
            return Err(CursorError::NotAuthentic);
        }
        let rest = body.strip_prefix(&[VERSION]).ok_or(CursorError::OtherPattern)?;
        let rest = rest.strip_prefix(&P::fingerprint().to_be_bytes());
        let (shards, rest) = read_shards(rest.ok_or(CursorError::OtherPattern)?);
        let positions = read_positions(rest).ok_or(CursorError::OtherPattern)?;
        Ok(Cursor { positions, shards, of: PhantomData })
    }
}

fn read_shards(bytes: &[u8]) -> (Option<Shards>, &[u8]) {
    let split = bytes.split_first().and_then(|(kind, rest)| {
        let descending = match *kind {
            ASCENDING_SHARDS => false,
            DESCENDING_SHARDS => true,
            _ => return None,
        };
        let (partitions, rest) = rest.split_first_chunk()?;
        Some((Shards { partitions: u64::from_be_bytes(*partitions), descending }, rest))
    });
    split.map_or((None, bytes), |(shards, rest)| (Some(shards), rest))
}

fn read_positions(mut bytes: &[u8]) -> Option<Vec<Position>> {
    let mut positions = Vec::new();
    while let Some((kind, rest)) = bytes.split_first() {
        bytes = rest;
        positions.push(match kind {
            0 => Position::Start,
            2 => Position::End,
            1 => {
                let (length, rest) = bytes.split_first_chunk::<4>()?;
                let length = u32::from_be_bytes(*length) as usize;
                let (key, rest) = rest.split_at_checked(length)?;
                bytes = rest;
                Position::After(stored::decode(key).ok()?)
            }
            _ => return None,
        });
    }
    Some(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Seventh;

    impl CursorScope for Seventh {
        fn fingerprint() -> u64 {
            7
        }
    }

    /// Computed with another implementation: sealed cursors outlive a version of this one.
    const SEALED: &str = "AQAAAAAAAAAHAAJblXHyttlx7oVgf6G2b_ANCc42K5wcWz-dalaJXBWviA";

    #[test]
    fn a_sealed_cursor_carries_the_hmac_sha256_of_its_content() {
        let cursor: Cursor<Seventh> = Cursor::new(vec![Position::Start, Position::End]);
        assert_eq!(cursor.seal(b"secret"), SEALED);
        let opened = Cursor::<Seventh>::open(SEALED, b"secret").unwrap();
        assert_eq!(opened.positions(), cursor.positions());
        let refused = |sealed: &str, secret: &[u8]| {
            assert_eq!(
                Cursor::<Seventh>::open(sealed, secret).unwrap_err(),
                CursorError::NotAuthentic
            );
        };
        refused(SEALED, b"another");
        refused(&SEALED[4..], b"secret");
        refused("AQ", b"secret");
    }
}

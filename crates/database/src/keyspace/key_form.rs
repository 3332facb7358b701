//! Long keys as short ones.
//!
//! DynamoDB's keys reach 3 KB, those of index entries 6 KB, and twice that where bytes are escaped;
//! the index of a database that many servers share takes some 2,600 bytes. Partition keys, and the
//! table key at the end of an index entry, are only ever compared for equality. So a long one is
//! stored as its SHA-256: the item itself has its attributes.
//!
//! | first byte | what follows |
//! |---|---|
//! | `00` | the encoded key |
//! | `01` | SHA-256 of the encoded key |

use ring::digest::{SHA256, digest};

const PLAIN: u8 = 0;
const HASHED: u8 = 1;

/// The longest encoded key that is stored as it is. With two of them and a sort key whose bytes are
/// all escaped, the key of an index entry stays below 2,600 bytes.
const PLAIN_BYTES_MAX: usize = 256;

/// Begins a key that is then appended in its encoded form and completed by [`finish`].
pub(crate) fn begin() -> Vec<u8> {
    let mut key = Vec::with_capacity(40);
    key.push(PLAIN);
    key
}

/// Makes a key short if it is long.
pub(crate) fn finish(mut key: Vec<u8>) -> Vec<u8> {
    if key.len() > 1 + PLAIN_BYTES_MAX {
        let hash = digest(&SHA256, key.get(1..).unwrap_or_default());
        key.clear();
        key.push(HASHED);
        key.extend_from_slice(hash.as_ref());
    }
    key
}

/// Appends an encoded key, made short if it is long.
pub(crate) fn push(out: &mut Vec<u8>, encoded: &[u8]) {
    if encoded.len() > PLAIN_BYTES_MAX {
        out.push(HASHED);
        out.extend_from_slice(digest(&SHA256, encoded).as_ref());
    } else {
        out.push(PLAIN);
        out.extend_from_slice(encoded);
    }
}

/// The encoded key that a stored one is, unless it was long.
#[inline]
pub(crate) fn plain(key: &[u8]) -> Option<&[u8]> {
    key.strip_prefix(&[PLAIN])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(encoded: &[u8]) -> Vec<u8> {
        let mut key = begin();
        key.extend_from_slice(encoded);
        finish(key)
    }

    #[test]
    fn both_ways_give_the_same() {
        for bytes in [0, 1, PLAIN_BYTES_MAX, PLAIN_BYTES_MAX + 1, 6000] {
            let encoded = vec![7; bytes];
            let mut pushed = Vec::new();
            push(&mut pushed, &encoded);
            assert_eq!(pushed, finished(&encoded));
            assert!(pushed.len() <= 1 + PLAIN_BYTES_MAX);
        }
    }

    #[test]
    fn long_keys_that_differ_in_the_last_byte_stay_apart() {
        let mut long = vec![7; 5000];
        let first = finished(&long);
        *long.last_mut().unwrap() = 8;
        assert_ne!(finished(&long), first);
    }

    #[test]
    fn no_short_key_is_taken_for_a_long_one() {
        let long = finished(&[7; 5000]);
        assert_ne!(finished(&long[1..]), long);
    }
}

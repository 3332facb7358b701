//! Which keys a table may have.
//!
//! A Bloom filter whose bits for one key lie in one line of memory, so that a key that is not there
//! costs one access. A line has 512 bits, of which each key sets six.

/// The bytes of a line.
const LINE_BYTES: usize = 64;
/// How many bits there are for each key. One key in two hundred that is not there looks as if it
/// were.
const BITS_PER_KEY: usize = 12;
/// How many bits a key sets.
const BITS_SET: u32 = 6;

/// Makes a filter of the hashes of all keys.
pub(super) fn build(hashes: &[u64]) -> Vec<u8> {
    let lines = (hashes.len() * BITS_PER_KEY).div_ceil(8 * LINE_BYTES).max(1);
    let mut filter = vec![0; lines * LINE_BYTES];
    for hash in hashes {
        let begin = line(*hash, lines) * LINE_BYTES;
        for (byte, bit) in bits(*hash) {
            if let Some(byte) = filter.get_mut(begin + byte) {
                *byte |= bit;
            }
        }
    }
    filter
}

/// Returns whether a key with this hash may be there.
pub(super) fn may_have(filter: &[u8], hash: u64) -> bool {
    let begin = line(hash, filter.len() / LINE_BYTES) * LINE_BYTES;
    let Some(line) = filter.get(begin..begin + LINE_BYTES) else { return true };
    bits(hash).all(|(byte, bit)| line.get(byte).is_some_and(|byte| byte & bit != 0))
}

fn line(hash: u64, lines: usize) -> usize {
    (((hash >> 32) * lines as u64) >> 32) as usize
}

/// The places in a line.
fn bits(hash: u64) -> impl Iterator<Item = (usize, u8)> {
    // The upper half has chosen the line already.
    let mixed = (hash as u32 as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (0..BITS_SET).map(move |place| {
        let bit = (mixed >> (9 * place + 10)) & 511;
        ((bit >> 3) as usize, 1 << (bit & 7))
    })
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;

    fn hashes(numbers: std::ops::Range<u32>) -> Vec<u64> {
        numbers.map(|number| xxh3_64(&number.to_be_bytes())).collect()
    }

    #[test]
    fn what_is_there_is_found_and_little_else() {
        let filter = build(&hashes(0..10_000));
        assert!(hashes(0..10_000).into_iter().all(|hash| may_have(&filter, hash)));
        let wrong = hashes(10_000..110_000).into_iter().filter(|hash| may_have(&filter, *hash));
        assert!((200..1_200).contains(&wrong.count()));
    }

    #[test]
    fn an_empty_filter_has_nothing() {
        assert!(!may_have(&build(&[]), 7));
    }
}

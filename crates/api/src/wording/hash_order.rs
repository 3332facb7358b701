//! The order in which the service lists the keys of a map.
//!
//! Texts that list placeholders give them in the order of a Java hash map: by the lower bits of
//! their hashes, as many as its table has.

/// The slots of the smallest table.
const SLOTS_MIN: usize = 16;

/// Sorts keys into the order of a hash map that holds just these.
pub(crate) fn sort(keys: &mut [&str]) {
    // A table grows when it is more than three quarters full.
    let slots = (keys.len() * 4).div_ceil(3).next_power_of_two().max(SLOTS_MIN);
    keys.sort_by_key(|key| slot(key, slots));
}

fn slot(key: &str, slots: usize) -> usize {
    let hash = hash(key);
    (hash ^ (hash >> 16)) as usize & (slots - 1)
}

/// The hash of a Java string.
fn hash(text: &str) -> u32 {
    let step = |hash: u32, unit: u16| hash.wrapping_mul(31).wrapping_add(u32::from(unit));
    text.encode_utf16().fold(0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_hash_as_in_java() {
        assert_eq!(hash("hello"), 99_162_322);
    }

    #[test]
    fn keys_are_listed_by_the_low_bits_of_their_hashes() {
        // `#a` is 1182, `#b` 1183, `#p` 1197: slots 14, 15 and 13.
        let mut keys = ["#a", "#b", "#p"];
        sort(&mut keys);
        assert_eq!(keys, ["#p", "#a", "#b"]);
    }
}

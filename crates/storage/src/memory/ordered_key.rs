//! [`OrderedKey`]: a key whose first bytes lie in the map's own nodes.
//!
//! A search in an ordered map compares some twenty keys. Were they all behind pointers, each
//! comparison would miss the cache; the first sixteen bytes, which take in the family tag, the
//! table and the hash of the partition key, nearly always settle it.

use std::cmp::Ordering;
use std::sync::Arc;

/// A key, ordered as its bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OrderedKey {
    /// The first bytes as a big-endian number, zeros after the end. If two heads differ, the keys
    /// differ in the same direction; if they are equal, the keys may still differ.
    head: u128,
    bytes: Arc<[u8]>,
}

impl OrderedKey {
    pub(super) fn new(bytes: &[u8]) -> OrderedKey {
        let mut head = [0; size_of::<u128>()];
        head.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        OrderedKey { head: u128::from_be_bytes(head), bytes: bytes.into() }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Ord for OrderedKey {
    fn cmp(&self, other: &OrderedKey) -> Ordering {
        self.head.cmp(&other.head).then_with(|| self.bytes.cmp(&other.bytes))
    }
}

impl PartialOrd for OrderedKey {
    fn partial_cmp(&self, other: &OrderedKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_order_as_their_bytes(
            left in vec(prop_oneof![3 => Just(0), 1 => any::<u8>()], 0..20),
            right in vec(prop_oneof![3 => Just(0), 1 => any::<u8>()], 0..20),
        ) {
            let order = OrderedKey::new(&left).cmp(&OrderedKey::new(&right));
            prop_assert_eq!(order, left.cmp(&right));
        }
    }
}

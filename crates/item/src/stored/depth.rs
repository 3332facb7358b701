//! How deeply nested the value is that a reader is at.

use super::CorruptItem;
use crate::limits::NESTING_MAX;

/// How many maps and lists lie around a value of a stored item.
///
/// Readers go into values by calling themselves. Damaged bytes may lie as deep as an item has
/// bytes, which no stack can follow, so that readers count, and refuse what lies deeper than any
/// item that was written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Depth(usize);

impl Depth {
    /// The depth of what is in a list or map at this depth.
    #[inline]
    pub fn inside(self) -> Result<Depth, CorruptItem> {
        if self.0 < NESTING_MAX {
            Ok(Depth(self.0 + 1))
        } else {
            Err(CorruptItem("nested too deep"))
        }
    }
}

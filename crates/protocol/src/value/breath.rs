//! Giving way between large items.
//!
//! A request can hold 25 items of 400 KB, and an answer 16 MB of them. Whoever reads or writes these works
//! for several milliseconds. The system may leave it the processor for that long, although threads with
//! far less to do wait for it.

use std::thread;

/// An item from this size on is large.
const LARGE_BYTES: usize = 64 * 1024;

/// Lets other threads have the processor for a moment after work on an item of this size, if it is large.
#[inline]
pub(super) fn breathe(item_bytes: usize) {
    if item_bytes >= LARGE_BYTES {
        thread::yield_now();
    }
}

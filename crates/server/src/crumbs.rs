//! Rests between reads of a request that comes in crumbs.
//!
//! A client that sends a request byte by byte has its connection wake up for each of them, and two
//! thousand such clients keep the server busy with bytes that lead nowhere. So after a few crumbs
//! in a row each further read waits for a while, longer each time, and takes all that has come
//! meanwhile. A request whose pieces are as large as packets never waits.
//!
//! Clients that began together must not be read together either, or everyone else waits while all
//! of them are. So each request rests for a length of its own.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Reads of fewer bytes bring a crumb: a packet has more.
const CRUMB_BYTES: usize = 512;

/// So many crumbs in a row are nothing special.
const FREE: u32 = 4;

/// The first rest, at most. Each is twice as long as the one before.
const REST_MIN: Duration = Duration::from_millis(1);

/// The longest rest. A client that sends in crumbs waits so much longer for its answer at most.
const REST_MAX: Duration = Duration::from_millis(250);

/// Crumbs that come more seldom than this cost nothing.
const ROW_MILLIS: u64 = 1000;

/// Two to the power of 32 by the golden ratio: its multiples spread evenly, however many are taken.
const STRIDE: u32 = 0x9E37_79B9;

static NEXT_SHARE: AtomicU32 = AtomicU32::new(0);

/// How a request has been coming.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crumbs {
    in_a_row: u32,
    last_millis: u64,
    /// How much of the second half of each rest is kept, of 256.
    share: u8,
}

impl Crumbs {
    pub(crate) fn new() -> Crumbs {
        let [share, ..] = NEXT_SHARE.fetch_add(STRIDE, Ordering::Relaxed).to_be_bytes();
        Crumbs { in_a_row: 0, last_millis: 0, share }
    }

    /// Notes what a read brought, and when.
    pub(crate) fn note(&mut self, bytes: usize, now_millis: u64) {
        let is_in_a_row = now_millis.saturating_sub(self.last_millis) < ROW_MILLIS;
        let before = if is_in_a_row { self.in_a_row } else { 0 };
        self.in_a_row = if bytes < CRUMB_BYTES { before.saturating_add(1) } else { 0 };
        self.last_millis = now_millis;
    }

    /// How long to wait before the next read, if at all.
    pub(crate) fn rest(&self) -> Option<Duration> {
        let doublings = self.in_a_row.checked_sub(FREE + 1)?;
        let longest = REST_MIN.saturating_mul(1 << doublings.min(16)).min(REST_MAX);
        Some(longest / 2 + longest / 2 * u32::from(self.share) / 256)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_with_every_crumb_and_end_with_a_packet_or_a_pause() {
        let mut crumbs = Crumbs { share: 0, ..Crumbs::new() };
        let mut rests = Vec::new();
        for _ in 0..15 {
            crumbs.note(1, 5_000);
            rests.push(crumbs.rest().map_or(0, |rest| rest.as_micros()));
        }
        let rests_micros = [
            0, 0, 0, 0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 125_000, 125_000,
            125_000,
        ];
        assert_eq!(rests, rests_micros);
        let mut late = crumbs;
        late.note(1, 6_000);
        assert_eq!(late.rest(), None);
        crumbs.note(CRUMB_BYTES, 5_000);
        assert_eq!(crumbs.rest(), None);
    }

    #[test]
    fn requests_that_came_together_are_read_one_after_another() {
        let mut rests: Vec<Duration> = (0..2_000)
            .filter_map(|_| {
                let mut crumbs = Crumbs::new();
                (0..20).for_each(|_| crumbs.note(1, 5_000));
                crumbs.rest()
            })
            .collect();
        assert!(rests.iter().all(|rest| (REST_MAX / 2..REST_MAX).contains(rest)));
        rests.sort();
        let at_once = rests.chunk_by(|one, other| one == other).map(<[_]>::len).max();
        assert!(at_once < Some(20), "{at_once:?} of 2,000 rest for the same time");
    }
}

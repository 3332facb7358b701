//! Rests between reads of a request that comes in crumbs.
//!
//! A client that sends a request byte by byte has its connection wake up for each of them, and two thousand
//! such clients keep the server busy with bytes that lead nowhere. So after a few crumbs in a row each
//! further read waits for a while, longer each time, and takes all that has come meanwhile. A request whose
//! pieces are as large as packets never waits.

use std::time::Duration;

/// Reads of fewer bytes bring a crumb: a packet has more.
const CRUMB_BYTES: usize = 512;

/// So many crumbs in a row are nothing special.
const FREE: u32 = 4;

/// The first rest. Each is twice as long as the one before.
const REST_MIN: Duration = Duration::from_millis(1);

/// The longest rest. A client that sends in crumbs waits so much longer for its answer at most.
const REST_MAX: Duration = Duration::from_millis(250);

/// Crumbs that come more seldom than this cost nothing.
const ROW_MILLIS: u64 = 1000;

/// How a request has been coming.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Crumbs {
    in_a_row: u32,
    last_millis: u64,
}

impl Crumbs {
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
        Some(REST_MIN.saturating_mul(1 << doublings.min(16)).min(REST_MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_with_every_crumb_and_end_with_a_packet_or_a_pause() {
        let mut crumbs = Crumbs::default();
        let mut rests = Vec::new();
        for _ in 0..15 {
            crumbs.note(1, 5_000);
            rests.push(crumbs.rest().map_or(0, |rest| rest.as_millis()));
        }
        assert_eq!(rests, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 250, 250, 250]);
        let mut late = crumbs;
        late.note(1, 6_000);
        assert_eq!(late.rest(), None);
        crumbs.note(CRUMB_BYTES, 5_000);
        assert_eq!(crumbs.rest(), None);
    }
}

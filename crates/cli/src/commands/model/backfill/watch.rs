//! Shows how far a migration has come, while it goes on.

use std::future::Future;
use std::time::Duration;

use monotable_migrate::{Job, Prepared, Progress, Stage};

use crate::progress_line::ProgressLine;

/// How often the line is written.
const INTERVAL: Duration = Duration::from_millis(200);

/// The result of some work, with a line on the terminal meanwhile.
pub(super) async fn watched<T>(
    job: &Job,
    prepared: &Prepared,
    progress: &Progress,
    work: impl Future<Output = T>,
) -> T {
    let clock = job.endpoint.clock();
    let line = ProgressLine::new();
    let mut pace = Pace { began_millis: clock.now_millis(), first: None };
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            result = &mut work => return result,
            () = clock.sleep(INTERVAL) => {
                line.say(&pace.text(clock.now_millis(), prepared.item_count, progress));
            }
        }
    }
}

/// How fast items are read.
struct Pace {
    began_millis: u64,
    /// What had been read when the first line was written: an earlier run's share is not this
    /// one's.
    first: Option<u64>,
}

impl Pace {
    fn text(&mut self, now_millis: u64, total: u64, progress: &Progress) -> String {
        let counts = progress.counts();
        let scanned = counts.scanned;
        let first = *self.first.get_or_insert(scanned);
        let verb = match progress.stage() {
            Stage::Backfill => "read",
            Stage::Verify => "verified",
        };
        let seconds = Duration::from_millis(now_millis.saturating_sub(self.began_millis)).as_secs();
        let rate = scanned.saturating_sub(first).checked_div(seconds).unwrap_or(0);
        let percent = scanned.saturating_mul(100).checked_div(total).unwrap_or(0).min(100);
        let left = total.saturating_sub(scanned).checked_div(rate);
        let left = left.map_or("?".to_owned(), |left| {
            humantime::format_duration(Duration::from_secs(left)).to_string()
        });
        let changed = counts.updated + counts.moved;
        format!(
            "{percent:>3}% {verb} {scanned} of about {total} items, {rate}/s, about {left} left; \
             {changed} changed"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_the_pace() {
        let mut pace = Pace { began_millis: 0, first: Some(0) };
        let text = pace.text(2_000, 100, &Progress::new());
        assert_eq!(text, "  0% read 0 of about 100 items, 0/s, about ? left; 0 changed");
    }
}

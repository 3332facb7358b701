//! [`PostgresSnapshot`]: a `repeatable read` transaction on a connection of its own.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use monotable_storage::{Direction, ErrorKind, Key, KeyRange, Result, Snapshot};

use crate::changes::position;
use crate::connection::Connection;
use crate::error::failed_in_snapshot;
use crate::key_bounds::{KeyBounds, next};
use crate::queries::{self, end_of_names};
use crate::readers::Borrowed;
use crate::timing::within_on;

/// How many entries the first page has at most. Entries can be large.
const PAGE_ENTRIES_FIRST: usize = 32;

/// How many entries any page has at most.
const PAGE_ENTRIES_MAX: usize = 1024;

/// The approximate size of a page in bytes.
const PAGE_BYTES: usize = 1 << 20;

/// The state of a [`PostgresEngine`](crate::PostgresEngine) at one moment.
#[derive(Clone)]
pub struct PostgresSnapshot {
    borrowed: Arc<Borrowed>,
    is_closed: Arc<AtomicBool>,
}

impl PostgresSnapshot {
    pub(crate) fn new(borrowed: Borrowed, is_closed: Arc<AtomicBool>) -> PostgresSnapshot {
        PostgresSnapshot { borrowed: Arc::new(borrowed), is_closed }
    }

    fn connection(&self) -> Result<&Connection> {
        if self.is_closed.load(Ordering::Acquire) {
            return Err(ErrorKind::Closed.into());
        }
        self.borrowed.connection()
    }

    /// Waits for an answer, with a limit. A snapshot whose connection is lost or silent is over.
    async fn answered<T>(
        &self,
        question: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        let limit = self.borrowed.answer_timeout();
        let answer = within_on(self.borrowed.handle(), limit, question).await;
        answer.map_err(|_| ErrorKind::Expired)?.map_err(failed_in_snapshot)
    }
}

impl Snapshot for PostgresSnapshot {
    async fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.answered(queries::get(self.connection()?, key)).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>> {
        let keys = || keys.iter().map(Vec::as_slice);
        let found = self.answered(queries::get_many(self.connection()?, keys())).await?;
        Ok(keys().map(|key| found.get(key).cloned()).collect())
    }

    async fn visit(
        &self,
        range: &KeyRange,
        direction: Direction,
        about: usize,
        mut visit: impl FnMut(&[u8], Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let connection = self.connection()?;
        let mut pages = Pages::new(about);
        let mut rest = KeyBounds::of(range);
        while let Some(bounds) = rest {
            let entries = queries::range_page(connection, &bounds, direction, pages.entries);
            let entries = self.answered(entries).await?;
            let last = pages.last_of(&entries, |(key, value)| key.len() + value.len());
            rest = last.and_then(|(key, _)| bounds.after(key.clone(), direction));
            for (key, value) in entries {
                if visit(&key, value).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    async fn visit_log(
        &self,
        log: &[u8],
        positions: RangeInclusive<u64>,
        direction: Direction,
        about: usize,
        mut visit: impl FnMut(u64, Bytes) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let connection = self.connection()?;
        let mut pages = Pages::new(about);
        let (mut first, mut last) = (position(*positions.start()), position(*positions.end()));
        while first <= last && !pages.is_last {
            let page = (first, last);
            let entries = queries::log_page(connection, log, page, direction, pages.entries);
            let entries = self.answered(entries).await?;
            if let Some((position, _)) = pages.last_of(&entries, |(_, value)| value.len()) {
                match direction {
                    Direction::Forward => first = position.saturating_add(1),
                    Direction::Backward => last = position - 1,
                }
            }
            for (position, value) in entries {
                if visit(position.cast_unsigned(), value).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    async fn logs(&self) -> Result<Vec<Key>> {
        self.answered(queries::logs(self.connection()?)).await
    }

    async fn counter(&self, counter: &[u8]) -> Result<i64> {
        let end = next(counter);
        let found =
            self.answered(queries::counters_page(self.connection()?, counter, &end, 1)).await?;
        Ok(found.first().map_or(0, |(_, value)| *value))
    }

    async fn visit_counters(
        &self,
        prefix: &[u8],
        after: Option<&[u8]>,
        about: usize,
        mut visit: impl FnMut(&[u8], i64) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        let connection = self.connection()?;
        let mut pages = Pages::new(about);
        let mut from = after.map_or_else(Key::new, next).max(prefix.to_vec());
        let end = KeyRange::prefix(prefix);
        let to = match end.end() {
            std::ops::Bound::Included(end) | std::ops::Bound::Excluded(end) => end.to_vec(),
            std::ops::Bound::Unbounded => end_of_names(),
        };
        while from < to && !pages.is_last {
            let found =
                self.answered(queries::counters_page(connection, &from, &to, pages.entries));
            let found = found.await?;
            if let Some((name, _)) = pages.last_of(&found, |(name, _)| name.len()) {
                from = next(name);
            }
            for (name, value) in found {
                if visit(&name, value).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// How many entries to read at a time: few at first, then as many as make a page of a good size.
struct Pages {
    entries: usize,
    is_last: bool,
}

impl Pages {
    fn new(about: usize) -> Pages {
        Pages { entries: about.clamp(1, PAGE_ENTRIES_FIRST), is_last: false }
    }

    /// The last entry of a page, if another page may follow it.
    fn last_of<'a, T>(&mut self, page: &'a [T], bytes: impl Fn(&T) -> usize) -> Option<&'a T> {
        self.is_last = page.len() < self.entries;
        let total: usize = page.iter().map(bytes).sum();
        let entry_bytes = (total / page.len().max(1)).max(1);
        self.entries = (PAGE_BYTES / entry_bytes).clamp(1, PAGE_ENTRIES_MAX);
        if self.is_last { None } else { page.last() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_large_entries_stay_small() {
        let mut pages = Pages::new(usize::MAX);
        assert_eq!(pages.entries, PAGE_ENTRIES_FIRST);
        let page = [400 << 10; PAGE_ENTRIES_FIRST];
        assert!(pages.last_of(&page, |bytes| *bytes).is_some());
        assert_eq!(pages.entries, 2);
        assert!(pages.last_of(&[7], |bytes| *bytes).is_none());
    }
}

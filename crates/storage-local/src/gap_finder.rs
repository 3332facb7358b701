//! Finds stretches of deleted entries before anybody has to walk over them.
//!
//! A queue may be filled and emptied for long before its head is read, and the first reader would
//! pass over everything that was in it. So the keys of deletions are looked at in the background,
//! some at a time: from each of them a walk continues to the first value, and notes what it has
//! passed (`gaps`). A stretch that is too short to be worth a note is looked at again with the next
//! keys.
//!
//! Most deletions are of single entries among many, such as the old entry of an index. When none of
//! some keys has led to a gap, the next ones are left alone, and the more so the longer it stays
//! like that.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bytes::Bytes;
use monotable_storage::{Key, Result};

use crate::priority::{Priority, set_priority};
use crate::snapshot::{LocalSnapshot, Published};
use crate::walk::Outcome;

/// For how long keys are gathered.
const GATHERING: Duration = Duration::from_millis(10);
/// How many keys are gathered at most. Deletions beyond these are found by the walk that meets
/// them.
const KEYS_MAX: usize = 1 << 16;
/// From how many keys walks go on before it is given up that any leads to a gap.
const FRUITLESS_WALKS: usize = 32;
/// How many stretches are kept that are too short.
const SHORT_MAX: usize = 1 << 10;
/// For how many times as long nothing is gathered, at most.
const PAUSES_MAX: u32 = 64;

/// The thread that looks. Dropping it ends it.
pub(crate) struct GapFinder {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    gathered: Mutex<Gathered>,
    changed: Condvar,
    /// Whether keys are wanted, for those that delete.
    is_gathering: AtomicBool,
}

#[derive(Default)]
struct Gathered {
    keys: Vec<Key>,
    is_stopping: bool,
}

impl GapFinder {
    pub(crate) fn start(published: Arc<Published>) -> std::io::Result<GapFinder> {
        let shared = Arc::<Shared>::default();
        shared.is_gathering.store(true, Ordering::Relaxed);
        let thread = thread::Builder::new().name("storage-gaps".to_owned()).spawn({
            let shared = shared.clone();
            move || {
                set_priority(Priority::Low);
                shared.run(&published);
            }
        })?;
        Ok(GapFinder { shared, thread: Some(thread) })
    }

    /// Those keys of a commit that it wants to know of: the deleted ones, or none for a while.
    pub(crate) fn wanted(&self, writes: &[(Key, Option<Bytes>)]) -> Vec<Key> {
        if !self.shared.is_gathering.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let deleted = writes.iter().filter(|(_, value)| value.is_none());
        deleted.map(|(key, _)| key.clone()).collect()
    }

    /// Takes note of keys that were deleted, after everybody can see that.
    pub(crate) fn deleted(&self, mut keys: Vec<Key>) {
        if keys.is_empty() {
            return;
        }
        let mut gathered = self.shared.lock();
        let was_empty = gathered.keys.is_empty();
        keys.truncate(KEYS_MAX.saturating_sub(gathered.keys.len()));
        gathered.keys.append(&mut keys);
        drop(gathered);
        if was_empty {
            self.shared.changed.notify_one();
        }
    }
}

impl Drop for GapFinder {
    fn drop(&mut self) {
        self.shared.lock().is_stopping = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that looks for gaps panicked");
        }
    }
}

impl Shared {
    fn run(&self, published: &Published) {
        let mut search = Search::default();
        while (search.is_unsettled || self.wait_for_keys()) && self.wait(GATHERING) {
            search.keys.extend(std::mem::take(&mut self.lock().keys));
            // What cannot be read is told to whoever asks for it, and a store that is closed needs
            // no gaps.
            let found = published.get().and_then(|snapshot| search.run(&snapshot));
            if found.is_err() || !self.pause(search.pauses) {
                return;
            }
        }
    }

    /// Waits until something is deleted; `false` means to stop.
    fn wait_for_keys(&self) -> bool {
        let is_idle = |gathered: &mut Gathered| gathered.keys.is_empty() && !gathered.is_stopping;
        let waited = self.changed.wait_while(self.lock(), is_idle);
        !waited.unwrap_or_else(PoisonError::into_inner).is_stopping
    }

    /// Gathers nothing for a while; `false` means to stop.
    fn pause(&self, pauses: u32) -> bool {
        if pauses == 0 {
            return true;
        }
        self.is_gathering.store(false, Ordering::Relaxed);
        let goes_on = self.wait(GATHERING * pauses);
        self.is_gathering.store(true, Ordering::Relaxed);
        goes_on
    }

    /// Lets so much time pass; `false` means to stop.
    fn wait(&self, length: Duration) -> bool {
        let is_running = |gathered: &mut Gathered| !gathered.is_stopping;
        let waited = self.changed.wait_timeout_while(self.lock(), length, is_running);
        !waited.unwrap_or_else(PoisonError::into_inner).0.is_stopping
    }

    /// Every change is a single step, so what a panicking thread left is good.
    fn lock(&self) -> MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The keys to look at.
#[derive(Default)]
struct Search {
    keys: BTreeSet<Key>,
    /// Whether to look again though nothing more is deleted.
    is_unsettled: bool,
    /// For how long to pause. It doubles each time that nothing was found.
    pauses: u32,
}

impl Search {
    /// Walks on from each key, unless an earlier walk has passed it.
    fn run(&mut self, snapshot: &LocalSnapshot) -> Result<()> {
        let mut short = BTreeSet::new();
        let mut gaps = 0;
        self.is_unsettled = false;
        while let Some(start) = self.keys.pop_first() {
            let stretch = snapshot.stretch_from(&start)?;
            self.keys = stretch.end.map_or_else(BTreeSet::new, |end| self.keys.split_off(&end));
            match stretch.outcome {
                Outcome::Gap => gaps += 1,
                Outcome::Short if stretch.entries == 0 => {}
                Outcome::Short => drop(short.insert(start)),
                Outcome::Doubtful => {
                    self.is_unsettled = true;
                    short.insert(start);
                }
            }
            let short_max = if gaps == 0 { FRUITLESS_WALKS } else { SHORT_MAX };
            if short.len() >= short_max {
                short.clear();
                self.keys.clear();
            }
        }
        self.pauses =
            if gaps == 0 && short.is_empty() { (self.pauses * 2).clamp(1, PAUSES_MAX) } else { 0 };
        self.keys = short;
        Ok(())
    }
}

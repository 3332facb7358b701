//! Who keeps memory that others wait for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::activity::Activity;

/// How long a connection is watched before it is judged.
pub(super) const INTERVAL: Duration = Duration::from_secs(2);

/// What a connection has to move in that time at least.
const MOVED_BYTES_MIN: u64 = 64 * 1024;

/// And this part of what it owes: then it has paid in about a minute.
const MOVED_SHARE: u64 = 32;

/// The connections that owe memory.
#[derive(Debug, Default)]
pub(super) struct Debtors {
    by_address: Mutex<HashMap<usize, Arc<Activity>>>,
}

/// A connection that owes memory, and what it had moved.
pub(super) struct Progress {
    activity: Arc<Activity>,
    moved_bytes: u64,
}

impl Debtors {
    pub(super) fn add(&self, activity: &Arc<Activity>) {
        self.lock().insert(key(activity), activity.clone());
    }

    /// Forgets a connection that owes nothing more.
    pub(super) fn remove_if_clear(&self, activity: &Arc<Activity>) {
        let mut debtors = self.lock();
        // It may have come to owe again in the meantime, and then it has been added before this.
        if activity.owed_bytes() == 0 {
            debtors.remove(&key(activity));
        }
    }

    /// How far everybody is.
    pub(super) fn progress(&self) -> Vec<Progress> {
        let of = |activity: &Arc<Activity>| Progress {
            activity: activity.clone(),
            moved_bytes: activity.moved_bytes(),
        };
        self.lock().values().map(of).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<usize, Arc<Activity>>> {
        self.by_address.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Cuts those off that have not moved enough since then.
pub(super) fn cut_slow(before: &[Progress]) {
    for Progress { activity, moved_bytes } in before {
        let owed_bytes = activity.owed_bytes();
        let expected_bytes = (owed_bytes / MOVED_SHARE).max(MOVED_BYTES_MIN);
        if owed_bytes > 0 && activity.moved_bytes() - moved_bytes < expected_bytes {
            activity.cut();
        }
    }
}

fn key(activity: &Arc<Activity>) -> usize {
    Arc::as_ptr(activity).addr()
}

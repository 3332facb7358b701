//! [`VersionedMap`]: an ordered map that remembers what open snapshots can still see.
//!
//! Each key has its newest version in the map itself and, behind it, the older versions that some
//! snapshot still stands on; mostly there are none. A deleted key stays as a version without a
//! value as long as an older one is kept behind it.
//!
//! A commit drops from the keys that it writes what nobody sees any more, so a key that is written
//! often has at most one version per open snapshot. Versions kept on keys that are not written
//! again are found by a queue, which later commits work off as snapshots close.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;

use bytes::Bytes;

use super::open_snapshots::SnapshotCounts;
use super::ordered_key::OrderedKey;
use crate::write_set::{CommittedState, WriteSet};
use crate::{Direction, KeyRange, Result};

/// How many keys of the queue a commit looks at, so that closing an old snapshot makes no single
/// commit slow. More than one per write, so that the queue shrinks.
const COLLECTED_KEYS_PER_COMMIT: usize = 64;

/// The entries of the store, numbered by commit.
#[derive(Debug, Default)]
pub(super) struct VersionedMap {
    entries: BTreeMap<OrderedKey, Versions>,
    last_commit: u64,
    last_position: u64,
    /// Keys with older versions, each with the commit that replaced the newest of them when the key
    /// was queued: once no snapshot is before that commit, these versions can go.
    queue: VecDeque<(u64, OrderedKey)>,
}

impl VersionedMap {
    /// The number of the last commit.
    pub(super) fn last_commit(&self) -> u64 {
        self.last_commit
    }

    /// The position of the last append.
    pub(super) fn last_position(&self) -> u64 {
        self.last_position
    }

    /// The newest value of `key`.
    pub(super) fn newest(&self, key: &[u8]) -> Option<Bytes> {
        self.entries.get(&OrderedKey::new(key))?.newest.value.clone()
    }

    /// The value of `key` as of `commit`.
    pub(super) fn at(&self, key: &[u8], commit: u64) -> Option<Bytes> {
        self.entries.get(&OrderedKey::new(key))?.at(commit).cloned()
    }

    /// Appends to `chunk` what `commit` sees of the first `entries_max` entries between `bounds`.
    /// Returns the last key it came to, or `None` if there are no more entries behind it.
    pub(super) fn chunk(
        &self,
        bounds: (Bound<&OrderedKey>, Bound<&OrderedKey>),
        direction: Direction,
        commit: u64,
        entries_max: usize,
        chunk: &mut Vec<(OrderedKey, Bytes)>,
    ) -> Option<OrderedKey> {
        let mut range = self.entries.range::<OrderedKey, _>(bounds);
        let mut last = None;
        for _ in 0..entries_max {
            let (key, versions) = match direction {
                Direction::Forward => range.next()?,
                Direction::Backward => range.next_back()?,
            };
            chunk.extend(versions.at(commit).map(|value| (key.clone(), value.clone())));
            last = Some(key);
        }
        last.cloned()
    }

    /// Stores `writes` as the next commit.
    pub(super) fn commit(&mut self, write_set: WriteSet, snapshots: &SnapshotCounts) {
        self.last_commit += 1;
        self.last_position = write_set.last_position();
        let (removed, writes) = write_set.into_parts();
        for key in removed.iter().flat_map(|range| self.keys(range)).collect::<Vec<_>>() {
            self.write(key, None, snapshots);
        }
        for (key, value) in writes {
            self.write(OrderedKey::new(&key), value, snapshots);
        }
        self.collect_garbage(snapshots);
    }

    /// The keys of a range that have a value.
    fn keys(&self, range: &KeyRange) -> Vec<OrderedKey> {
        let bounds = (range.start().map(OrderedKey::new), range.end().map(OrderedKey::new));
        let entries = self.entries.range(bounds);
        let present = entries.filter(|(_, versions)| versions.newest.value.is_some());
        present.map(|(key, _)| key.clone()).collect()
    }

    fn write(&mut self, key: OrderedKey, value: Option<Bytes>, snapshots: &SnapshotCounts) {
        let version = Version { commit: self.last_commit, value };
        match self.entries.entry(key) {
            Entry::Vacant(_) if version.value.is_none() => {}
            Entry::Vacant(entry) => {
                entry.insert(Versions::new(version));
            }
            Entry::Occupied(mut entry) => {
                let versions = entry.get_mut();
                versions.push(version, snapshots);
                if versions.needs_cleaning() && !versions.queued {
                    versions.queued = true;
                    self.queue.push_back((self.last_commit, entry.key().clone()));
                } else if versions.is_gone() && !versions.queued {
                    entry.remove();
                }
            }
        }
    }

    fn collect_garbage(&mut self, snapshots: &SnapshotCounts) {
        for _ in 0..COLLECTED_KEYS_PER_COMMIT {
            match self.queue.pop_front_if(|(commit, _)| !snapshots.any_before(*commit)) {
                Some((_, key)) => self.clean(key, snapshots),
                None => return,
            }
        }
    }

    /// Drops the versions of `key` that nobody sees, and queues it again if some are left.
    fn clean(&mut self, key: OrderedKey, snapshots: &SnapshotCounts) {
        let Entry::Occupied(mut entry) = self.entries.entry(key) else { return };
        let versions = entry.get_mut();
        versions.prune(snapshots);
        if versions.needs_cleaning() {
            self.queue.push_back((versions.newest.commit, entry.key().clone()));
        } else if versions.is_gone() {
            entry.remove();
        } else {
            versions.queued = false;
        }
    }
}

impl CommittedState for VersionedMap {
    fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        Ok(self.newest(key))
    }
}

/// What one commit wrote at a key; no value means that it deleted the key.
#[derive(Debug)]
struct Version {
    commit: u64,
    value: Option<Bytes>,
}

/// The versions of one key.
#[derive(Debug)]
struct Versions {
    newest: Version,
    /// Ascending by commit.
    older: Vec<Version>,
    /// Whether the key is in the queue: it is there at most once.
    queued: bool,
}

impl Versions {
    fn new(newest: Version) -> Versions {
        Versions { newest, older: Vec::new(), queued: false }
    }

    /// What a snapshot at `commit` sees.
    fn at(&self, commit: u64) -> Option<&Bytes> {
        if self.newest.commit <= commit {
            return self.newest.value.as_ref();
        }
        self.older.iter().rev().find(|version| version.commit <= commit)?.value.as_ref()
    }

    fn push(&mut self, version: Version, snapshots: &SnapshotCounts) {
        let replaced = std::mem::replace(&mut self.newest, version);
        if snapshots.any_between(replaced.commit, self.newest.commit) {
            self.older.push(replaced);
        }
        self.prune(snapshots);
    }

    /// Drops the versions that no snapshot stands on: each is seen from its own commit up to the
    /// one that replaced it.
    fn prune(&mut self, snapshots: &SnapshotCounts) {
        let mut replaced = self.newest.commit;
        for index in (0..self.older.len()).rev() {
            let Some(written) = self.older.get(index).map(|version| version.commit) else { return };
            if !snapshots.any_between(written, replaced) {
                self.older.remove(index);
            }
            replaced = written;
        }
    }

    fn needs_cleaning(&self) -> bool {
        !self.older.is_empty()
    }

    /// Returns whether the key is deleted for everyone.
    fn is_gone(&self) -> bool {
        self.newest.value.is_none() && self.older.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Batch;

    fn commit(map: &mut VersionedMap, key: &str, value: Option<&str>, snapshots: &SnapshotCounts) {
        let mut batch = Batch::new();
        match value {
            Some(value) => batch.put(key.into(), value.to_owned()),
            None => batch.delete(key.into()),
        }
        let mut write_set = WriteSet::new(0);
        write_set.apply(batch, map).unwrap();
        map.commit(write_set, snapshots);
    }

    fn versions_kept(map: &VersionedMap) -> usize {
        map.entries.values().map(|versions| versions.older.len()).sum()
    }

    #[test]
    fn without_snapshots_nothing_old_is_kept() {
        let (mut map, snapshots) = (VersionedMap::default(), SnapshotCounts::default());
        for value in ["1", "2", "3"] {
            commit(&mut map, "a", Some(value), &snapshots);
        }
        assert_eq!((versions_kept(&map), map.queue.len()), (0, 0));
        commit(&mut map, "a", None, &snapshots);
        assert!(map.entries.is_empty());
    }

    #[test]
    fn a_key_written_often_keeps_one_version_per_snapshot() {
        let (mut map, mut snapshots) = (VersionedMap::default(), SnapshotCounts::default());
        for round in 0..20 {
            commit(&mut map, "a", Some("x"), &snapshots);
            if round % 5 == 0 {
                snapshots.open(map.last_commit());
            }
        }
        assert_eq!((versions_kept(&map), map.queue.len()), (4, 1));
    }

    #[test]
    fn later_commits_drop_what_closed_snapshots_had_kept() {
        let (mut map, mut snapshots) = (VersionedMap::default(), SnapshotCounts::default());
        commit(&mut map, "changed", Some("1"), &snapshots);
        commit(&mut map, "deleted", Some("1"), &snapshots);
        let (older, newer) = (map.last_commit(), map.last_commit() + 1);
        snapshots.open(older);
        commit(&mut map, "changed", Some("2"), &snapshots);
        snapshots.open(newer);
        commit(&mut map, "changed", Some("3"), &snapshots);
        commit(&mut map, "deleted", None, &snapshots);
        assert_eq!((versions_kept(&map), map.entries.len()), (3, 2));
        snapshots.close(older);
        commit(&mut map, "other", Some("1"), &snapshots);
        assert_eq!(map.at(b"changed", newer).as_deref(), Some(&b"2"[..]));
        assert_eq!(map.at(b"deleted", newer).as_deref(), Some(&b"1"[..]));
        assert_eq!(versions_kept(&map), 2);
        snapshots.close(newer);
        commit(&mut map, "other", Some("2"), &snapshots);
        assert_eq!((versions_kept(&map), map.entries.len(), map.queue.len()), (0, 2, 0));
    }
}

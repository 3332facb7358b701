//! Entries of indexes and expiry indexes, as they should be and as they are.

use bytes::Bytes;
use monotable_storage::{Engine, Key, Result as StorageResult, Snapshot};

use super::checker::Checker;
use super::{EntryFlaw, Family, FaultLocation, Problem, Repair};
use crate::any_index::AnyIndex;

/// An entry that follows from an item.
pub(super) struct ExpectedEntry {
    pub(super) place: FaultLocation,
    /// What kind of entry it is.
    pub(super) family: Family,
    pub(super) key: Key,
    pub(super) value: Bytes,
}

/// An entry that was found, and the item to look for.
pub(super) struct FoundEntry {
    pub(super) key: Key,
    pub(super) value: Bytes,
    /// Where the item lies, if that can be said.
    pub(super) item: Option<Key>,
}

/// The family of the entries of an index.
pub(super) fn family_of(index: AnyIndex<'_>) -> Family {
    match index {
        AnyIndex::Secondary(_) => Family::IndexEntry,
        AnyIndex::Vector(_) => Family::VectorEntry,
    }
}

pub(super) fn flawed(family: Family, flaw: EntryFlaw) -> Problem {
    if family == Family::ExpiryEntry {
        Problem::ExpiryEntry(flaw)
    } else {
        Problem::IndexEntry(flaw)
    }
}

impl<E: Engine> Checker<'_, E> {
    /// Looks up the entries that should be there.
    pub(super) async fn check_expected(
        &mut self,
        snapshot: &E::Snapshot,
        expected: Vec<ExpectedEntry>,
    ) -> StorageResult<()> {
        let keys: Vec<Key> = expected.iter().map(|entry| entry.key.clone()).collect();
        let found = snapshot.get_many(&keys).await?;
        for (entry, found) in expected.into_iter().zip(found) {
            if found.as_ref() == Some(&entry.value) {
                continue;
            }
            let ExpectedEntry { place, family, key, value } = entry;
            let flaw = if found.is_some() { EntryFlaw::Differs } else { EntryFlaw::Missing };
            let repair = Repair::Write { key, value, replaced: found };
            self.mend(place, flawed(family, flaw), family, repair).await?;
        }
        Ok(())
    }

    /// The items that entries lead to, in the order of the entries.
    pub(super) async fn items_of(
        &self,
        snapshot: &E::Snapshot,
        entries: &[FoundEntry],
    ) -> StorageResult<Vec<Option<Bytes>>> {
        let keys: Vec<Key> = entries.iter().filter_map(|entry| entry.item.clone()).collect();
        let mut items = snapshot.get_many(&keys).await?.into_iter();
        let item_of = |entry: &FoundEntry| entry.item.as_ref().and_then(|_| items.next().flatten());
        Ok(entries.iter().map(item_of).collect())
    }

    /// Takes down an entry that no item explains. As no item has it, nothing is lost by removing
    /// it.
    pub(super) async fn report_entry(
        &mut self,
        place: FaultLocation,
        family: Family,
        flaw: EntryFlaw,
        entry: FoundEntry,
    ) -> StorageResult<()> {
        let repair = Repair::Remove { key: entry.key, value: entry.value };
        self.mend(place, flawed(family, flaw), family, repair).await
    }
}

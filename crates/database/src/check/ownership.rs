//! To whom keys belong: every key is of a known family, and its table or index is there or noted as
//! garbage.
//!
//! A family is walked over by owners, not by keys: the first key tells the owner, and the walk goes
//! on behind all of that owner's keys.

use monotable_storage::{Engine, KeyRange, RESERVED, Result as StorageResult};

use super::catalogue::Catalogue;
use super::checker::{Checker, after_prefix};
use super::{Change, Family, FaultLocation, Problem, Repair};
use crate::keyspace::{item, tag};
use crate::schema::{ExpiryId, IndexId, TableId};

/// The families of keys, as their tags have them. Counters and logs lie beside the keys.
const KEY_FAMILIES: [u8; 11] = [
    tag::TABLE,
    tag::ITEM,
    tag::INDEX_ENTRY,
    tag::REQUEST_TOKEN,
    tag::GARBAGE,
    tag::SEQUENCE,
    tag::STREAM,
    tag::EXPIRY,
    tag::LEASE,
    tag::FILL,
    tag::VECTOR_ENTRY,
];

/// The families whose keys belong to a table or to one of its indexes.
const OWNED_FAMILIES: [(u8, Family); 5] = [
    (tag::ITEM, Family::Item),
    (tag::INDEX_ENTRY, Family::IndexEntry),
    (tag::EXPIRY, Family::ExpiryEntry),
    (tag::FILL, Family::Fill),
    (tag::VECTOR_ENTRY, Family::VectorEntry),
];

/// To whom a key belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// A table.
    Table(TableId),
    /// An index.
    Index(TableId, IndexId),
    /// An expiry index.
    Expiry(TableId, ExpiryId),
}

impl Owner {
    /// The owner of a key of a family, if the key is long enough to tell.
    fn of(family: Family, key: &[u8]) -> Option<Owner> {
        let (table, rest) = key.get(1..)?.split_first_chunk()?;
        let table = TableId(u32::from_be_bytes(*table));
        if family == Family::Item {
            return Some(Owner::Table(table));
        }
        let (number, _) = rest.split_first_chunk()?;
        let number = u32::from_be_bytes(*number);
        Some(match family {
            Family::ExpiryEntry => Owner::Expiry(table, ExpiryId(number)),
            _ => Owner::Index(table, IndexId(number)),
        })
    }

    pub(super) fn table(self) -> TableId {
        match self {
            Owner::Table(table) | Owner::Index(table, _) | Owner::Expiry(table, _) => table,
        }
    }

    fn number(self) -> Option<u32> {
        match self {
            Owner::Table(_) => None,
            Owner::Index(_, IndexId(number)) | Owner::Expiry(_, ExpiryId(number)) => Some(number),
        }
    }

    fn is_known(self, catalogue: &Catalogue) -> bool {
        match self {
            Owner::Table(table) => catalogue.knows_table(table),
            Owner::Index(table, index) => catalogue.knows_index(table, index),
            Owner::Expiry(table, expiry) => catalogue.knows_expiry(table, expiry),
        }
    }

    /// The start of its keys in a family.
    fn prefix(self, tag: u8) -> Vec<u8> {
        let mut prefix = vec![tag];
        prefix.extend(self.table().0.to_be_bytes());
        prefix.extend(self.number().into_iter().flat_map(u32::to_be_bytes));
        prefix
    }

    /// What is wrong with this many keys of an owner that is not there.
    pub(super) fn orphaned(self, family: Family, keys: u64) -> Problem {
        Problem::Orphaned { family, table: self.table().0, number: self.number(), keys }
    }
}

impl<E: Engine> Checker<'_, E> {
    /// Looks for keys of families that do not exist.
    pub(super) async fn check_families(&mut self) -> StorageResult<()> {
        let mut rest = KeyRange::half_open(Vec::new(), vec![RESERVED]);
        while let Some(key) = self.first_key(&rest).await? {
            let Some(&first) = key.first() else { return Ok(()) };
            if !KEY_FAMILIES.contains(&first) {
                let keys = self.count_keys(&KeyRange::prefix(&[first])).await?;
                self.fault(FaultLocation::bytes(&key), Problem::UnknownFamily { tag: first, keys });
            }
            rest = after_prefix(&rest, &[first]);
        }
        Ok(())
    }

    /// Looks for keys whose table or index is not there.
    pub(super) async fn check_owners(&mut self, catalogue: &Catalogue) -> StorageResult<()> {
        for (tag, family) in OWNED_FAMILIES {
            let mut rest = KeyRange::prefix(&[tag]);
            while let Some(key) = self.first_key(&rest).await? {
                let Some(owner) = Owner::of(family, &key) else {
                    self.fault(FaultLocation::bytes(&key), Problem::MalformedKey(family));
                    rest = crate::database::rest_after(&rest, key);
                    continue;
                };
                let prefix = owner.prefix(tag);
                if !owner.is_known(catalogue) {
                    self.report_orphans(catalogue, family, owner, &prefix).await?;
                }
                rest = after_prefix(&rest, &prefix);
            }
        }
        Ok(())
    }

    async fn report_orphans(
        &mut self,
        catalogue: &Catalogue,
        family: Family,
        owner: Owner,
        prefix: &[u8],
    ) -> StorageResult<()> {
        let range = KeyRange::prefix(prefix);
        let problem = owner.orphaned(family, self.count_keys(&range).await?);
        let place = owner_place(catalogue, owner);
        if family == Family::Item || !self.is_abandoned(catalogue, owner).await? {
            self.fault(place, problem);
            return Ok(());
        }
        self.note_repairable(place.clone(), problem);
        let mut rest = range;
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            for (key, value) in chunk.entries {
                let place = place.clone();
                self.change(Change { place, family, repair: Repair::Remove { key, value } })
                    .await?;
            }
        }
        self.commit().await
    }

    /// Whether nothing can refer to what an owner has that is not there. A table that has items but
    /// no record may have lost it: nothing of such a table is ever removed.
    pub(super) async fn is_abandoned(
        &self,
        catalogue: &Catalogue,
        owner: Owner,
    ) -> StorageResult<bool> {
        if !catalogue.is_certain_about(owner.table()) {
            return Ok(false);
        }
        match (catalogue.table(owner.table()), owner) {
            (Some(schema), Owner::Index(_, index)) => Ok(index.0 < schema.next_index),
            (Some(schema), Owner::Expiry(_, expiry)) => Ok(expiry.0 < schema.next_expiry),
            (Some(_), Owner::Table(_)) => Ok(false),
            (None, _) => Ok(self.first_key(&item::range(owner.table())).await?.is_none()),
        }
    }
}

/// The table that an owner belongs to, if it has a name.
pub(super) fn owner_place(catalogue: &Catalogue, owner: Owner) -> FaultLocation {
    let table = catalogue.table(owner.table());
    table.map_or_else(FaultLocation::default, |schema| FaultLocation::table(&schema.name))
}

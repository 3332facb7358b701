//! Counters: each is the sum of what it counts, and counts something that is there.

use std::ops::ControlFlow;

use monotable_storage::{Engine, Key, KeyRange, Result as StorageResult, Snapshot};

use super::catalogue::Catalogue;
use super::checker::Checker;
use super::ownership::{Owner, owner_place};
use super::{CheckStage, CounterKind, Family, FaultLocation, Problem, Repair};
use crate::keyspace::{counter, tag};
use crate::schema::{IndexId, TableId, TableSchema};

/// How many counters are read at once.
const CHUNK_COUNTERS: usize = 256;

impl<E: Engine> Checker<'_, E> {
    /// How many items a table or an index has by its counter, to show how far a walk is.
    pub(super) async fn counted_items(
        &self,
        schema: &TableSchema,
        index: Option<IndexId>,
    ) -> StorageResult<u64> {
        let snapshot = self.engine.snapshot().await?;
        let items = snapshot.counter(&counter::items_key(schema.id, index)).await?;
        Ok(u64::try_from(items).unwrap_or(0))
    }

    /// Compares a counter with the sum of what it counts.
    pub(super) async fn check_counter(
        &mut self,
        place: FaultLocation,
        kind: CounterKind,
        counter: Key,
        actual: i64,
    ) -> StorageResult<()> {
        let stored = self.engine.snapshot().await?.counter(&counter).await?;
        if stored == actual {
            return Ok(());
        }
        let family = match kind {
            CounterKind::Items | CounterKind::Bytes => Family::Counter,
            CounterKind::CollectionBytes => Family::Collection,
        };
        let problem = Problem::Counter { counter: kind, stored, actual };
        let repair = Repair::SetCounter { counter, from: stored, to: actual };
        self.mend(place, problem, family, repair).await
    }

    /// Looks for counters of what is not there. Those of tables and indexes were compared with
    /// their items.
    pub(super) async fn check_counters(&mut self, catalogue: &Catalogue) -> StorageResult<()> {
        let (mut last, mut done) = (None, 0);
        loop {
            self.commit().await?;
            let counters = self.counters_after(last.as_deref()).await?;
            let Some((name, _)) = counters.last() else { return Ok(()) };
            last = Some(name.clone());
            done += counters.len() as u64;
            self.progress(CheckStage::Counters, done, None);
            for (name, value) in counters.into_iter().filter(|(_, value)| *value != 0) {
                self.check_name(catalogue, name, value).await?;
            }
        }
    }

    async fn counters_after(&self, after: Option<&[u8]>) -> StorageResult<Vec<(Key, i64)>> {
        let mut counters = Vec::new();
        let visit = |name: &[u8], value: i64| {
            counters.push((name.to_vec(), value));
            let is_full = counters.len() >= CHUNK_COUNTERS;
            if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let snapshot = self.engine.snapshot().await?;
        snapshot.visit_counters(&[], after, CHUNK_COUNTERS, visit).await?;
        Ok(counters)
    }

    async fn check_name(
        &mut self,
        catalogue: &Catalogue,
        name: Key,
        value: i64,
    ) -> StorageResult<()> {
        match name.split_first() {
            Some((&tag::COUNTER, _)) => match counter::decode_key(&name) {
                Some((table, None)) if catalogue.knows_table(table) => Ok(()),
                Some((table, Some(index))) if catalogue.knows_index(table, index) => Ok(()),
                Some((table, index)) => {
                    let owner = index.map_or(Owner::Table(table), |id| Owner::Index(table, id));
                    self.report_counter(catalogue, owner, Family::Counter, name, value).await
                }
                None => {
                    self.fault(FaultLocation::bytes(&name), Problem::MalformedKey(Family::Counter));
                    Ok(())
                }
            },
            Some((&tag::COLLECTION, _)) => self.check_collection(catalogue, name, value).await,
            first => {
                let tag = first.map_or(0, |(tag, _)| *tag);
                self.fault(FaultLocation::bytes(&name), Problem::UnknownFamily { tag, keys: 1 });
                Ok(())
            }
        }
    }

    /// Checks that a collection whose bytes are counted has items.
    async fn check_collection(
        &mut self,
        catalogue: &Catalogue,
        name: Key,
        value: i64,
    ) -> StorageResult<()> {
        let Some((id, rest)) = name.get(1..).and_then(<[u8]>::split_first_chunk) else {
            self.fault(FaultLocation::bytes(&name), Problem::MalformedKey(Family::Collection));
            return Ok(());
        };
        let table = TableId(u32::from_be_bytes(*id));
        let items = [&[tag::ITEM][..], id, rest].concat();
        let Some(schema) = catalogue.table(table).filter(|schema| schema.has_local_index()) else {
            if catalogue.table(table).is_none() && catalogue.knows_table(table) {
                return Ok(());
            }
            let owner = Owner::Table(table);
            return self.report_counter(catalogue, owner, Family::Collection, name, value).await;
        };
        if self.first_key(&KeyRange::prefix(&items)).await?.is_some() {
            return Ok(());
        }
        let place = FaultLocation::table(&schema.name);
        self.check_counter(place, CounterKind::CollectionBytes, name, 0).await
    }

    /// Takes down a counter of something that is not there.
    async fn report_counter(
        &mut self,
        catalogue: &Catalogue,
        owner: Owner,
        family: Family,
        counter: Key,
        value: i64,
    ) -> StorageResult<()> {
        let (place, problem) = (owner_place(catalogue, owner), owner.orphaned(family, 1));
        // A table without local indexes has no collections, whatever its items are.
        let is_without_use =
            family == Family::Collection && catalogue.table(owner.table()).is_some();
        if is_without_use || self.is_abandoned(catalogue, owner).await? {
            let repair = Repair::SetCounter { counter, from: value, to: 0 };
            return self.mend(place, problem, family, repair).await;
        }
        self.fault(place, problem);
        Ok(())
    }
}

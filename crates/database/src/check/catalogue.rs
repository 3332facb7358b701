//! The catalogue: the records of tables and streams, the next table number, and what is noted as
//! garbage.

use std::collections::{BTreeMap, BTreeSet};

use monotable_storage::{Engine, Key, KeyRange, Result as StorageResult};

use super::checker::Checker;
use super::{CheckStage, Family, FaultLocation, Problem, Repair, SchemaFlaw};
use crate::error::CorruptRecord;
use crate::home::Home;
use crate::keyspace::garbage::{self, Garbage};
use crate::keyspace::{sequence, stream, table, tag};
use crate::schema::{ExpiryId, IndexId, TableId, TableSchema};
use crate::stream::StreamSchema;

/// What the records say that a store holds.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    /// The tables by their numbers.
    pub(super) tables: BTreeMap<TableId, TableSchema>,
    /// The streams.
    pub(super) streams: Vec<StreamSchema>,
    /// What is to be removed.
    garbage: BTreeSet<Vec<u8>>,
    /// The number of the next table, if that can be read.
    next_table: Option<TableId>,
    /// The numbers of tables whose records cannot be read, as far as they can.
    unreadable: BTreeSet<TableId>,
    /// The tables about whose records something is wrong. Nothing of them is mended by what the
    /// record says.
    doubtful: BTreeSet<TableId>,
    /// Whether some record could not be read, so that anything may belong to it.
    is_incomplete: bool,
}

impl Catalogue {
    /// The table with this number.
    pub(super) fn table(&self, id: TableId) -> Option<&TableSchema> {
        self.tables.get(&id)
    }

    /// Returns whether something is wrong about the record of a table.
    pub(super) fn is_doubtful(&self, id: TableId) -> bool {
        self.doubtful.contains(&id)
    }

    /// Returns whether the record of the table with this number cannot be read.
    pub(super) fn is_unread(&self, id: TableId) -> bool {
        self.unreadable.contains(&id)
    }

    /// Returns whether there is a table with this number, or its data is to be removed.
    pub(super) fn knows_table(&self, id: TableId) -> bool {
        let is_there = self.table(id).is_some() || self.unreadable.contains(&id);
        is_there || self.has_noted(Garbage::Table(id))
    }

    /// Returns whether a table has this index, or its data is to be removed.
    pub(super) fn knows_index(&self, id: TableId, index: IndexId) -> bool {
        let has_index = |schema: &TableSchema| schema.any_index_by_id(index).is_some();
        let is_there = self.table(id).is_some_and(has_index) || self.unreadable.contains(&id);
        is_there || self.has_noted(Garbage::Index(id, index))
    }

    /// Returns whether a table has this expiry index, or its data is to be removed.
    pub(super) fn knows_expiry(&self, id: TableId, expiry: ExpiryId) -> bool {
        let has_expiry = |schema: &TableSchema| {
            schema.time_to_live.as_ref().is_some_and(|ttl| ttl.expiry == expiry)
        };
        let is_there = self.table(id).is_some_and(has_expiry) || self.unreadable.contains(&id);
        is_there || self.has_noted(Garbage::Expiry(id, expiry))
    }

    fn has_noted(&self, garbage: Garbage) -> bool {
        self.garbage.contains(&garbage.encode_key())
    }

    /// Returns whether data that no record names can be said to belong to nothing: every record
    /// could be read, and the number of the table was given out once.
    pub(super) fn is_certain_about(&self, id: TableId) -> bool {
        !self.is_incomplete
            && !self.is_doubtful(id)
            && self.next_table.is_some_and(|next| id < next)
    }

    /// Returns whether a garbage note names something that is in use.
    pub(super) fn is_in_use(&self, garbage: Garbage) -> bool {
        match garbage {
            Garbage::Table(id) => self.table(id).is_some() || self.unreadable.contains(&id),
            Garbage::Index(id, index) => {
                self.table(id).is_some_and(|schema| schema.index_by_id(index).is_some())
            }
            Garbage::Expiry(id, expiry) => self.table(id).is_some_and(|schema| {
                schema.time_to_live.as_ref().is_some_and(|ttl| ttl.expiry == expiry)
            }),
        }
    }
}

impl<E: Engine> Checker<'_, E> {
    /// Reads the catalogue, and checks what can be said of it alone.
    pub(super) async fn read_catalogue(&mut self) -> StorageResult<Catalogue> {
        self.progress(CheckStage::Catalogue, 0, None);
        let mut catalogue = Catalogue::default();
        self.read_sequence(&mut catalogue).await?;
        self.read_tables(&mut catalogue).await?;
        self.read_stream_records(&mut catalogue).await?;
        self.read_garbage(&mut catalogue).await?;
        self.report.totals.tables = catalogue.tables.len() as u64;
        self.report.totals.streams = catalogue.streams.len() as u64;
        Ok(catalogue)
    }

    async fn read_sequence(&mut self, catalogue: &mut Catalogue) -> StorageResult<()> {
        let key = sequence::encode_key();
        let stored = self.engine.get(&key).await?;
        catalogue.next_table = sequence::decode_value(stored.as_deref());
        if catalogue.next_table.is_none() {
            catalogue.is_incomplete = true;
            let problem = unreadable(Family::Sequence, CorruptRecord("table sequence"));
            self.fault(FaultLocation::bytes(&key), problem);
        }
        let mut rest = KeyRange::prefix(&key);
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            for (found, _) in chunk.entries.iter().filter(|(found, _)| *found != key) {
                self.fault(FaultLocation::bytes(found), Problem::MalformedKey(Family::Sequence));
            }
        }
        Ok(())
    }

    async fn read_tables(&mut self, catalogue: &mut Catalogue) -> StorageResult<()> {
        let mut rest = KeyRange::prefix(&[tag::TABLE]);
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            for (key, value) in chunk.entries {
                let Some((home, name)) = table::decode_key(&key) else {
                    catalogue.is_incomplete = true;
                    self.fault(FaultLocation::bytes(&key), Problem::MalformedKey(Family::Table));
                    continue;
                };
                let schema = match table::decode_value(&value) {
                    Ok(schema) => schema,
                    Err(reason) => {
                        catalogue.is_incomplete = true;
                        catalogue.unreadable.extend(stamped_id(&value));
                        self.fault(FaultLocation::table(name), unreadable(Family::Table, reason));
                        continue;
                    }
                };
                if !self.check_record((&home, name), &schema, catalogue.next_table) {
                    catalogue.doubtful.insert(schema.id);
                }
                match catalogue.table(schema.id) {
                    Some(known) => {
                        let (number, other) = (schema.id.0, known.name.clone());
                        catalogue.doubtful.insert(schema.id);
                        let problem = Problem::TableNumberTaken { number, other };
                        self.fault(FaultLocation::table(name), problem);
                    }
                    None => drop(catalogue.tables.insert(schema.id, schema)),
                }
            }
        }
        Ok(())
    }

    /// Checks what can be said of one table's record; returns whether it is as it should be.
    fn check_record(
        &mut self,
        (home, name): (&Home, &str),
        schema: &TableSchema,
        next_table: Option<TableId>,
    ) -> bool {
        let (place, flaws) = (FaultLocation::table(name), schema_flaws(schema));
        let is_in_place = schema.name == name && schema.home == *home;
        let is_right = is_in_place && flaws.is_empty();
        if !is_in_place {
            self.fault(place.clone(), Problem::MisplacedRecord(Family::Table));
        }
        if let Some(next) = next_table.filter(|next| schema.id >= *next) {
            let problem = Problem::TableNumberAhead { number: schema.id.0, next: next.0 };
            self.fault(place.clone(), problem);
        }
        for flaw in flaws {
            self.fault(place.clone(), Problem::BadSchema(flaw));
        }
        is_right
    }

    async fn read_stream_records(&mut self, catalogue: &mut Catalogue) -> StorageResult<()> {
        let mut rest = KeyRange::prefix(&[tag::STREAM]);
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            for (key, value) in chunk.entries {
                match stream::decode_value(&value) {
                    Ok(found) => {
                        self.check_stream_key(&key, &found);
                        catalogue.streams.push(found);
                    }
                    Err(reason) => {
                        self.fault(FaultLocation::bytes(&key), unreadable(Family::Stream, reason));
                    }
                }
            }
        }
        Ok(())
    }

    async fn read_garbage(&mut self, catalogue: &mut Catalogue) -> StorageResult<()> {
        let mut rest = garbage::range();
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            for (key, value) in chunk.entries {
                let Some(noted) = Garbage::decode_key(&key) else {
                    self.fault(FaultLocation::bytes(&key), Problem::MalformedKey(Family::Garbage));
                    continue;
                };
                if !catalogue.is_in_use(noted) {
                    self.report.totals.noted_garbage += 1;
                    catalogue.garbage.insert(key);
                    continue;
                }
                // The server would remove what the table still has.
                let place = FaultLocation::bytes(&key);
                let repair = Repair::Remove { key, value };
                self.mend(place, Problem::GarbageInUse, Family::Garbage, repair).await?;
            }
        }
        Ok(())
    }

    fn check_stream_key(&mut self, key: &Key, found: &StreamSchema) {
        if *key != stream::encode_key(&found.home, &found.table_name, found.created_millis) {
            let place = FaultLocation::table(&found.table_name);
            self.fault(place, Problem::MisplacedRecord(Family::Stream));
        }
    }
}

pub(super) fn unreadable(family: Family, reason: CorruptRecord) -> Problem {
    Problem::UnreadableRecord { family, reason }
}

/// The number with which a record begins.
fn stamped_id(record: &[u8]) -> Option<TableId> {
    let (id, _) = record.split_first_chunk()?;
    Some(TableId(u32::from_be_bytes(*id)))
}

fn schema_flaws(schema: &TableSchema) -> Vec<SchemaFlaw> {
    let indexes: Vec<_> = schema.every_index().collect();
    let numbers: BTreeSet<u32> = indexes.iter().map(|index| index.id().0).collect();
    let names: BTreeSet<&str> = indexes.iter().map(|index| index.name()).collect();
    let is_given_out = numbers.last().is_none_or(|last| *last < schema.next_index);
    let stream = schema.stream.as_ref().map(|stream| stream.id.0);
    let expiry = schema.time_to_live.as_ref().map(|ttl| ttl.expiry.0);
    let flaws = [
        (schema.version == 0, SchemaFlaw::Version),
        (schema.key.partition.is_empty(), SchemaFlaw::NoPartitionKey),
        (numbers.len() != indexes.len() || !is_given_out, SchemaFlaw::IndexNumber),
        (names.len() != indexes.len(), SchemaFlaw::IndexName),
        (stream.is_some_and(|id| id >= schema.next_stream), SchemaFlaw::StreamNumber),
        (expiry.is_some_and(|id| id >= schema.next_expiry), SchemaFlaw::ExpiryNumber),
    ];
    flaws.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, flaw)| flaw).collect()
}

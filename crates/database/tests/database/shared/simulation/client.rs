//! A client: does what it planned and notes what it was answered.

use std::sync::Arc;

use monotable_database::schema::{IndexKind, IndexStatus, StreamView};
use monotable_database::{
    Database, Home, Lookup, PageRequest, ReadError, Table, TableError, TimeToLiveError,
    TransactError, TransactOutcome, TransactWrite, WriteError, WriteOutcome,
};
use monotable_item::{Value, stored};
use monotable_storage::{Engine, ErrorKind};

use super::history::{ChangeNote, History, Outcome, WriteNumber};
use super::plan::{Action, LOCAL_INDEX, Plan, PlannedChange, PlannedItem, PlannedWrite, TABLE_KEY};
use crate::support::{contents, json, table};

/// How often a request is checked again.
const ATTEMPTS: usize = 50;

pub(super) struct Client<E: Engine> {
    pub(super) database: Arc<Database<E>>,
    pub(super) history: History,
}

impl<E: Engine> Client<E> {
    pub(super) async fn run(&self, plan: Plan) {
        match plan {
            Plan::Writes(writes) => {
                let first = self.history.begin(&writes, false);
                for (at, write) in writes.iter().enumerate() {
                    self.write(write, first + at).await;
                }
            }
            Plan::Transact(writes) => {
                let first = self.history.begin(&writes, true);
                self.transact(&writes, first).await;
            }
            Plan::ReadAndCountUp(target) => self.count_up(target).await,
            Plan::Query(table) => self.query(table).await,
            Plan::Change(table, change) => {
                for _ in 0..ATTEMPTS {
                    if self.change(table, change).await {
                        return;
                    }
                }
                self.history.fail("a change was never made");
            }
        }
    }

    async fn table(&self, name: &str) -> Option<Arc<Table>> {
        match self.database.table(&Home::default(), name).await {
            Ok(table) => table,
            Err(error) => {
                self.history.fail(error);
                None
            }
        }
    }

    async fn write(&self, planned: &PlannedWrite, number: WriteNumber) {
        for _ in 0..ATTEMPTS {
            let Some(table) = self.table(planned.target.table).await else {
                return self.history.end(number, Outcome::Refused);
            };
            match self.database.write(&table, &planned.write(&table, number)).await {
                Ok(outcome) => return self.history.end(number, done(&table, outcome)),
                Err(WriteError::SchemaChanged) => {}
                Err(WriteError::ConditionFailed { .. }) => {
                    return self.history.end(number, Outcome::Refused);
                }
                Err(error) => return self.history.fail(error),
            }
        }
        self.history.fail("a write was never made");
    }

    async fn transact(&self, planned: &[PlannedWrite], first: WriteNumber) {
        for _ in 0..ATTEMPTS {
            let mut members = Vec::new();
            for (write, number) in planned.iter().zip(first..) {
                let Some(table) = self.table(write.target.table).await else {
                    return self.end_all(first, planned.len());
                };
                members.push(TransactWrite { write: write.write(&table, number), table });
            }
            match self.database.transact_write(&members, None).await {
                Ok(TransactOutcome::Done(outcomes)) => {
                    for ((member, outcome), number) in members.iter().zip(outcomes).zip(first..) {
                        self.history.end(number, done(&member.table, outcome));
                    }
                    return;
                }
                Err(TransactError::SchemaChanged) => {}
                Err(TransactError::Cancelled(_)) => return self.end_all(first, planned.len()),
                other => return self.history.fail(other),
            }
        }
        self.history.fail("a transaction was never made");
    }

    fn end_all(&self, first: WriteNumber, count: usize) {
        (first..first + count).for_each(|number| self.history.end(number, Outcome::Refused));
    }

    async fn count_up(&self, target: PlannedItem) {
        for _ in 0..ATTEMPTS {
            let Some(table) = self.table(target.table).await else { return };
            let key = json::item(&target.key()).unwrap();
            let key = monotable_database::ItemKey::of(table.schema(), &key).unwrap();
            let item = match self.database.get_many(&[Lookup { table, key }]).await {
                Ok(mut got) => got.remove(0).item,
                Err(ReadError::SchemaChanged) => continue,
                Err(error) => return self.history.fail(error),
            };
            let item = item.map(|item| stored::decode(&item).unwrap());
            let Some(Value::Number(seen)) = item.as_ref().and_then(|item| item.get("n")) else {
                return;
            };
            let action = Action::CountUp { seen: seen.to_i64().unwrap() };
            let planned = PlannedWrite { target, action };
            let number = self.history.begin(&[planned], false);
            return self.write(&planned, number).await;
        }
    }

    /// Reads the first index that is complete.
    async fn query(&self, name: &str) {
        let Some(table) = self.table(name).await else { return };
        let mut indexes = table.schema().indexes.iter();
        let index = indexes.find(|index| index.status == IndexStatus::Active);
        let request = PageRequest { index: index.map(|index| index.id), ..contents::everything() };
        match self.database.page(&table, &request).await {
            Ok(_) | Err(ReadError::SchemaChanged) => {}
            Err(error) => self.history.fail(error),
        }
    }

    /// Returns whether the change is made or cannot be.
    async fn change(&self, name: &str, change: PlannedChange) -> bool {
        if let PlannedChange::Create { has_stream, has_local_index } = change {
            let definition = definition(name, has_stream, has_local_index);
            let created = self.database.create_table(definition).await;
            return self.note_change(change, created);
        }
        let Some(table) = self.table(name).await else { return true };
        // As the checks before this one do: a stream is enabled where there is none.
        if let PlannedChange::Stream(is_on) = change
            && is_on == table.schema().stream.is_some()
        {
            return true;
        }
        match change {
            PlannedChange::Delete => {
                self.note_change(change, self.database.delete_table(&table).await)
            }
            PlannedChange::TimeToLive(is_on) => {
                let to = PlannedChange::time_to_live(is_on);
                self.note_ttl(change, self.database.update_time_to_live(&table, to).await)
            }
            PlannedChange::Create { .. }
            | PlannedChange::Protect(_)
            | PlannedChange::AddIndex(_)
            | PlannedChange::RemoveIndex(_)
            | PlannedChange::Stream(_) => {
                let to = change.table_change().expect("it is made by UpdateTable");
                self.note_change(change, self.database.update_table(&table, to).await)
            }
        }
    }

    fn note_change(&self, change: PlannedChange, made: Result<Arc<Table>, TableError>) -> bool {
        match made {
            Ok(table) => self.note(change, &table),
            Err(TableError::SchemaChanged) => return false,
            Err(TableError::Storage(error)) if error.kind() != ErrorKind::Closed => {
                self.history.fail(error);
            }
            Err(_) => {}
        }
        true
    }

    fn note_ttl(&self, change: PlannedChange, made: Result<Arc<Table>, TimeToLiveError>) -> bool {
        match made {
            Ok(table) => self.note(change, &table),
            Err(TimeToLiveError::SchemaChanged) => return false,
            Err(TimeToLiveError::Storage(error)) if error.kind() != ErrorKind::Closed => {
                self.history.fail(error);
            }
            Err(_) => {}
        }
        true
    }

    fn note(&self, change: PlannedChange, table: &Table) {
        let (table, version) = (table.schema().id, table.schema().version);
        self.history.lock().changes.push(ChangeNote { change, table, version });
    }
}

fn done(table: &Table, outcome: WriteOutcome) -> Outcome {
    Outcome::Done { table: table.schema().id, old: outcome.old, new: outcome.new }
}

fn definition(
    name: &str,
    has_stream: bool,
    has_local_index: bool,
) -> monotable_database::TableDefinition {
    let mut definition = table::table(name, TABLE_KEY).unwrap();
    if has_local_index {
        table::with_index(&mut definition, IndexKind::Local, LOCAL_INDEX).unwrap();
    }
    definition.settings.stream = has_stream.then_some(StreamView::NewAndOldImages);
    definition
}

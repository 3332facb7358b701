//! The changes that a table can go through.

use std::sync::Arc;
use std::time::Duration;

use monotable_database::schema::{IndexKind, StreamView};
use monotable_database::{Database, Home, TableChange, TimeToLiveChange, Write};
use monotable_item::stored;
use monotable_storage::Engine;

use crate::support::harness::Harness;
use crate::support::store::Store;
use crate::support::{json, table};

pub(super) const TABLE: &str = "t";
const ITEMS: usize = 40;
/// How long after a change of its TTL a table can have another one.
const TTL_REST: Duration = Duration::from_secs(60 * 60);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    CreateTable,
    DeleteTable,
    Settings,
    AddIndex,
    RemoveIndex,
    EnableStream,
    DisableStream,
    EnableTimeToLive,
    DisableTimeToLive,
}

pub(super) const CHANGES: [Change; 9] = [
    Change::CreateTable,
    Change::DeleteTable,
    Change::Settings,
    Change::AddIndex,
    Change::RemoveIndex,
    Change::EnableStream,
    Change::DisableStream,
    Change::EnableTimeToLive,
    Change::DisableTimeToLive,
];

impl Change {
    /// A database on which the change can be made, with nothing else under way.
    pub(super) fn harness<S: Store>(self) -> Harness<S> {
        let harness = Harness::new();
        if self != Change::CreateTable {
            harness.run(create(harness.database()));
            harness.run(fill(harness.database()));
        }
        if self == Change::EnableStream {
            harness.run(Change::DisableStream.make(harness.database().clone()));
        }
        if self == Change::DisableTimeToLive {
            harness.run(Change::EnableTimeToLive.make(harness.database().clone()));
            harness.settle();
            harness.clock.advance(TTL_REST);
        }
        harness.settle();
        harness
    }

    /// Makes the change.
    pub(super) async fn make<E: Engine>(self, database: Arc<Database<E>>) {
        let change = match self {
            Change::CreateTable => return create(&database).await,
            Change::DeleteTable => {
                let table = database.table(&Home::default(), TABLE).await.unwrap().unwrap();
                database.delete_table(&table).await.unwrap();
                return;
            }
            Change::EnableTimeToLive => TimeToLiveChange::Enable("expires".to_owned()),
            Change::DisableTimeToLive => TimeToLiveChange::Disable("expires".to_owned()),
            Change::Settings
            | Change::AddIndex
            | Change::RemoveIndex
            | Change::EnableStream
            | Change::DisableStream => return self.update(&database).await,
        };
        let table = database.table(&Home::default(), TABLE).await.unwrap().unwrap();
        database.update_time_to_live(&table, change).await.unwrap();
    }

    async fn update<E: Engine>(self, database: &Arc<Database<E>>) {
        let mut change = TableChange::default();
        match self {
            Change::Settings => change.deletion_protection = Some(true),
            Change::AddIndex => {
                let index = table::global_index("by_x x:N include g").unwrap();
                change.definitions = index.key.attributes().cloned().collect();
                change.create_index = Some(index);
            }
            Change::RemoveIndex => change.delete_index = Some("by_g".to_owned()),
            Change::EnableStream => change.stream = Some(Some(StreamView::NewImage)),
            Change::DisableStream => change.stream = Some(None),
            other => panic!("{other:?} is no update of a table"),
        }
        let table = database.table(&Home::default(), TABLE).await.unwrap().unwrap();
        database.update_table(&table, change).await.unwrap();
    }
}

/// A table with an index and a stream.
async fn create<E: Engine>(database: &Arc<Database<E>>) {
    let mut definition = table::table(TABLE, "pk:N").unwrap();
    table::with_index(&mut definition, IndexKind::Global, "by_g g:S all").unwrap();
    definition.settings.stream = Some(StreamView::NewAndOldImages);
    database.create_table(definition).await.unwrap();
}

async fn fill<E: Engine>(database: &Arc<Database<E>>) {
    let table = database.table(&Home::default(), TABLE).await.unwrap().unwrap();
    for at in 0..ITEMS {
        let expires = 4_000_000_000_usize + at;
        let item = format!(
            "{{\"pk\": {at}, \"g\": \"g{}\", \"x\": {at}, \"expires\": {expires}}}",
            at % 3
        );
        let item = stored::encode(&json::item(&item).unwrap());
        let write = Write::put(table.schema(), item.into()).unwrap();
        database.write(&table, &write).await.unwrap();
    }
}

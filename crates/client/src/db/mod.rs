//! The handle on a table, and its operations.
//!
//! Every operation is a builder that is awaited. Building makes no request; a key or value that
//! cannot be written is reported before anything is sent.

mod batch;
mod conditional_step;
mod create;
mod delete;
mod gather;
mod get;
mod meter;
mod patch;
mod query;
mod rekey;
mod scan;
mod table;
mod takeover;
mod tally;
mod transaction;
mod unique;
mod upgrade;
mod upsert;

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use monotable_item::Item;
use tracing::Span;

pub use batch::{GetMany, Gotten, WriteMany, Written};
pub use create::Create;
pub use delete::Delete;
pub use gather::{GatherField, Gathering, missing_member};
pub use get::Get;
pub use meter::{Meter, Units};
pub use patch::Patch;
pub use query::{Page, Query};
pub use rekey::Rekey;
pub use scan::{ConsistentScope, Entries, Everything, Scan, ScanScope, Scanned};
pub use transaction::{Refusal, TakenValue, TransactError, Transaction};
pub(crate) use unique::UNIQUE;
pub use upgrade::Upgrade;
pub use upsert::Upsert;

use tally::Tally;

use crate::backend::{
    Backend, BackendError, CapacityDetail, ConsumedCapacity, GetItem, Names, TableName,
};
use crate::entity::{Entity, IndexPattern, Pattern, Replaceable, Scannable, Select, Table};
use crate::key::Key;

/// A future of an operation.
pub type Operation<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A handle on a table. Clones are cheap and share the connection.
///
/// [`Table::open`] makes one; the example of the [crate] shows what it does.
pub struct Db<T> {
    backend: Arc<dyn Backend>,
    name: TableName,
    meter: Option<Meter>,
    capacity: CapacityDetail,
    /// For the span of the operation that this clone of the handle is in.
    tally: Option<Tally>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Db<T> {
    fn clone(&self) -> Db<T> {
        Db {
            backend: Arc::clone(&self.backend),
            name: Arc::clone(&self.name),
            meter: self.meter.clone(),
            capacity: self.capacity,
            tally: self.tally.clone(),
            of: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Db<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Db").field("table", &self.name).finish_non_exhaustive()
    }
}

impl<T: Table> Db<T> {
    /// A handle on the table of this name.
    pub fn new(name: &str, backend: Arc<dyn Backend>) -> Db<T> {
        Db {
            backend,
            name: Arc::from(name),
            meter: None,
            capacity: CapacityDetail::None,
            tally: None,
            of: PhantomData,
        }
    }

    /// The table's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The database behind the handle.
    pub fn backend(&self) -> &Arc<dyn Backend> {
        &self.backend
    }

    /// Returns a handle that counts the units of its requests, and the count.
    pub fn metered(&self) -> (Db<T>, Meter) {
        let meter = Meter::default();
        let capacity = self.capacity.max(CapacityDetail::Total);
        let db = Db { meter: Some(meter.clone()), capacity, ..self.clone() };
        (db, meter)
    }

    /// A handle that asks what each request consumes, in one sum or by index. It is recorded in the
    /// `tracing` span of the operation, as `monotable.rcu` and `monotable.wcu`; the parts of
    /// indexes are events in it.
    pub fn with_capacity(&self, detail: CapacityDetail) -> Db<T> {
        Db { capacity: detail, ..self.clone() }
    }

    /// Writes a new item. It fails if an item with this key exists, or if a unique value is taken.
    pub fn create<E: Entity<Table = T>>(&self, entity: &E) -> Create<E> {
        Create::new(self.clone(), entity)
    }

    /// Writes an item whole, whatever was there before.
    pub fn upsert<E: Replaceable + Entity<Table = T>>(&self, entity: &E) -> Upsert<E> {
        Upsert::new(self.clone(), entity)
    }

    /// Reads an item by its key.
    pub fn get<E: Entity<Table = T>>(&self, key: Key<E>) -> Get<E> {
        Get::new(self.clone(), key)
    }

    /// Changes an item that exists.
    pub fn patch<E: Entity<Table = T>>(&self, key: Key<E>) -> E::Patch<Db<T>> {
        E::patch(Patch::new(key, self.clone()))
    }

    /// Rewrites an item of an older version as the current one. An item of the current version is
    /// only read. Patches do this on their own, except in a transaction.
    pub fn upgrade<E: Entity<Table = T>>(&self, key: Key<E>) -> Upgrade<E> {
        Upgrade::new(self.clone(), key)
    }

    /// Writes the keys of all indexes of an item anew, from its attributes: for items that were
    /// stored before the entity was in an index. One whose keys are right is only read. What
    /// happens to the item meanwhile is kept.
    ///
    /// ```
    /// # use monotable::prelude::*;
    /// # #[derive(Table)]
    /// # #[table(pk = "pk", sk = "sk", entities(Post))]
    /// # #[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
    /// # pub struct Blog;
    /// # #[derive(Entity, Debug, Clone, PartialEq)]
    /// # #[entity(table = Blog)]
    /// # #[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{number:04}")]
    /// # #[index(Gsi1 all: pk = "POST", sk = "{author}#{number:04}")]
    /// # pub struct Post { pub author: String, pub number: u32 }
    /// # fn main() {}
    /// # async fn backfill(db: &Db<Blog>) -> Result<(), Error> {
    /// use futures_util::TryStreamExt;
    ///
    /// let mut posts = std::pin::pin!(db.scan_everything::<Post>().segments(4).stream());
    /// while let Some(post) = posts.try_next().await? {
    ///     db.rekey(Key::of(&post)?).await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn rekey<E: Entity<Table = T>>(&self, key: Key<E>) -> Rekey<E> {
        Rekey::new(self.clone(), key)
    }

    /// Removes an item.
    pub fn delete<E: Entity<Table = T>>(&self, key: Key<E>) -> Delete<E> {
        Delete::new(self.clone(), key)
    }

    /// Reads the items of an access pattern.
    pub fn query<S>(&self, selected: S) -> Query<S::Pattern>
    where
        S: Select,
        S::Pattern: Pattern<Table = T>,
    {
        Query::new(self.clone(), selected.selection())
    }

    /// Reads every item of the table, and finds those that are an `R`: an entity, or a collection
    /// of entities. The whole table is paid for, however little is found.
    pub fn scan_everything<R: Scannable<Table = T>>(&self) -> Scan<Everything<R>> {
        Scan::new(self.clone())
    }

    /// Reads every entry of the index that an access pattern is on, whatever its partition, and
    /// finds those that the pattern is for. The whole index is paid for, however little is found.
    ///
    /// ```
    /// # use monotable::prelude::*;
    /// #[derive(Table)]
    /// #[table(pk = "pk", sk = "sk", type_attr = "type", entities(Job))]
    /// #[gsi(Failures, pk = "gsi1pk", sk = "gsi1sk", project(error))]
    /// pub struct Jobs;
    ///
    /// #[derive(Entity, Debug, Clone)]
    /// #[entity(table = Jobs)]
    /// #[key(by_id: pk = "JOB#{id}", sk = "JOB")]
    /// #[index(
    ///     Failures by_error: pk = "ERROR#{error}", sk = "{id}",
    ///     when = "attribute_exists(error)", view(error)
    /// )]
    /// pub struct Job {
    ///     pub id: String,
    ///     pub error: Option<String>,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let db = Jobs::open("jobs", monotable_embedded::Embedded::in_memory());
    /// # db.create_table().await?;
    /// for (id, error) in [("a", None), ("b", Some("full")), ("c", Some("late"))] {
    ///     db.create(&Job { id: id.to_owned(), error: error.map(str::to_owned) }).await?;
    /// }
    /// // The index is sparse: of three jobs, it holds the two that have failed.
    /// let failed = db.scan_index::<job::ByError>().all().await?;
    /// assert_eq!((failed.rows.len(), failed.evaluated), (2, 2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn scan_index<P: IndexPattern + Pattern<Table = T>>(&self) -> Scan<Entries<P>> {
        Scan::new(self.clone())
    }

    /// Reads many items by their keys, in requests of up to 100.
    pub fn get_many<E: Entity<Table = T>>(
        &self,
        keys: impl IntoIterator<Item = Key<E>>,
    ) -> GetMany<E> {
        GetMany::new(self.clone(), keys.into_iter().collect())
    }

    /// Writes and removes many items independently, in requests of up to 25.
    pub fn write_many(&self) -> WriteMany<T> {
        WriteMany::new(self.clone())
    }

    /// Does up to 100 writes and checks together, or none. `X` is the type that refusals are
    /// reported as; see [`Transaction::or`].
    pub fn transaction<X: Send + 'static>(&self) -> Transaction<T, X> {
        Transaction::new(self.clone())
    }

    pub(crate) fn table(&self) -> TableName {
        Arc::clone(&self.name)
    }

    pub(crate) fn capacity(&self) -> CapacityDetail {
        self.capacity
    }

    /// Reads an item as it is stored, consistently.
    async fn stored_item(&self, key: Item) -> Result<Option<Item>, BackendError> {
        let get = GetItem {
            table: self.table(),
            key,
            consistent: true,
            projection: None,
            names: Names::new(),
            capacity: self.capacity(),
        };
        let read = self.backend.get_item(get).await?;
        self.count_read(&read.consumed);
        Ok(read.item)
    }

    /// Lets the requests of this clone of the handle be counted in the span of an operation.
    fn observe(&mut self, span: &Span) {
        self.tally = Tally::of(span);
    }

    /// Counts what a read consumed.
    pub(crate) fn count_read<'a>(&self, consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) {
        for consumed in consumed {
            self.meter.iter().for_each(|meter| meter.add_read(consumed.units));
            self.tally.iter().for_each(|tally| tally.add_read(consumed.units));
            note_indexes(consumed);
        }
    }

    /// Counts what a write consumed.
    pub(crate) fn count_write<'a>(&self, consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) {
        for consumed in consumed {
            self.meter.iter().for_each(|meter| meter.add_write(consumed.units));
            self.tally.iter().for_each(|tally| tally.add_write(consumed.units));
            note_indexes(consumed);
        }
    }

    /// Counts that requests are sent again.
    fn count_round(&self) {
        self.tally.iter().for_each(Tally::add_round);
    }
}

/// An event for the part of each index, where those were asked for.
fn note_indexes(consumed: &ConsumedCapacity) {
    for (index, units) in &consumed.index_units {
        tracing::debug!(monotable.index = index, monotable.units = units, "index");
    }
}

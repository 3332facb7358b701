//! A table as one version of its record describes it.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use monotable_storage::Key;

use crate::keyspace::table::{self, STAMP_BYTES};
use crate::schema::{Stamp, TableSchema};
use crate::swept_mark::SweptMark;
use crate::vector::Sketches;

/// A version of a table. Requests are checked against it, and what they then do stands only as long
/// as the record in the store is still this one.
#[derive(Debug)]
pub struct Table {
    schema: Arc<TableSchema>,
    record_key: Key,
    /// How the record begins while this version stands.
    stamp: [u8; STAMP_BYTES],
    /// Shared by all versions.
    swept: Arc<SweptMark>,
    /// Shared by all versions.
    sketches: Arc<Sketches>,
    /// See [`Table::derived`].
    derived: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl Table {
    pub(crate) fn new(schema: TableSchema) -> Arc<Table> {
        Table::with_shared(schema, Arc::default(), Arc::default())
    }

    /// The next version of this table.
    pub(crate) fn changed(&self, schema: TableSchema) -> Arc<Table> {
        self.sketches.retain(|index| schema.vector_index_by_id(index).is_some());
        Table::with_shared(schema, self.swept.clone(), self.sketches.clone())
    }

    fn with_shared(
        schema: TableSchema,
        swept: Arc<SweptMark>,
        sketches: Arc<Sketches>,
    ) -> Arc<Table> {
        let record_key = table::encode_key(&schema.home, &schema.name);
        let stamp = table::encode_stamp(schema.stamp());
        let derived = OnceLock::new();
        Arc::new(Table { schema: Arc::new(schema), record_key, stamp, swept, sketches, derived })
    }

    /// What the table is.
    pub fn schema(&self) -> &Arc<TableSchema> {
        &self.schema
    }

    /// What the layer above makes of this version, such as a policy that it compiles. It is made
    /// once, and must always be of one type.
    pub fn derived<T: Send + Sync + 'static>(
        &self,
        make: impl FnOnce(&TableSchema) -> T,
    ) -> Option<Arc<T>> {
        let derived = self.derived.get_or_init(|| Arc::new(make(&self.schema)));
        derived.clone().downcast().ok()
    }

    pub(crate) fn stamp(&self) -> Stamp {
        self.schema.stamp()
    }

    /// Where the table's record lies.
    pub(crate) fn record_key(&self) -> &Key {
        &self.record_key
    }

    /// Returns whether the record that was read is still this version.
    pub(crate) fn stands(&self, record: Option<&Bytes>) -> bool {
        record.is_some_and(|record| record.starts_with(&self.stamp))
    }

    /// How far the table was swept of expired items.
    pub(crate) fn swept(&self) -> &SweptMark {
        &self.swept
    }

    /// What is sketched of its vectors.
    pub(crate) fn sketches(&self) -> &Arc<Sketches> {
        &self.sketches
    }
}

//! Reads by key.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use monotable_item::stored::ItemView;
use monotable_storage::{Engine, Key, Snapshot};

use crate::Database;
use crate::capacity::{Consistency, HalfUnits, read_units};
use crate::error::ReadError;
use crate::key::ItemKey;
use crate::off_worker;
use crate::table::Table;

/// One item that was looked up.
#[derive(Debug, Clone)]
pub struct Got {
    /// The item in its stored form, if there is one.
    pub item: Option<Bytes>,
    /// Its size.
    pub size_bytes: usize,
}

impl Got {
    fn new(item: Option<Bytes>) -> Result<Got, ReadError> {
        let size_bytes = match &item {
            Some(item) => ItemView::new(item)?.size_bytes(),
            None => 0,
        };
        Ok(Got { item, size_bytes })
    }

    /// What looking it up costs.
    pub fn units(&self, consistency: Consistency) -> HalfUnits {
        read_units(self.size_bytes, consistency)
    }
}

/// An item to be looked up.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// Its table, as the request was checked.
    pub table: Arc<Table>,
    /// Its key.
    pub key: ItemKey,
}

/// What was read of an item and of the record of its table.
fn item_and_record(values: Vec<Option<Bytes>>) -> (Option<Bytes>, Option<Bytes>) {
    let mut values = values.into_iter();
    (values.next().flatten(), values.next().flatten())
}

impl<E: Engine> Database<E> {
    /// Reads one item of a table that the request was checked against.
    pub async fn get(
        &self,
        table: &Table,
        key: &ItemKey,
        consistency: Consistency,
    ) -> Result<Got, ReadError> {
        if !self.engine.is_shared() {
            let item = self.engine.get(key.storage_key()).await?;
            off_worker::move_if_large(item.as_ref().map_or(0, Bytes::len)).await;
            return Got::new(item);
        }
        // Behind a pointer, so that a store of one's own pays nothing for it.
        Box::pin(self.get_checked(table, key, consistency)).await
    }

    async fn get_checked(
        &self,
        table: &Table,
        key: &ItemKey,
        consistency: Consistency,
    ) -> Result<Got, ReadError> {
        let keys = [key.storage_key().clone(), table.record_key().clone()];
        let stale = match consistency {
            Consistency::Eventual => self.engine.stale_get_many(&keys).await,
            Consistency::Strong => None,
        };
        let stale = stale.map(item_and_record);
        // A copy that knows another version of the table is asked again when it has caught up.
        let (item, record) = match stale.filter(|(_, record)| table.stands(record.as_ref())) {
            Some(found) => found,
            None => item_and_record(self.engine.get_many(&keys).await?),
        };
        self.check_version(table, record.as_ref()).await?;
        off_worker::move_if_large(item.as_ref().map_or(0, Bytes::len)).await;
        Got::new(item)
    }

    /// Reads many items, of any tables, as they are at one moment.
    pub async fn get_many(&self, lookups: &[Lookup]) -> Result<Vec<Got>, ReadError> {
        self.get_many_checked(lookups, Consistency::Strong).await
    }

    /// The same, as they were at one moment, which may lie a little in the past.
    pub async fn get_many_eventual(&self, lookups: &[Lookup]) -> Result<Vec<Got>, ReadError> {
        self.get_many_checked(lookups, Consistency::Eventual).await
    }

    async fn get_many_checked(
        &self,
        lookups: &[Lookup],
        consistency: Consistency,
    ) -> Result<Vec<Got>, ReadError> {
        let mut keys: Vec<Key> =
            lookups.iter().map(|lookup| lookup.key.storage_key().clone()).collect();
        let is_shared = self.engine.is_shared();
        if is_shared {
            keys.extend(lookups.iter().map(|lookup| lookup.table.record_key().clone()));
        }
        let stale = match consistency {
            Consistency::Eventual if is_shared => self.engine.stale_get_many(&keys).await,
            Consistency::Eventual | Consistency::Strong => None,
        };
        let stands = |values: &Vec<Option<Bytes>>| {
            let records = values.iter().skip(lookups.len());
            lookups.iter().zip(records).all(|(it, record)| it.table.stands(record.as_ref()))
        };
        let mut items = match stale.filter(stands) {
            Some(values) => values,
            None => self.engine.get_many(&keys).await?,
        };
        let records = items.split_off(lookups.len());
        for (lookup, record) in lookups.iter().zip(&records) {
            self.check_version(&lookup.table, record.as_ref()).await?;
        }
        off_worker::move_if_large(items.iter().flatten().map(Bytes::len).sum()).await;
        items.into_iter().map(Got::new).collect()
    }

    /// Reads one item as it was so long ago; see [`Database::keep_history`].
    pub async fn get_before(&self, key: &ItemKey, age: Duration) -> Result<Got, ReadError> {
        let item = self.snapshot_before(age).await?.get(key.storage_key()).await?;
        Got::new(item)
    }

    /// Reads many items, of any tables, as they were so long ago; see [`Database::keep_history`].
    pub async fn get_many_before(
        &self,
        lookups: &[Lookup],
        age: Duration,
    ) -> Result<Vec<Got>, ReadError> {
        let keys: Vec<Key> =
            lookups.iter().map(|lookup| lookup.key.storage_key().clone()).collect();
        let items = self.snapshot_before(age).await?.get_many(&keys).await?;
        off_worker::move_if_large(items.iter().flatten().map(Bytes::len).sum()).await;
        items.into_iter().map(Got::new).collect()
    }

    /// Refuses a read of a table that another server has changed since the request was checked.
    pub(crate) async fn check_version(
        &self,
        table: &Table,
        record: Option<&Bytes>,
    ) -> Result<(), ReadError> {
        if table.stands(record) {
            return Ok(());
        }
        Box::pin(self.reload_table(table)).await?;
        Err(ReadError::SchemaChanged)
    }
}

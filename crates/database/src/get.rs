//! Reads by key.

use bytes::Bytes;
use monotable_item::stored::ItemView;
use monotable_storage::{Engine, Key, Snapshot};

use crate::Database;
use crate::capacity::{Consistency, HalfUnits, read_units};
use crate::error::ReadError;
use crate::key::ItemKey;

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

impl<E: Engine> Database<E> {
    /// Reads one item.
    pub async fn get(&self, key: &ItemKey) -> Result<Got, ReadError> {
        let snapshot = self.engine.snapshot().await?;
        Got::new(snapshot.get(key.storage_key()).await?)
    }

    /// Reads many items, of any tables, as they were at one moment.
    pub async fn get_many(&self, keys: &[ItemKey]) -> Result<Vec<Got>, ReadError> {
        let keys: Vec<Key> = keys.iter().map(|key| key.storage_key().clone()).collect();
        let snapshot = self.engine.snapshot().await?;
        snapshot.get_many(&keys).await?.into_iter().map(Got::new).collect()
    }
}

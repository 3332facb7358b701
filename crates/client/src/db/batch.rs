//! Reading and writing many items independently of each other.
//!
//! A service may leave some of a batch undone. The client sends those again, waiting longer each
//! time, and gives back what is left after the last attempt.

use std::collections::BTreeMap;
use std::future::IntoFuture;

use monotable_item::Item;
use monotable_item::limits::{BATCH_GET_KEYS_MAX, BATCH_WRITES_MAX};
use tracing::Instrument;
use tracing::field::Empty;

use super::tally::operation_span;
use super::{Db, Operation};
use crate::backend::{BatchGetItem, BatchWriteItem, KeysToGet, WriteOne};
use crate::entity::{Entity, Replaceable, Table};
use crate::error::Error;
use crate::key::Key;
use crate::schema::sort_bytes;

/// How often members of a batch are sent that were not processed.
const ATTEMPTS_MAX: u32 = 8;

/// Reads many items by their keys.
#[must_use = "nothing is read until it is awaited"]
pub struct GetMany<E: Entity> {
    db: Db<E::Table>,
    keys: Vec<Key<E>>,
    consistent: bool,
}

/// What [`GetMany`] found.
#[derive(Debug)]
pub struct Gotten<E> {
    /// An item for each key, in the order of the keys.
    pub found: Vec<Option<E>>,
    /// The keys that could not be read: nothing is known of their items.
    pub remainder: Vec<Key<E>>,
}

impl<E: Entity> GetMany<E> {
    pub(super) fn new(db: Db<E::Table>, keys: Vec<Key<E>>) -> GetMany<E> {
        GetMany { db, keys, consistent: false }
    }

    /// Reads consistently: sees every acknowledged write, for twice the units.
    pub fn consistent(mut self) -> GetMany<E> {
        self.consistent = true;
        self
    }

    async fn send(self) -> Result<Gotten<E>, Error> {
        let stored: Vec<Item> = self.keys.iter().map(Key::to_item).collect::<Result<_, Error>>()?;
        let (items, left) = read_all(&self.db, stored.clone(), self.consistent).await?;
        let mut gotten = Gotten { found: Vec::with_capacity(stored.len()), remainder: Vec::new() };
        for (key, stored) in self.keys.into_iter().zip(&stored) {
            let place = place_of::<E>(stored);
            let item = items.get(&place).cloned();
            gotten.found.push(item.map(E::from_item).transpose()?);
            if left.contains_key(&place) {
                gotten.remainder.push(key);
            }
        }
        Ok(gotten)
    }
}

impl<T: Table> Db<T> {
    /// Reads whole items by stored keys, in the order of the keys; ones that are gone are left out.
    pub(super) async fn items_by_key<E: Entity<Table = T>>(
        &self,
        keys: Vec<Item>,
    ) -> Result<Vec<E>, Error> {
        let (mut items, left) = read_all(self, keys.clone(), false).await?;
        if !left.is_empty() {
            return Err(Error::Unprocessed { left: left.len() });
        }
        let found = keys.iter().filter_map(|key| items.remove(&place_of::<E>(key)));
        found.map(|item| Ok(E::from_item(item)?)).collect()
    }
}

/// Bytes that differ between any two keys of the table.
fn place_of<E: Entity>(item: &Item) -> Vec<u8> {
    place_in(<E::Table as Table>::schema().key_names(), item)
}

fn place_in<'a>(names: impl Iterator<Item = &'a str>, item: &Item) -> Vec<u8> {
    sort_bytes(names.filter_map(|name| item.get(name)))
}

type ByPlace = BTreeMap<Vec<u8>, Item>;

/// Reads items by their keys: what was found, and the keys that were left unread.
async fn read_all<T: Table>(
    db: &Db<T>,
    keys: Vec<Item>,
    consistent: bool,
) -> Result<(ByPlace, ByPlace), Error> {
    let place = |item: &Item| place_in(T::schema().key_names(), item);
    let mut wanted: Vec<Item> =
        keys.into_iter().map(|key| (place(&key), key)).collect::<ByPlace>().into_values().collect();
    let mut found = ByPlace::new();
    let mut attempt = 0;
    while !wanted.is_empty() && attempt < ATTEMPTS_MAX {
        if attempt > 0 {
            db.count_round();
            db.backend.pause(attempt).await;
        }
        let mut left = Vec::new();
        for keys in wanted.chunks(BATCH_GET_KEYS_MAX) {
            let keys = KeysToGet { keys: keys.to_vec(), consistent, ..KeysToGet::default() };
            let request = BatchGetItem {
                tables: BTreeMap::from([(db.table(), keys)]),
                capacity: db.capacity(),
            };
            let outcome = db.backend.batch_get_item(request).await?;
            db.count_read(&outcome.consumed);
            let items = outcome.items.into_values().flatten();
            found.extend(items.map(|item| (place(&item), item)));
            left.extend(outcome.unprocessed.into_values().flat_map(|keys| keys.keys));
        }
        // Progress starts the count again.
        attempt = if left.len() < wanted.len() && !left.is_empty() { 1 } else { attempt + 1 };
        wanted = left;
    }
    Ok((found, wanted.into_iter().map(|key| (place(&key), key)).collect()))
}

/// Writes and removes many items independently of each other.
#[must_use = "nothing is written until it is awaited"]
pub struct WriteMany<T: Table> {
    db: Db<T>,
    writes: Result<Vec<WriteOne>, Error>,
}

/// What [`WriteMany`] did not do.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The writes that were not processed; empty if all were done.
    pub remainder: Vec<WriteOne>,
}

impl<T: Table> WriteMany<T> {
    pub(super) fn new(db: Db<T>) -> WriteMany<T> {
        WriteMany { db, writes: Ok(Vec::new()) }
    }

    /// Writes this item whole, whatever was there before.
    pub fn put<E: Replaceable + Entity<Table = T>>(self, entity: &E) -> WriteMany<T> {
        let now = self.db.backend.now();
        let item = entity.to_attributes().and_then(|mut attributes| {
            E::schema().stamp_change(&mut attributes, now);
            E::schema().item(&attributes)
        });
        self.with(item.map(WriteOne::Put))
    }

    /// Removes the item with this key.
    pub fn delete<E: Replaceable + Entity<Table = T>>(self, key: &Key<E>) -> WriteMany<T> {
        let key = key.to_item();
        self.with(key.map(WriteOne::Delete))
    }

    fn with(mut self, write: Result<WriteOne, Error>) -> WriteMany<T> {
        self.writes = match (self.writes, write) {
            (Ok(mut writes), Ok(write)) => {
                writes.push(write);
                Ok(writes)
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        self
    }

    async fn send(self) -> Result<Written, Error> {
        let mut wanted = self.writes?;
        let mut is_begun = false;
        let mut attempt = 0;
        while !wanted.is_empty() && attempt < ATTEMPTS_MAX {
            if attempt > 0 {
                self.db.count_round();
                self.db.backend.pause(attempt).await;
            }
            let mut left = Vec::new();
            for (number, writes) in wanted.chunks(BATCH_WRITES_MAX).enumerate() {
                let request = BatchWriteItem {
                    tables: BTreeMap::from([(self.db.table(), writes.to_vec())]),
                    capacity: self.db.capacity(),
                };
                let outcome = match self.db.backend.batch_write_item(request).await {
                    Ok(outcome) => outcome,
                    Err(error) if is_begun => {
                        // What this request would have written, and those after it.
                        left.extend(
                            wanted.chunks(BATCH_WRITES_MAX).skip(number).flatten().cloned(),
                        );
                        return Err(Error::Interrupted { remainder: left, error });
                    }
                    Err(error) => return Err(error.into()),
                };
                is_begun = true;
                self.db.count_write(&outcome.consumed);
                left.extend(outcome.unprocessed.into_values().flatten());
            }
            attempt = if left.len() < wanted.len() && !left.is_empty() { 1 } else { attempt + 1 };
            wanted = left;
        }
        Ok(Written { remainder: wanted })
    }
}

impl<E: Entity> IntoFuture for GetMany<E> {
    type Output = Result<Gotten<E>, Error>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("get_many", self.db, E::DEFINITION.name, E::DEFINITION.key_name);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

impl<T: Table> IntoFuture for WriteMany<T> {
    type Output = Result<Written, Error>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("write_many", self.db, Empty, Empty);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

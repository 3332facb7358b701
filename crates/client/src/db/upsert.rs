//! Writing an item whole.

use std::future::IntoFuture;

use monotable_item::Item;
use tracing::Instrument;

use super::create::refused;
use super::delete::all;
use super::patch::lock_term;
use super::tally::operation_span;
use super::{Db, Operation};
use crate::attribute::Attribute;
use crate::backend::{PutItem, ReturnValues};
use crate::condition::{Condition, Term};
use crate::entity::{Entity, Locked};
use crate::error::{Error, WriteError};
use crate::expression::Placeholders;

/// Writes an item whole, whatever was there before; awaiting it gives the item as it was stored.
#[must_use = "nothing is written until it is awaited"]
pub struct Upsert<E: Entity> {
    db: Db<E::Table>,
    attributes: Result<Item, Error>,
    conditions: Vec<Term>,
}

impl<E: Entity> Upsert<E> {
    pub(super) fn new(db: Db<E::Table>, entity: &E) -> Upsert<E> {
        let now = db.backend.now();
        let attributes = entity.to_attributes().map(|mut attributes| {
            E::schema().stamp_change(&mut attributes, now);
            attributes
        });
        Upsert { db, attributes, conditions: Vec::new() }
    }

    /// Replaces an item that is there, and makes none.
    pub fn if_exists(mut self) -> Upsert<E> {
        self.conditions.push(Term::Exists(E::schema().table.definition.partition_key.name));
        self
    }

    /// Replaces an item only if this holds of it; if the condition may hold of no item, makes one.
    pub fn when(mut self, condition: Condition<E>) -> Upsert<E> {
        self.conditions.push(condition.term);
        self
    }

    /// Replaces an item only if its lock is this number, that is, if nobody has changed it since it
    /// was read; raises the lock. Without this the lock is stored as the item says, and an update
    /// that happened meanwhile is lost.
    pub fn if_rev(mut self, rev: u64) -> Upsert<E>
    where
        E: Locked,
    {
        self.conditions.push(lock_term::<E>(rev));
        let raised = rev.checked_add(1).and_then(|raised| raised.to_value());
        if let (Ok(attributes), Some(lock)) = (&mut self.attributes, E::DEFINITION.lock) {
            attributes.extend(raised.map(|raised| (lock.to_owned(), raised)));
        }
        self
    }

    async fn send(self) -> Result<E, WriteError<E>> {
        let item = E::schema().item(&self.attributes?)?;
        let mut placeholders = Placeholders::default();
        let condition = all(&self.conditions, &mut placeholders);
        let request = PutItem {
            table: self.db.table(),
            item: item.clone(),
            item_on_failure: condition.is_some(),
            condition,
            names: placeholders.names,
            values: placeholders.values,
            returns: ReturnValues::None,
            capacity: self.db.capacity(),
        };
        let outcome = self.db.backend.put_item(request).await.map_err(refused)?;
        self.db.count_write(&outcome.consumed);
        Ok(E::from_item(item)?)
    }
}

impl<E: Entity> IntoFuture for Upsert<E> {
    type Output = Result<E, WriteError<E>>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("upsert", self.db, E::DEFINITION.name, E::DEFINITION.key_name);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

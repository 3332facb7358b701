//! Writing an item whole.

use std::future::IntoFuture;

use monotable_item::Item;
use tracing::Instrument;

use super::tally::operation_span;
use super::{Db, Operation};
use crate::backend::{ErrorKind, PutItem, ReturnValues, Values};
use crate::condition::Term;
use crate::entity::Entity;
use crate::error::Error;
use crate::expression::Placeholders;

/// Writes an item whole, whatever was there before; awaiting it gives the item as it was stored.
#[must_use = "nothing is written until it is awaited"]
pub struct Upsert<E: Entity> {
    db: Db<E::Table>,
    attributes: Result<Item, Error>,
    only_existing: bool,
}

impl<E: Entity> Upsert<E> {
    pub(super) fn new(db: Db<E::Table>, entity: &E) -> Upsert<E> {
        let now = db.backend.now();
        let attributes = entity.to_attributes().map(|mut attributes| {
            E::schema().stamp_change(&mut attributes, now);
            attributes
        });
        Upsert { db, attributes, only_existing: false }
    }

    /// Replaces an item that is there, and makes none.
    pub fn if_exists(mut self) -> Upsert<E> {
        self.only_existing = true;
        self
    }

    async fn send(self) -> Result<E, Error> {
        let item = E::schema().item(&self.attributes?)?;
        let mut placeholders = Placeholders::default();
        let partition = E::schema().table.definition.partition_key.name;
        let condition =
            self.only_existing.then(|| Term::Exists(partition).write(&mut placeholders));
        let request = PutItem {
            table: self.db.table(),
            item: item.clone(),
            condition,
            names: placeholders.names,
            values: Values::new(),
            returns: ReturnValues::None,
            item_on_failure: false,
            capacity: self.db.capacity(),
        };
        let outcome =
            self.db.backend.put_item(request).await.map_err(|error| match error.kind {
                ErrorKind::ConditionFailed { .. } => Error::NotMet { entity: E::DEFINITION.name },
                _ => Error::Backend(error),
            })?;
        self.db.count_write(&outcome.consumed);
        Ok(E::from_item(item)?)
    }
}

impl<E: Entity> IntoFuture for Upsert<E> {
    type Output = Result<E, Error>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("upsert", self.db, E::DEFINITION.name, E::DEFINITION.key_name);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

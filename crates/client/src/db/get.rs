//! Reading one item.

use std::future::IntoFuture;

use tracing::Instrument;

use super::tally::operation_span;
use super::{Db, Operation};
use crate::backend::{GetItem, Names};
use crate::entity::Entity;
use crate::error::Error;
use crate::key::Key;

/// Reads an item by its key.
#[must_use = "nothing is read until it is awaited"]
pub struct Get<E: Entity> {
    db: Db<E::Table>,
    key: Key<E>,
    consistent: bool,
}

impl<E: Entity> Get<E> {
    pub(super) fn new(db: Db<E::Table>, key: Key<E>) -> Get<E> {
        Get { db, key, consistent: false }
    }

    /// Sees every write that was acknowledged, for twice the units.
    pub fn consistent(mut self) -> Get<E> {
        self.consistent = true;
        self
    }

    /// The request, without sending it.
    pub fn request(&self) -> Result<GetItem, Error> {
        Ok(GetItem {
            table: self.db.table(),
            key: self.key.to_item()?,
            consistent: self.consistent,
            projection: None,
            names: Names::new(),
            capacity: self.db.capacity(),
        })
    }

    async fn send(self) -> Result<Option<E>, Error> {
        let outcome = self.db.backend.get_item(self.request()?).await?;
        self.db.count_read(&outcome.consumed);
        Ok(outcome.item.map(E::from_item).transpose()?)
    }
}

impl<E: Entity> IntoFuture for Get<E> {
    type Output = Result<Option<E>, Error>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("get", self.db, E::DEFINITION.name, E::DEFINITION.key_name);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

//! Reading one item.

use std::future::IntoFuture;
use std::marker::PhantomData;

use tracing::Instrument;

use super::tally::operation_span;
use super::{Db, Operation};
use crate::backend::GetItem;
use crate::entity::{Entity, Row, Table};
use crate::error::Error;
use crate::expression::Placeholders;
use crate::key::Key;
use crate::view::{View, projection_of};

/// Reads an item by its key: whole, or as a view.
#[must_use = "nothing is read until it is awaited"]
pub struct Get<E: Entity, R = E> {
    db: Db<E::Table>,
    key: Key<E>,
    consistent: bool,
    of: PhantomData<fn() -> R>,
}

impl<E: Entity> Get<E> {
    pub(super) fn new(db: Db<E::Table>, key: Key<E>) -> Get<E> {
        Get { db, key, consistent: false, of: PhantomData }
    }

    /// Reads only the fields of a view, for the units of the whole item.
    pub fn view<V: View<Entity = E>>(self) -> Get<E, V> {
        let Get { db, key, consistent, .. } = self;
        Get { db, key, consistent, of: PhantomData }
    }
}

impl<E: Entity, R: Row> Get<E, R> {
    /// Reads consistently: sees every acknowledged write, for twice the units.
    pub fn consistent(mut self) -> Get<E, R> {
        self.consistent = true;
        self
    }

    /// The request, without sending it.
    pub fn request(&self) -> Result<GetItem, Error> {
        let table = <E::Table as Table>::schema();
        let mut placeholders = Placeholders::default();
        let (keys, kind) = (table.key_names(), table.definition.type_attribute);
        let projection = projection_of::<R>(keys, kind, |_| true, &mut placeholders);
        Ok(GetItem {
            table: self.db.table(),
            key: self.key.to_item()?,
            consistent: self.consistent,
            projection,
            names: placeholders.names,
            capacity: self.db.capacity(),
        })
    }

    async fn send(self) -> Result<Option<R>, Error> {
        let outcome = self.db.backend.get_item(self.request()?).await?;
        self.db.count_read(&outcome.consumed);
        Ok(outcome.item.map(R::from_item).transpose()?)
    }
}

impl<E: Entity, R: Row> IntoFuture for Get<E, R> {
    type Output = Result<Option<R>, Error>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("get", self.db, E::DEFINITION.name, E::DEFINITION.key_name);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

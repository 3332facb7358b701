//! Writing the keys of indexes anew, for items that were written before there was the index.
//!
//! A patch writes the keys that follow from what it changes, and no others. What was stored before
//! an index had its keys is brought in by computing all of them from the item as it is.

use std::future::IntoFuture;

use monotable_item::Item;
use tracing::Instrument;

use super::delete::all;
use super::patch::write_update;
use super::tally::operation_span;
use super::upgrade::ATTEMPTS_MAX;
use super::{Db, Operation};
use crate::backend::{ErrorKind, ReturnValues, UpdateItem};
use crate::change::Change;
use crate::condition::Term;
use crate::entity::Entity;
use crate::error::{Error, WriteError};
use crate::expression::Placeholders;
use crate::key::Key;

/// Writes the keys of all indexes of an item anew; awaiting it gives the item, or nothing if there
/// is none.
#[must_use = "nothing is written until it is awaited"]
pub struct Rekey<E: Entity> {
    db: Db<E::Table>,
    key: Key<E>,
}

impl<E: Entity> Rekey<E> {
    pub(super) fn new(db: Db<E::Table>, key: Key<E>) -> Rekey<E> {
        Rekey { db, key }
    }

    async fn send(self) -> Result<Option<E>, WriteError<E>> {
        let mut item = self.db.stored_item(self.key.to_item()?).await?;
        for attempt in 0..ATTEMPTS_MAX {
            if attempt > 0 {
                self.db.count_round();
            }
            let Some(stored) = item else { return Ok(None) };
            if E::schema().older_version(&stored)?.is_some() {
                // To be of the current version, it is written whole, with all its keys.
                match self.db.rewrite::<E>(stored).await {
                    Err(WriteError::NotMet { .. }) => {
                        item = self.db.stored_item(self.key.to_item()?).await?;
                        continue;
                    }
                    outcome => return outcome.map(Some),
                }
            }
            let entity = E::from_item(stored.clone())?;
            let Some(update) = self.update(&stored, &entity.to_attributes()?)? else {
                return Ok(Some(entity));
            };
            match self.db.backend.update_item(update).await {
                Ok(outcome) => {
                    self.db.count_write(&outcome.consumed);
                    return Ok(Some(E::from_item(outcome.attributes.unwrap_or_default())?));
                }
                Err(error) => match error.kind {
                    ErrorKind::ConditionFailed { item: current } => item = current.map(|it| *it),
                    _ => return Err(error.into()),
                },
            }
        }
        let current = item.and_then(|item| E::from_item(item).ok());
        Err(WriteError::NotMet { current })
    }

    /// The update that writes the keys, unless they are right: on the condition that what they
    /// follow from is as it was read.
    fn update(&self, stored: &Item, attributes: &Item) -> Result<Option<UpdateItem>, Error> {
        let schema = E::schema();
        let keys = schema.stale_keys(stored, attributes)?.into_iter();
        let changes =
            keys.map(|key| (key.attribute, vec![key.value.map_or(Change::Remove, Change::Set)]));
        let changes: std::collections::BTreeMap<_, _> = changes.collect();
        if changes.is_empty() {
            return Ok(None);
        }
        let mut conditions = vec![Term::Exists(schema.table.definition.partition_key.name)];
        conditions.extend(schema.current_version_term());
        conditions.extend(schema.same_sources(stored));
        let mut placeholders = Placeholders::default();
        let condition = all(&conditions, &mut placeholders);
        let update = write_update(&changes, &mut placeholders);
        Ok(Some(UpdateItem {
            table: self.db.table(),
            key: schema.key_part_of(stored),
            update,
            condition,
            names: placeholders.names,
            values: placeholders.values,
            returns: ReturnValues::AllNew,
            item_on_failure: true,
            capacity: self.db.capacity(),
        }))
    }
}

impl<E: Entity> IntoFuture for Rekey<E> {
    type Output = Result<Option<E>, WriteError<E>>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("rekey", self.db, E::DEFINITION.name, E::DEFINITION.key_name);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

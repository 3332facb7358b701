//! Removing an item.

use std::future::IntoFuture;

use tracing::Instrument;

use super::create::refused;
use super::patch::lock_term;
use super::tally::operation_span;
use super::{Db, Operation, unique};
use crate::backend::{
    CancellationReason, DeleteItem, ErrorKind, ReturnValues, TransactWrite, TransactWriteItems,
};
use crate::condition::{Condition, Term};
use crate::entity::{Entity, Locked};
use crate::error::{Error, WriteError};
use crate::expression::Placeholders;
use crate::key::Key;

/// How often a removal starts again because a unique value changed under it.
const ATTEMPTS_MAX: u32 = 4;

/// Removes an item; awaiting it gives the item as it was, or nothing if there was none.
#[must_use = "nothing is removed until it is awaited"]
pub struct Delete<E: Entity> {
    db: Db<E::Table>,
    key: Key<E>,
    conditions: Vec<Term>,
}

impl<E: Entity> Delete<E> {
    pub(super) fn new(db: Db<E::Table>, key: Key<E>) -> Delete<E> {
        Delete { db, key, conditions: Vec::new() }
    }

    /// Removes the item only if this holds of it.
    pub fn when(mut self, condition: Condition<E>) -> Delete<E> {
        self.conditions.push(condition.term);
        self
    }

    /// Removes the item only if there is one.
    pub(super) fn existing(mut self) -> Delete<E> {
        let partition = E::schema().table.definition.partition_key.name;
        self.conditions.push(Term::Exists(partition));
        self
    }

    /// Removes the item only if its lock is this number: nobody changed it since it was read.
    pub fn if_rev(mut self, rev: u64) -> Delete<E>
    where
        E: Locked,
    {
        self.conditions.push(lock_term::<E>(rev));
        self
    }

    async fn send(self) -> Result<Option<E>, WriteError<E>> {
        if E::DEFINITION.unique.is_empty() { self.delete().await } else { self.transact().await }
    }

    async fn delete(self) -> Result<Option<E>, WriteError<E>> {
        let mut placeholders = Placeholders::default();
        let condition = all(&self.conditions, &mut placeholders);
        let request = DeleteItem {
            table: self.db.table(),
            key: self.key.to_item()?,
            condition,
            names: placeholders.names,
            values: placeholders.values,
            returns: ReturnValues::AllOld,
            item_on_failure: true,
            capacity: self.db.capacity(),
        };
        let outcome = self.db.backend.delete_item(request).await.map_err(refused)?;
        self.db.count_write(&outcome.consumed);
        Ok(outcome.attributes.map(E::from_item).transpose()?)
    }

    /// Reads the unique values and gives them free together with the item, unless they changed in
    /// between.
    async fn transact(self) -> Result<Option<E>, WriteError<E>> {
        for attempt in 0..ATTEMPTS_MAX {
            if attempt > 0 {
                self.db.count_round();
            }
            let stored = self.db.stored_item(self.key.to_item()?).await?;
            let Some(item) = stored else {
                let absent_is_fine = self.conditions.is_empty();
                let refusal = WriteError::NotMet { current: None };
                return if absent_is_fine { Ok(None) } else { Err(refusal) };
            };
            if E::schema().older_version(&item)?.is_some() {
                // Which unique values an older item holds is known once it is the current one.
                match self.db.rewrite::<E>(item).await {
                    Ok(_) | Err(WriteError::NotMet { .. }) => continue,
                    Err(error) => return Err(error),
                }
            }
            let entity = E::from_item(item)?;
            let request = TransactWriteItems {
                actions: self.actions(&entity)?,
                token: None,
                capacity: self.db.capacity(),
            };
            match self.db.backend.transact_write_items(request).await {
                Ok(outcome) => {
                    self.db.count_write(&outcome.consumed);
                    return Ok(Some(entity));
                }
                Err(error) => match &error.kind {
                    ErrorKind::TransactionCancelled { reasons }
                        if reasons.iter().any(CancellationReason::is_failed_condition) =>
                    {
                        // The item comes first, and the release of a value has no condition.
                        let current = reasons.first().and_then(|reason| reason.item.clone());
                        let current = current.and_then(|item| E::from_item(item).ok());
                        let has_changed =
                            current.as_ref().is_some_and(|it| !has_same_values(it, &entity));
                        if !self.conditions.is_empty() && !has_changed {
                            return Err(WriteError::NotMet { current });
                        }
                    }
                    _ => return Err(error.into()),
                },
            }
        }
        Err(WriteError::NotMet { current: None })
    }

    /// What a transaction does to remove the item with these unique values: the item first, then
    /// its values.
    pub(super) fn actions(&self, entity: &E) -> Result<Vec<TransactWrite>, Error> {
        let (schema, table) = (E::schema(), self.db.table());
        let attributes = entity.to_attributes()?;
        let mut conditions = self.conditions.clone();
        let mut releases = Vec::new();
        for constraint in schema.definition.unique {
            let name = schema.stored_name(constraint.attribute);
            let Some(value) = attributes.get(constraint.attribute) else {
                conditions.push(Term::Missing(name));
                continue;
            };
            conditions.push(Term::Compare(name, "=", value.clone()));
            releases.push(unique::release(table.clone(), schema, constraint, value)?);
        }
        let mut placeholders = Placeholders::default();
        let condition = all(&conditions, &mut placeholders);
        let delete = TransactWrite::Delete {
            table,
            key: self.key.to_item()?,
            condition,
            names: placeholders.names,
            values: placeholders.values,
            item_on_failure: true,
        };
        Ok(std::iter::once(delete).chain(releases).collect())
    }
}

/// Whether two states of an item have the same unique values.
fn has_same_values<E: Entity>(one: &E, other: &E) -> bool {
    let (Ok(one), Ok(other)) = (one.to_attributes(), other.to_attributes()) else { return false };
    E::DEFINITION.unique.iter().all(|it| one.get(it.attribute) == other.get(it.attribute))
}

/// All of the conditions as one expression, if there are any.
pub(super) fn all(conditions: &[Term], placeholders: &mut Placeholders) -> Option<String> {
    match conditions {
        [] => None,
        [one] => Some(one.write(placeholders)),
        many => Some(Term::All(many.to_vec()).write(placeholders)),
    }
}

impl<E: Entity> IntoFuture for Delete<E> {
    type Output = Result<Option<E>, WriteError<E>>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("delete", self.db, E::DEFINITION.name, E::DEFINITION.key_name);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

//! Rewriting items of older versions as the current one.
//!
//! Reading makes the current struct of an older item and leaves the item as it is. A patch cannot:
//! what it changes is an attribute of the current version. So an older item is first written whole
//! as the current version, on the condition that it is still what was read.

use std::future::IntoFuture;

use monotable_item::{Item, Value};
use tracing::Instrument;

use super::create::{refused, taken};
use super::takeover::Actions;
use super::tally::operation_span;
use super::unique::{self, Claim};
use super::{Db, Operation};
use crate::backend::{ErrorKind, PutItem, ReturnValues, TransactWrite};
use crate::entity::{Entity, Table};
use crate::error::{Error, WriteError};
use crate::expression::Placeholders;
use crate::key::Key;
use crate::schema::OlderDefinition;

/// How often an item is read again because it changed while it was rewritten.
pub(super) const ATTEMPTS_MAX: u32 = 4;

/// Rewrites an item of an older version as the current one; awaiting it gives the item, or nothing
/// if there is none.
#[must_use = "nothing is written until it is awaited"]
pub struct Upgrade<E: Entity> {
    db: Db<E::Table>,
    key: Key<E>,
}

impl<E: Entity> Upgrade<E> {
    pub(super) fn new(db: Db<E::Table>, key: Key<E>) -> Upgrade<E> {
        Upgrade { db, key }
    }

    async fn send(self) -> Result<Option<E>, WriteError<E>> {
        let mut refusal = WriteError::NotMet { current: None };
        for attempt in 0..ATTEMPTS_MAX {
            if attempt > 0 {
                self.db.count_round();
            }
            let stored = self.db.stored_item(self.key.to_item()?).await?;
            let Some(item) = stored else { return Ok(None) };
            if E::schema().older_version(&item)?.is_none() {
                return Ok(Some(E::from_item(item)?));
            }
            match self.db.rewrite(item).await {
                Err(error @ WriteError::NotMet { .. }) => refusal = error,
                outcome => return outcome.map(Some),
            }
        }
        Err(refusal)
    }
}

impl<T: Table> Db<T> {
    /// Writes an item of an older version as the current one, unless it has changed since it was
    /// read.
    pub(super) async fn rewrite<E: Entity<Table = T>>(
        &self,
        stored: Item,
    ) -> Result<E, WriteError<E>> {
        let schema = E::schema();
        let older = schema.older_version(&stored)?;
        let older = schema.definition.older.iter().find(|it| Some(it.version) == older);
        let (condition, placeholders) = unchanged(&stored, older);
        let entity = E::from_item(stored.clone())?;
        let attributes = entity.to_attributes()?;
        let item = schema.item(&attributes)?;
        let owner = schema.key_part_of(&item);
        if owner != schema.key_part_of(&stored) {
            let reason = "an older version has another key; move its items by a migration";
            let entity = schema.definition.name;
            return Err(Error::Model { entity, reason: reason.to_owned() }.into());
        }
        let mut confirmed = Vec::new();
        for constraint in schema.definition.unique {
            let Some(value) = attributes.get(constraint.attribute) else { continue };
            let write = unique::confirm(self.table(), schema, constraint, value, owner.clone())?;
            confirmed.push((write, Claim::new(schema, constraint)));
        }
        if confirmed.is_empty() {
            let request = PutItem {
                table: self.table(),
                item,
                condition: Some(condition),
                names: placeholders.names,
                values: placeholders.values,
                returns: ReturnValues::None,
                item_on_failure: true,
                capacity: self.capacity(),
            };
            let outcome = self.backend.put_item(request).await.map_err(refused)?;
            self.count_write(&outcome.consumed);
            return Ok(entity);
        }
        let mut actions = Actions::from(vec![TransactWrite::Put {
            table: self.table(),
            item,
            condition: Some(condition),
            names: placeholders.names,
            values: placeholders.values,
            item_on_failure: true,
        }]);
        confirmed.into_iter().for_each(|(write, claim)| actions.push(write, Some(claim)));
        let claims = actions.claims.clone();
        let outcome = self.transact_actions(actions).await.map_err(|error| match &error.kind {
            ErrorKind::TransactionCancelled { reasons } => {
                taken(reasons, &claims).unwrap_or_else(|| WriteError::Failed(error.into()))
            }
            _ => WriteError::Failed(error.into()),
        })?;
        self.count_write(&outcome.consumed);
        Ok(entity)
    }
}

/// The condition that an item is what was read: the attributes that it had are the same, and it has
/// got none that the older version reads.
fn unchanged(stored: &Item, older: Option<&OlderDefinition>) -> (String, Placeholders) {
    let mut placeholders = Placeholders::default();
    let mut terms = Vec::new();
    let mut equal = |name: &str, value: &Value| {
        let name = placeholders.name(name);
        terms.push(format!("{name} = {}", placeholders.value(value.clone())));
    };
    stored.iter().for_each(|(name, value)| equal(name, value));
    let members = older.into_iter().flat_map(|older| older.members);
    for member in members.filter(|member| !stored.contains_key(**member)) {
        let name = placeholders.name(member);
        terms.push(format!("attribute_not_exists({name})"));
    }
    (terms.join(" AND "), placeholders)
}

impl<E: Entity> IntoFuture for Upgrade<E> {
    type Output = Result<Option<E>, WriteError<E>>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("upgrade", self.db, E::DEFINITION.name, E::DEFINITION.key_name);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

//! Writing a new item.

use std::future::IntoFuture;

use monotable_item::Item;
use tracing::Instrument;

use super::takeover::Actions;
use super::tally::operation_span;
use super::unique::{self, Claim};
use super::{Db, Operation};
use crate::backend::{
    CancellationReason, ErrorKind, Names, PutItem, ReturnValues, TransactWrite, Values,
};
use crate::entity::Entity;
use crate::error::{Error, WriteError};

/// Writes a new item; awaiting it gives the item as it was stored, with its stamps.
#[must_use = "nothing is written until it is awaited"]
pub struct Create<E: Entity> {
    db: Db<E::Table>,
    attributes: Result<Item, Error>,
}

/// A creation as a transaction does it.
pub(super) struct Creation {
    pub(super) item: Item,
    /// The write of the item, then one for each unique value.
    pub(super) actions: Actions,
}

impl<E: Entity> Create<E> {
    pub(super) fn new(db: Db<E::Table>, entity: &E) -> Create<E> {
        let now = db.backend.now();
        let attributes = entity.to_attributes().map(|mut attributes| {
            E::schema().stamp_new(&mut attributes, now);
            attributes
        });
        Create { db, attributes }
    }

    /// What a transaction does to create the item: the item first, then its unique values.
    pub(super) fn creation(self) -> Result<Creation, Error> {
        let (schema, table) = (E::schema(), self.db.table());
        let attributes = self.attributes?;
        let item = schema.item(&attributes)?;
        let owner = schema.key_part_of(&item);
        let mut actions = Actions::from(vec![TransactWrite::Put {
            table: table.clone(),
            item: item.clone(),
            condition: Some(ABSENT.to_owned()),
            names: absent_names::<E>(),
            values: Values::new(),
            item_on_failure: true,
        }]);
        for constraint in schema.definition.unique {
            if let Some(value) = attributes.get(constraint.attribute) {
                let action = unique::take(table.clone(), schema, constraint, value, owner.clone())?;
                actions.push(action, Some(Claim::new(schema, constraint)));
            }
        }
        Ok(Creation { item, actions })
    }

    async fn send(self) -> Result<E, WriteError<E>> {
        if E::DEFINITION.unique.is_empty() { self.put().await } else { self.transact().await }
    }

    async fn put(self) -> Result<E, WriteError<E>> {
        let item = E::schema().item(&self.attributes?)?;
        let request = PutItem {
            table: self.db.table(),
            item: item.clone(),
            condition: Some(ABSENT.to_owned()),
            names: absent_names::<E>(),
            values: Values::new(),
            returns: ReturnValues::None,
            item_on_failure: true,
            capacity: self.db.capacity(),
        };
        let outcome = self.db.backend.put_item(request).await.map_err(refused)?;
        self.db.count_write(&outcome.consumed);
        Ok(E::from_item(item)?)
    }

    async fn transact(self) -> Result<E, WriteError<E>> {
        let db = self.db.clone();
        let Creation { item, actions } = self.creation()?;
        let claims = actions.claims.clone();
        let outcome = db.transact_actions(actions).await.map_err(|error| match &error.kind {
            ErrorKind::TransactionCancelled { reasons } => {
                taken(reasons, &claims).unwrap_or_else(|| WriteError::Failed(error.into()))
            }
            _ => refused(error),
        })?;
        db.count_write(&outcome.consumed);
        Ok(E::from_item(item)?)
    }
}

const ABSENT: &str = "attribute_not_exists(#n0)";

fn absent_names<E: Entity>() -> Names {
    let partition = E::schema().table.definition.partition_key.name;
    Names::from([("#n0".to_owned(), partition.to_owned())])
}

/// A failed condition as what it means for the entity.
pub(super) fn refused<E: Entity>(error: crate::backend::BackendError) -> WriteError<E> {
    match error.kind {
        ErrorKind::ConditionFailed { item } => {
            // What is there may be of an older form; the write was refused all the same.
            let current = item.and_then(|item| E::from_item(*item).ok());
            WriteError::NotMet { current }
        }
        _ => WriteError::Failed(Error::Backend(error)),
    }
}

/// Which of the conditions of a transaction failed: the item's own, which comes first, or that of
/// one of the unique values.
pub(super) fn taken<E: Entity>(
    reasons: &[CancellationReason],
    claims: &[Option<Claim>],
) -> Option<WriteError<E>> {
    let at = reasons.iter().position(CancellationReason::is_failed_condition)?;
    let item = reasons.get(at).and_then(|reason| reason.item.clone());
    Some(match claims.get(at).copied().flatten() {
        Some(claim) => {
            let by = item.as_ref().and_then(unique::owner);
            WriteError::Taken { attribute: claim.attribute(), by }
        }
        None => WriteError::NotMet { current: item.and_then(|item| E::from_item(item).ok()) },
    })
}

impl<E: Entity> IntoFuture for Create<E> {
    type Output = Result<E, WriteError<E>>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("create", self.db, E::DEFINITION.name, E::DEFINITION.key_name);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

//! Unique values whose owners are gone.
//!
//! An item that expires is removed by the database, and one that others remove by hand by them.
//! Neither removes the item that holds its unique value. So when a value is taken, its owner is
//! read. If it does not have the value, the transaction is sent once more: on the condition that
//! the same owner is still noted, and that it is still without the value. Neither of two writers
//! that find the value like this can then take it from the other, nor from an owner that is back.

use monotable_item::limits::TRANSACT_ACTIONS_MAX;
use monotable_item::{Item, Value};

use super::Db;
use super::delete::all;
use super::unique::{self, Claim};
use crate::backend::{
    BackendError, CancellationReason, ErrorKind, TransactWrite, TransactWriteItems,
    TransactWriteItemsOutcome,
};
use crate::condition::Term;
use crate::entity::Table;
use crate::expression::Placeholders;

/// The actions of a transaction.
#[derive(Debug, Default)]
pub(super) struct Actions {
    pub(super) writes: Vec<TransactWrite>,
    /// Of each action, the unique value that it is about, if it is about one. They come after the
    /// item that has them, or is to have them.
    pub(super) claims: Vec<Option<Claim>>,
}

impl Actions {
    pub(super) fn push(&mut self, write: TransactWrite, claim: Option<Claim>) {
        self.writes.push(write);
        self.claims.push(claim);
    }
}

impl From<Vec<TransactWrite>> for Actions {
    fn from(writes: Vec<TransactWrite>) -> Actions {
        Actions { claims: vec![None; writes.len()], writes }
    }
}

impl<T: Table> Db<T> {
    /// Sends a transaction.
    pub(super) async fn transact_actions(
        &self,
        Actions { writes: actions, claims }: Actions,
    ) -> Result<TransactWriteItemsOutcome, BackendError> {
        let send = |actions| {
            let request = TransactWriteItems { actions, token: None, capacity: self.capacity() };
            self.backend.transact_write_items(request)
        };
        if claims.iter().all(Option::is_none) {
            return send(actions).await;
        }
        let refusal = match send(actions.clone()).await {
            Ok(outcome) => return Ok(outcome),
            Err(refusal) => refusal,
        };
        let reasons = reasons_of(&refusal);
        let Some(actions) = self.taken_over(actions, &claims, reasons).await else {
            return Err(refusal);
        };
        self.count_round();
        match send(actions).await {
            // The owner has the value again.
            Err(again) if first_failed(reasons_of(&again)) >= Some(claims.len()) => Err(refusal),
            outcome => outcome,
        }
    }

    /// The actions that take the values whose owners do not have them; nothing if it is not for
    /// such values alone that a transaction failed.
    async fn taken_over(
        &self,
        mut actions: Vec<TransactWrite>,
        claims: &[Option<Claim>],
        reasons: &[CancellationReason],
    ) -> Option<Vec<TransactWrite>> {
        first_failed(reasons)?;
        let places: Vec<Item> = actions.iter().map(|action| self.place_of(action)).collect();
        let mut losses: Vec<Loss> = Vec::new();
        let mut own = None;
        for (at, (reason, claim)) in reasons.iter().zip(claims).enumerate() {
            if claim.is_none() {
                own = places.get(at);
            }
            if !reason.is_failed_condition() {
                continue;
            }
            let (claim, place) = (claim.as_ref()?, places.get(at)?);
            let by = unique::owner(reason.item.as_ref()?)?;
            let lacks = self.lacks(claim, place, &by).await?;
            unique::take_over(actions.get_mut(at)?, claim, by.clone())?;
            // The step's own item is on a condition of its own; another step may change the owner.
            match (own == Some(&by), losses.iter_mut().find(|loss| loss.owner == by)) {
                (true, _) => {}
                (false, Some(known)) => known.lacks.push(lacks),
                (false, None) if places.contains(&by) => return None,
                (false, None) => losses.push(Loss { owner: by, lacks: vec![lacks] }),
            }
        }
        actions.extend(losses.into_iter().map(|loss| self.check(loss)));
        (actions.len() <= TRANSACT_ACTIONS_MAX).then_some(actions)
    }

    /// The condition that an owner does not have a value, as it is; nothing if it has it, or if
    /// that cannot be said.
    async fn lacks(&self, claim: &Claim, place: &Item, by: &Item) -> Option<Term> {
        let schema = T::schema();
        let is_key = by.len() == schema.key_names().count()
            && schema.key_names().all(|name| by.contains_key(name));
        if !is_key {
            return None;
        }
        match self.stored_item(by.clone()).await.ok()? {
            None => Some(Term::Missing(schema.definition.partition_key.name)),
            Some(item) => claim.lacked_by(&item, place),
        }
    }

    fn check(&self, loss: Loss) -> TransactWrite {
        let mut placeholders = Placeholders::default();
        let condition = all(&loss.lacks, &mut placeholders).unwrap_or_default();
        TransactWrite::Check {
            table: self.table(),
            key: loss.owner,
            condition,
            names: placeholders.names,
            values: placeholders.values,
            item_on_failure: false,
        }
    }

    /// The key of the item that an action is on.
    fn place_of(&self, action: &TransactWrite) -> Item {
        let item = action.item_or_key();
        let names = T::schema().key_names();
        let part = |name: &str| Some((name.to_owned(), item.get(name)?.clone()));
        names.filter_map(part).collect::<Vec<(String, Value)>>().into_iter().collect()
    }
}

/// An owner, and the conditions that it does not have its values.
struct Loss {
    owner: Item,
    lacks: Vec<Term>,
}

fn reasons_of(error: &BackendError) -> &[CancellationReason] {
    match &error.kind {
        ErrorKind::TransactionCancelled { reasons } => reasons,
        _ => &[],
    }
}

fn first_failed(reasons: &[CancellationReason]) -> Option<usize> {
    reasons.iter().position(CancellationReason::is_failed_condition)
}

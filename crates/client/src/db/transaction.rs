//! Writing several items together.

use std::collections::BTreeSet;
use std::fmt;
use std::future::IntoFuture;

use monotable_item::limits::{TRANSACT_ACTIONS_MAX, TRANSACT_BYTES_MAX};
use monotable_item::{Item, item_size_bytes};
use tracing::Instrument;
use tracing::field::Empty;

use super::takeover::Actions;
use super::tally::operation_span;
use super::unique::{self, Claim};
use super::{Create, Db, Delete, Operation, Patch};
use crate::backend::{
    BackendError, CancellationReason, ErrorKind, TransactWrite, TransactWriteItems,
};
use crate::condition::{Condition, Term};
use crate::db::delete::all;
use crate::entity::{Entity, Replaceable, Table};
use crate::error::Error;
use crate::expression::Placeholders;
use crate::key::Key;
use crate::schema::sort_bytes;

/// Writes and checks that happen together or not at all.
///
/// ```
/// # use monotable::prelude::*;
/// # #[derive(Table)]
/// # #[table(pk = "pk", sk = "sk", type_attr = "type", entities(Post))]
/// # pub struct Blog;
/// # #[derive(Entity, Debug, Clone, PartialEq)]
/// # #[entity(table = Blog)]
/// # #[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{number:04}")]
/// # pub struct Post { pub author: String, pub number: u32, pub likes: u32 }
/// # fn post(number: u32) -> Post { Post { author: "ada".to_owned(), number, likes: 0 } }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Blog::open("blog", monotable_embedded::Embedded::in_memory());
/// # db.create_table().await?;
/// use monotable::db::TransactError;
///
/// #[derive(Debug, PartialEq)]
/// enum Refused {
///     Exists,
///     NothingToLike,
/// }
///
/// let like_first = |number| {
///     db.transaction()
///         .create(&post(number))
///         .or(Refused::Exists)
///         .patch(patch(Post::by_author("ada").number(1_u32)).likes(add(1_u32)))
///         .or(Refused::NothingToLike)
/// };
/// match like_first(2).await {
///     Err(TransactError::Refused(it)) => assert_eq!(it.error, Some(Refused::NothingToLike)),
///     other => panic!("{other:?}"),
/// }
/// db.create(&post(1)).await?;
/// like_first(2).await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until it is awaited"]
pub struct Transaction<T: Table, X> {
    pub(super) db: Db<T>,
    steps: Vec<Step<X>>,
    token: Option<String>,
}

/// What one call added.
struct Step<X> {
    actions: Result<Actions, Error>,
    refusal: Option<X>,
}

/// Why a transaction did not happen.
#[derive(Debug)]
#[non_exhaustive]
pub enum TransactError<X> {
    /// The condition of one step did not hold.
    Refused(Refusal<X>),
    /// Anything else.
    Failed(Error),
}

/// The step whose condition did not hold.
#[derive(Debug)]
pub struct Refusal<X> {
    /// Which step, from 0.
    pub at: usize,
    /// What [`Transaction::or`] gave for the step.
    pub error: Option<X>,
    /// The item as it is; nothing if there is none, or if `taken` says why.
    pub current: Option<Item>,
    /// The unique value that another item has, if that is why.
    pub taken: Option<TakenValue>,
}

/// A unique value that another item has.
#[derive(Debug, Clone, PartialEq)]
pub struct TakenValue {
    /// The attribute.
    pub attribute: &'static str,
    /// The key of the item that has it, as far as it is known.
    pub by: Option<Item>,
}

impl<X> Refusal<X> {
    /// Returns the current item as an entity.
    pub fn current<E: Entity>(&self) -> Option<E> {
        self.current.clone().and_then(|item| E::from_item(item).ok())
    }
}

impl<X: fmt::Debug> fmt::Display for TransactError<X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransactError::Refused(refusal) => {
                write!(f, "step {} of the transaction was refused", refusal.at)?;
                match &refusal.taken {
                    Some(taken) => write!(f, ": another item has this {}", taken.attribute),
                    None => Ok(()),
                }
            }
            TransactError::Failed(error) => error.fmt(f),
        }
    }
}

impl<X: fmt::Debug> std::error::Error for TransactError<X> {}

impl<X> From<Error> for TransactError<X> {
    fn from(error: Error) -> TransactError<X> {
        TransactError::Failed(error)
    }
}

impl<T: Table, X: Send + 'static> Transaction<T, X> {
    pub(super) fn new(db: Db<T>) -> Transaction<T, X> {
        Transaction { db, steps: Vec::new(), token: None }
    }

    /// Writes a new item, with its unique values.
    pub fn create<E: Entity<Table = T>>(self, entity: &E) -> Transaction<T, X> {
        let creation = Create::new(self.db.clone(), entity).creation();
        self.with_claims(creation.map(|creation| creation.actions))
    }

    /// Writes an item whole, whatever was there before.
    pub fn upsert<E: Replaceable + Entity<Table = T>>(self, entity: &E) -> Transaction<T, X> {
        let now = self.db.backend.now();
        let item = entity.to_attributes().and_then(|mut attributes| {
            E::schema().stamp_change(&mut attributes, now);
            E::schema().item(&attributes)
        });
        let table = self.db.table();
        self.with(item.map(|item| {
            vec![TransactWrite::Put {
                table,
                item,
                condition: None,
                names: Default::default(),
                values: Default::default(),
                item_on_failure: false,
            }]
        }))
    }

    /// Changes an item that exists; see [`patch`](crate::patch).
    pub fn patch<E: Entity<Table = T>>(self, patch: impl Into<Patch<E, ()>>) -> Transaction<T, X> {
        let actions = patch.into().actions(&self.db);
        self.with_claims(actions)
    }

    /// Removes an item.
    pub fn delete<E: Replaceable + Entity<Table = T>>(self, key: &Key<E>) -> Transaction<T, X> {
        let table = self.db.table();
        let key = key.to_item();
        self.with(key.map(|key| {
            vec![TransactWrite::Delete {
                table,
                key,
                condition: None,
                names: Default::default(),
                values: Default::default(),
                item_on_failure: false,
            }]
        }))
    }

    /// Removes this item, and gives its unique values free. The step is refused if there is no such
    /// item, or if it has other unique values by then.
    pub fn delete_item<E: Entity<Table = T>>(self, entity: &E) -> Transaction<T, X> {
        let actions = Key::of(entity)
            .and_then(|key| Delete::new(self.db.clone(), key).existing().actions(entity));
        self.with(actions)
    }

    /// Requires that an item exists and that this holds of it.
    pub fn check<E: Entity<Table = T>>(
        self,
        key: &Key<E>,
        condition: Condition<E>,
    ) -> Transaction<T, X> {
        let table = self.db.table();
        let partition = E::schema().table.definition.partition_key.name;
        let mut placeholders = Placeholders::default();
        let terms = [Term::Exists(partition), condition.term];
        let condition = all(&terms, &mut placeholders).unwrap_or_default();
        let key = key.to_item();
        self.with(key.map(|key| {
            vec![TransactWrite::Check {
                table,
                key,
                condition,
                names: placeholders.names,
                values: placeholders.values,
                item_on_failure: true,
            }]
        }))
    }

    /// Sets the error to report if the condition of the previous step does not hold.
    pub fn or(mut self, error: X) -> Transaction<T, X> {
        if let Some(step) = self.steps.last_mut() {
            step.refusal = Some(error);
        }
        self
    }

    /// Sets a token, with which repeating the same transaction within ten minutes does nothing. It
    /// must be the same to the byte: one that is built again with other times in its `created` and
    /// `touched` fields is refused with `IdempotentParameterMismatchException` on AWS.
    ///
    /// Under a token a unique value stays taken even if its owner is gone.
    pub fn token(mut self, token: impl Into<String>) -> Transaction<T, X> {
        self.token = Some(token.into());
        self
    }

    pub(super) fn with(self, actions: Result<Vec<TransactWrite>, Error>) -> Transaction<T, X> {
        self.with_claims(actions.map(Actions::from))
    }

    fn with_claims(mut self, actions: Result<Actions, Error>) -> Transaction<T, X> {
        self.steps.push(Step { actions, refusal: None });
        self
    }

    async fn send(self) -> Result<(), TransactError<X>> {
        let mut actions = Actions::default();
        let mut steps = Vec::new();
        let mut refusals = Vec::new();
        for (at, step) in self.steps.into_iter().enumerate() {
            let of_step = step.actions?;
            steps.extend(of_step.writes.iter().map(|_| at));
            actions.writes.extend(of_step.writes);
            actions.claims.extend(of_step.claims);
            refusals.push(step.refusal);
        }
        check::<T>(&actions.writes)?;
        let claims = actions.claims.clone();
        let outcome = match self.token {
            // What is sent under a token is the same each time, whoever has a value meanwhile.
            Some(_) => {
                let capacity = self.db.capacity();
                let request =
                    TransactWriteItems { actions: actions.writes, token: self.token, capacity };
                self.db.backend.transact_write_items(request).await
            }
            None => self.db.transact_actions(actions).await,
        };
        match outcome {
            Ok(outcome) => self.db.count_write(&outcome.consumed),
            Err(error) => return Err(refused(error, &steps, &claims, refusals)),
        }
        Ok(())
    }
}

/// What the failed condition of an action means for the step that it is of.
fn refused<X>(
    error: BackendError,
    steps: &[usize],
    claims: &[Option<Claim>],
    refusals: Vec<Option<X>>,
) -> TransactError<X> {
    let ErrorKind::TransactionCancelled { reasons } = &error.kind else {
        return TransactError::Failed(error.into());
    };
    let failed = reasons.iter().position(CancellationReason::is_failed_condition);
    let step = failed.and_then(|failed| {
        Some((reasons.get(failed)?, *steps.get(failed)?, claims.get(failed).copied().flatten()))
    });
    let Some((reason, at, claim)) = step else {
        return TransactError::Failed(error.into());
    };
    let by = reason.item.as_ref().and_then(unique::owner);
    let taken = claim.map(|claim| TakenValue { attribute: claim.attribute(), by });
    TransactError::Refused(Refusal {
        at,
        error: refusals.into_iter().nth(at).flatten(),
        current: reason.item.clone().filter(|_| taken.is_none()),
        taken,
    })
}

/// Refuses what the database would refuse, before anything is sent.
fn check<T: Table>(actions: &[TransactWrite]) -> Result<(), Error> {
    if actions.is_empty() {
        return Err(Error::Transaction("it has no steps"));
    }
    if actions.len() > TRANSACT_ACTIONS_MAX {
        return Err(Error::Transaction("it has more than 100 actions"));
    }
    let bytes: usize = actions.iter().map(|action| item_size_bytes(action.item_or_key())).sum();
    if bytes > TRANSACT_BYTES_MAX {
        return Err(Error::Transaction("its items are larger than 4 MB"));
    }
    let place = |item: &Item| sort_bytes(T::schema().key_names().filter_map(|it| item.get(it)));
    let places: BTreeSet<Vec<u8>> = actions.iter().map(|it| place(it.item_or_key())).collect();
    if places.len() < actions.len() {
        return Err(Error::Transaction("two actions are on the same item"));
    }
    Ok(())
}

impl<T: Table, X: Send + 'static> IntoFuture for Transaction<T, X> {
    type Output = Result<(), TransactError<X>>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let span = operation_span!("transact", self.db, Empty, Empty);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

//! Changing an item that exists.
//!
//! A change of an attribute that stands in the key of an index rewrites that key in the same
//! update. The derive sees to it that the parts are there: an attribute has a setter of its own
//! only if the other parts of every key it stands in are parts of the table's key; otherwise a
//! group setter takes all of them.

mod changes;

use std::collections::BTreeMap;

use monotable_item::{Item, Value};
use tracing::Instrument;

use changes::Changes;
pub(super) use changes::write_update;

use super::Db;
use super::create::{refused, taken};
use super::delete::all;
use super::takeover::Actions;
use super::tally::operation_span;
use super::unique::{self, Claim};
use crate::backend::{ErrorKind, ReturnValues, TransactWrite, UpdateItem};
use crate::change::Change;
use crate::condition::{Condition, Term};
use crate::entity::{Entity, Startable, Table};
use crate::error::{Error, WriteError};
use crate::expression::Placeholders;
use crate::key::Key;

/// A change of an item that exists. `C` is the handle that sends it, or nothing for one that stands
/// in a transaction.
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
/// let key = Post::by_author("ada").number(1_u32);
/// let missing = db.patch(key.clone()).likes(add(1_u32)).await;
/// assert_eq!(missing, Err(WriteError::NotMet { current: None }));
///
/// db.create(&post(1)).await?;
/// let liked = db.patch(key.clone()).likes(add(1_u32)).await?;
/// let again = db.patch(key).likes(0_u32).when(Post::LIKES.gt(5_u32)).await;
/// assert_eq!(again, Err(WriteError::NotMet { current: Some(liked) }));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is changed until it is awaited"]
pub struct Patch<E: Entity, C> {
    key: Key<E>,
    changes: Changes,
    /// What fields must be already, by the names of the fields.
    asserted: BTreeMap<&'static str, Value>,
    conditions: Vec<Term>,
    swaps: Vec<Swap>,
    /// Whether an item that is missing comes into being.
    creates: bool,
    context: C,
}

/// How often a patch rewrites an item of an older version before it gives up.
const UPGRADES_MAX: u32 = super::upgrade::ATTEMPTS_MAX;

/// A unique value that gives way to another.
struct Swap {
    field: &'static str,
    old: Option<Value>,
    new: Option<Value>,
}

/// A patch as a request has it.
struct Update {
    key: Item,
    update: String,
    condition: Option<String>,
    placeholders: Placeholders,
}

impl<E: Entity> Patch<E, ()> {
    /// A patch for a transaction.
    pub fn detached(key: Key<E>) -> Patch<E, ()> {
        Patch::new(key, ())
    }
}

impl<E: Entity, C> Patch<E, C> {
    pub(super) fn new(key: Key<E>, context: C) -> Patch<E, C> {
        Patch {
            key,
            changes: Changes::default(),
            asserted: BTreeMap::new(),
            conditions: Vec::new(),
            swaps: Vec::new(),
            creates: false,
            context,
        }
    }

    /// Changes a field, in addition to other changes of it. The derive's setters call it.
    pub fn change(mut self, field: &'static str, change: Change) -> Patch<E, C> {
        self.changes.add(field, change);
        self
    }

    /// Requires that a field is this value already, and takes it as known for the keys of indexes.
    pub fn assert(mut self, field: &'static str, value: Option<Value>) -> Patch<E, C> {
        let name = E::schema().stored_name(field);
        match value {
            Some(value) => {
                self.conditions.push(Term::Compare(name, "=", value.clone()));
                self.asserted.insert(field, value);
            }
            None => self.conditions.push(Term::Missing(name)),
        }
        self
    }

    /// Replaces a unique value by another, in one transaction with the patch.
    pub fn swap(
        mut self,
        field: &'static str,
        old: Option<Value>,
        new: Option<Value>,
    ) -> Patch<E, C> {
        self = self.assert(field, old.clone());
        self.asserted.remove(field);
        self.changes.add(field, new.clone().map_or(Change::Remove, Change::Set));
        self.swaps.push(Swap { field, old, new });
        self
    }

    /// Changes the item only if this holds of it.
    pub fn when(mut self, condition: Condition<E>) -> Patch<E, C> {
        self.conditions.push(condition.term);
        self
    }

    /// Changes the item only if its lock is this number: nobody changed it since it was read.
    pub fn if_rev(mut self, rev: u64) -> Patch<E, C> {
        self.conditions.push(lock_term::<E>(rev));
        self
    }

    /// Creates the item if there is none, from its key and the changes: for counters and sets that
    /// begin with their first change. Its stamps, lock, version and index keys are written with it.
    ///
    /// ```
    /// # use monotable::prelude::*;
    /// # #[derive(Table)]
    /// # #[table(pk = "pk", sk = "sk", entities(Visits))]
    /// # pub struct Site;
    /// #[derive(Entity, Debug, Clone, PartialEq)]
    /// #[entity(table = Site)]
    /// #[key(by_page: pk = "PAGE#{page}", sk = "VISITS")]
    /// pub struct Visits {
    ///     pub page: String,
    ///     /// What is not in the key is optional: a patch need not say all of it.
    ///     pub count: Option<u64>,
    ///     pub last_from: Option<String>,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let db = Site::open("site", monotable_embedded::Embedded::in_memory());
    /// # db.create_table().await?;
    /// for counted in [1, 2] {
    ///     let visits = db.patch(Visits::by_page("/")).count(add(1_u64)).or_create().await?;
    ///     assert_eq!(visits.count, Some(counted));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn or_create(mut self) -> Patch<E, C>
    where
        E: Startable<C>,
    {
        self.creates = true;
        self
    }

    /// What a transaction does to patch the item: the update first, then the unique values.
    pub(super) fn actions<T: Table>(&self, db: &Db<T>) -> Result<Actions, Error> {
        let schema = E::schema();
        let update = self.update(db)?;
        let owner = update.key.clone();
        let mut actions = Actions::from(vec![TransactWrite::Update {
            table: db.table(),
            key: update.key,
            update: update.update,
            condition: update.condition,
            names: update.placeholders.names,
            values: update.placeholders.values,
            item_on_failure: true,
        }]);
        for swap in self.swaps.iter().filter(|swap| swap.old != swap.new) {
            let Some(constraint) =
                schema.definition.unique.iter().find(|it| it.attribute == swap.field)
            else {
                continue;
            };
            let claim = Some(Claim::new(schema, constraint));
            if let Some(old) = &swap.old {
                actions.push(unique::release(db.table(), schema, constraint, old)?, claim);
            }
            if let Some(new) = &swap.new {
                let take = unique::take(db.table(), schema, constraint, new, owner.clone())?;
                actions.push(take, claim);
            }
        }
        Ok(actions)
    }

    fn update<T: Table>(&self, db: &Db<T>) -> Result<Update, Error> {
        let changes = self.stored_changes(db)?;
        let mut conditions = self.own_conditions();
        conditions.extend(self.conditions.iter().cloned());
        let fields = E::DEFINITION.attributes.iter();
        conditions.extend(fields.flat_map(|field| self.changes.bounds_of(field)));
        let mut placeholders = Placeholders::default();
        let condition = all(&conditions, &mut placeholders);
        let update = write_update(&changes, &mut placeholders);
        Ok(Update { key: self.key.to_item()?, update, condition, placeholders })
    }

    /// That there is an item, of the current version; or none, where the patch may create it.
    fn own_conditions(&self) -> Vec<Term> {
        let partition = E::schema().table.definition.partition_key.name;
        let version = E::schema().current_version_term();
        if self.creates {
            return version
                .map(|it| Term::Any(vec![Term::Missing(partition), it]))
                .into_iter()
                .collect();
        }
        std::iter::once(Term::Exists(partition)).chain(version).collect()
    }

    /// Every change of the stored item: what was asked for, the keys of indexes that follow from
    /// it, the lock and the stamps.
    fn stored_changes<T: Table>(&self, db: &Db<T>) -> Result<BTreeMap<String, Vec<Change>>, Error> {
        let (schema, definition) = (E::schema(), E::DEFINITION);
        let entity = definition.name;
        if self.changes.is_empty() {
            return Err(Error::EmptyPatch { entity });
        }
        if let Some(attribute) = self.changes.clash {
            return Err(Error::ClashingChanges { entity, attribute });
        }
        let mut of_fields = self.changes.clone();
        let now = db.backend().now();
        for field in definition.attributes {
            if let Some(now) = field.touched.and_then(|stamp| stamp(now)) {
                of_fields.replace(field.name, Change::Set(now));
            }
        }
        let mut changes = BTreeMap::new();
        for (field, of_field) in of_fields.iter() {
            if of_field.contains(&Change::Unstorable) {
                return Err(Error::Unstorable { entity, attribute: field });
            }
            changes.insert(schema.stored_name(field).to_owned(), of_field.to_vec());
        }
        for field in definition.attributes {
            of_fields.whole_values(field.name).try_for_each(|it| schema.check_length(field, it))?;
        }
        let known = self.known(&of_fields);
        for key in schema.index_changes(&known, |name| of_fields.contains(name))? {
            let change = key.value.map_or(Change::Remove, Change::Set);
            changes.entry(key.attribute).or_insert_with(|| vec![change]);
        }
        if self.creates {
            for (name, change) in schema.creation(&known, |name| of_fields.contains(name), now)? {
                changes.entry(name).or_insert_with(|| vec![change]);
            }
        }
        if let Some(lock) = definition.lock {
            let raised = Change::Add(Value::from(1));
            changes.insert(schema.stored_name(lock).to_owned(), vec![raised]);
        }
        Ok(changes)
    }

    /// The attributes whose values after the patch are known.
    fn known(&self, changes: &Changes) -> Item {
        let mut known = self.key.parts().clone();
        for (field, value) in &self.asserted {
            known.insert((*field).to_owned(), value.clone());
        }
        let set = changes.set_fields();
        known.extend(set.map(|(field, value)| (field.to_owned(), value.clone())));
        known
    }
}

impl<E: Entity> Patch<E, Db<E::Table>> {
    /// Sends the patch, and returns the item as it is then.
    pub async fn send(mut self) -> Result<E, WriteError<E>> {
        let definition = E::DEFINITION;
        let span = operation_span!("patch", self.context, definition.name, definition.key_name);
        self.context.observe(&span);
        self.send_inside().instrument(span).await
    }

    /// An item of an older version is rewritten as the current one, and patched then.
    async fn send_inside(self) -> Result<E, WriteError<E>> {
        let mut attempts = 0;
        loop {
            let (refusal, item) = match self.attempt().await? {
                Attempt::Done(entity) => return Ok(*entity),
                Attempt::Refused(refusal, item) => (refusal, item),
            };
            let is_older = match &item {
                Some(item) => E::schema().older_version(item)?.is_some(),
                None => false,
            };
            let Some(item) = item.filter(|_| is_older && attempts < UPGRADES_MAX) else {
                return Err(refusal);
            };
            attempts += 1;
            self.context.count_round();
            match self.context.rewrite::<E>(*item).await {
                // Somebody else changed it in between: the patch sees what there is now.
                Ok(_) | Err(WriteError::NotMet { .. }) => {}
                Err(error) => return Err(error),
            }
        }
    }

    async fn attempt(&self) -> Result<Attempt<E>, WriteError<E>> {
        if !self.swaps.is_empty() {
            return self.transact().await;
        }
        let db = &self.context;
        let update = self.update(db)?;
        let request = UpdateItem {
            table: db.table(),
            key: update.key,
            update: update.update,
            condition: update.condition,
            names: update.placeholders.names,
            values: update.placeholders.values,
            returns: ReturnValues::AllNew,
            item_on_failure: true,
            capacity: db.capacity(),
        };
        match db.backend.update_item(request).await {
            Ok(outcome) => {
                db.count_write(&outcome.consumed);
                let entity = E::from_item(outcome.attributes.unwrap_or_default())?;
                Ok(Attempt::Done(Box::new(entity)))
            }
            Err(error) => {
                let item = match &error.kind {
                    ErrorKind::ConditionFailed { item } => item.clone(),
                    _ => None,
                };
                Ok(Attempt::Refused(refused(error), item))
            }
        }
    }

    async fn transact(&self) -> Result<Attempt<E>, WriteError<E>> {
        let db = &self.context;
        let actions = self.actions(db)?;
        let claims = actions.claims.clone();
        match db.transact_actions(actions).await {
            Ok(outcome) => db.count_write(&outcome.consumed),
            Err(error) => match &error.kind {
                ErrorKind::TransactionCancelled { reasons } => {
                    let item = reasons.first().filter(|it| it.is_failed_condition());
                    let item = item.and_then(|it| it.item.clone()).map(Box::new);
                    let refusal = taken(reasons, &claims);
                    let refusal = refusal.unwrap_or_else(|| WriteError::Failed(error.into()));
                    return Ok(Attempt::Refused(refusal, item));
                }
                _ => return Err(error.into()),
            },
        }
        // A transaction returns no item.
        let read = db.get(self.key.clone()).consistent().await?;
        let entity = read.ok_or(WriteError::NotMet { current: None })?;
        Ok(Attempt::Done(Box::new(entity)))
    }
}

/// What came of sending a patch once.
enum Attempt<E> {
    Done(Box<E>),
    /// Why it did not happen, and the item as it is stored, if it was its own condition.
    Refused(WriteError<E>, Option<Box<Item>>),
}

/// The condition that the lock of an item is a number.
pub(super) fn lock_term<E: Entity>(rev: u64) -> Term {
    let lock = E::DEFINITION.lock.unwrap_or_default();
    let value = crate::attribute::Attribute::to_value(&rev).unwrap_or(Value::Null);
    Term::Compare(E::schema().stored_name(lock), "=", value)
}

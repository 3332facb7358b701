//! Actions logged once
//!
//! Tables, entities and access patterns of the model `insert-only-action`, written by `monotable
//! model export --to rust`.

use monotable::db::{Create, Upsert};
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", entities(Action,))]
pub struct Data;

/// The entity `Action`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_action_id: pk = "ACTION#{action_id}", sk = "ACTION#{action_id}")]
pub struct Action {
    /// The attribute `ActionId`.
    #[attr(name = "ActionId", max_len = 36)]
    pub action_id: String,
    /// The attribute `ExecutedAt`.
    #[attr(name = "ExecutedAt")]
    pub executed_at: String,
}

/// Access pattern: log action once.
pub fn log_action_once(db: &Db<Data>, action: &Action) -> Create<Action> {
    db.create(action)
}

/// Access pattern: replace action that is there.
pub fn replace_action_that_is_there(db: &Db<Data>, action: &Action) -> Upsert<Action> {
    db.upsert(action).if_exists()
}

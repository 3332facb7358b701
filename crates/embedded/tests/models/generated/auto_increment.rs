//! A number sequence
//!
//! Tables, entities and access patterns of the model `auto-increment`, written by `monotable model
//! export --to rust`.

use monotable::prelude::*;
use monotable::{Number, increase};

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", entities(Counter,))]
pub struct Data;

/// The entity `Counter`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(only: pk = "AUTOINCREMENT", sk = "AUTOINCREMENT")]
pub struct Counter {
    /// The last number handed out
    pub number: Option<Number>,
}

/// Access pattern: next number.
///
/// The counter must be there; pad the number before it goes into a sort key
pub fn next_number(db: &Db<Data>) -> counter::Patch<Db<Data>> {
    db.patch(Counter::only()).number(increase(Number::from(1))).or_create()
}

/// Access pattern: next number, the first included.
///
/// ADD begins at 0 if there is no counter
pub fn next_number_the_first_included(db: &Db<Data>, one: Number) -> counter::Patch<Db<Data>> {
    db.patch(Counter::only()).number(add(one)).or_create()
}

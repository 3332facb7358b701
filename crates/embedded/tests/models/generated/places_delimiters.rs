//! Places with and without delimiters
//!
//! Tables, entities and access patterns of the model `places-delimiters`, written by `monotable
//! model export --to rust`.

use monotable::db::Query;
use monotable::prelude::*;

/// The table `Places`.
#[derive(Table)]
#[table(name = "Places", pk = "pk", sk = "sk", entities(RawPlace, Place,))]
pub struct Places;

/// How not to do it; no pattern reads it
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Places)]
#[key(only: pk = "raw", sk = "{state:slug}{city:slug}{zip}")]
pub struct RawPlace {
    /// The attribute `state`.
    #[attr(max_len = 30)]
    pub state: String,
    /// The attribute `city`.
    #[attr(max_len = 50)]
    pub city: String,
    /// The attribute `zip`.
    #[attr(max_len = 5)]
    pub zip: String,
}

/// The entity `Place`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Places)]
#[key(only: pk = "delimited", sk = "{state:slug}#{city:slug}#{zip}#")]
pub struct Place {
    /// The attribute `state`.
    #[attr(max_len = 30)]
    pub state: String,
    /// The attribute `city`.
    #[attr(max_len = 50)]
    pub city: String,
    /// The attribute `zip`.
    #[attr(max_len = 5)]
    pub zip: String,
}

/// Access pattern: places of a state.
pub fn places_of_a_state(db: &Db<Places>, state: &str) -> Query<place::Only> {
    db.query(Place::only().state(state))
}

/// Access pattern: places of a city.
pub fn places_of_a_city(db: &Db<Places>, state: &str, city: &str) -> Query<place::Only> {
    db.query(Place::only().state(state).city(city))
}

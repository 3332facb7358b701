//! Awards in a sparse index
//!
//! Tables, entities and access patterns of the model `award-sparse-index`, written by `monotable
//! model export --to rust`.

use monotable::Number;
use monotable::db::{Entries, Query, Scan};
use monotable::prelude::*;

/// The table `Game-scores-table`.
#[derive(Table)]
#[table(
    name = "Game-scores-table",
    pk = "Id": number,
    entities(
        Score,
    ),
)]
#[gsi(
    AwardGsi,
    name = "Award-GSI",
    pk = "Award": string,
    project("User", "Score"),
)]
pub struct GameScoresTable;

/// The entity `Score`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = GameScoresTable)]
#[key(by_id: pk = "{id:number}")]
#[index(AwardGsi by_award: pk = "{award}", view(user, score, award))]
pub struct Score {
    /// The attribute `Id`.
    #[attr(name = "Id")]
    pub id: Number,
    /// The attribute `User`.
    #[attr(name = "User", max_len = 40)]
    pub user: Option<String>,
    /// The attribute `Game`.
    #[attr(name = "Game", max_len = 20)]
    pub game: Option<String>,
    /// The attribute `Score`.
    #[attr(name = "Score")]
    pub score: Option<Number>,
    /// The attribute `Date`.
    #[attr(name = "Date")]
    pub date: Option<String>,
    /// Few have one
    #[attr(name = "Award", max_len = 30)]
    pub award: Option<String>,
}

/// Access pattern: all who hold an award.
pub fn all_who_hold_an_award(db: &Db<GameScoresTable>) -> Scan<Entries<score::ByAward>> {
    db.scan_index::<score::ByAward>()
}

/// Access pattern: holders of an award.
pub fn holders_of_an_award(db: &Db<GameScoresTable>, award: &str) -> Query<score::ByAward> {
    db.query(Score::by_award(award))
}

/// Access pattern: give award.
pub fn give_award(
    db: &Db<GameScoresTable>,
    id: Number,
    award: &str,
) -> score::Patch<Db<GameScoresTable>> {
    db.patch(Score::by_id(id)).award(Some(award.to_owned()))
}

/// Access pattern: take award back.
pub fn take_award_back(db: &Db<GameScoresTable>, id: Number) -> score::Patch<Db<GameScoresTable>> {
    db.patch(Score::by_id(id)).award(None).or_create()
}

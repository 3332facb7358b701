//! Game invitations
//!
//! Tables, entities and access patterns of the model `multiplayer-games`, written by `monotable
//! model export --to rust`.

use monotable::db::Query;
use monotable::prelude::*;

/// The table `Games`.
#[derive(Table)]
#[table(name = "Games", pk = "GameId", entities(Game,))]
#[gsi(
    OpponentDate,
    name = "OpponentDate",
    pk = "Opponent": string,
    sk = "Date": string,
)]
#[gsi(
    OpponentStatusDate,
    name = "OpponentStatusDate",
    pk = "Opponent": string,
    sk = "StatusDate": string,
)]
pub struct Games;

/// The entity `Game`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Games)]
#[key(by_game_id: pk = "{game_id}")]
#[index(OpponentDate by_opponent: pk = "{opponent}", sk = "{date}")]
#[index(OpponentStatusDate by_opponent_in_opponent_status_date:
    pk = "{opponent}",
    sk = "{!_}{status:enum(DONE,IN_PROGRESS,PENDING)}_{date:day}",
)]
pub struct Game {
    /// The attribute `GameId`.
    #[attr(name = "GameId", max_len = 10)]
    pub game_id: String,
    /// The attribute `Date`.
    #[attr(name = "Date")]
    pub date: String,
    /// The attribute `Host`.
    #[attr(name = "Host", max_len = 40)]
    pub host: Option<String>,
    /// The attribute `Opponent`.
    #[attr(name = "Opponent", max_len = 40)]
    pub opponent: String,
    /// The attribute `Status`.
    #[attr(name = "Status")]
    pub status: GameStatus,
}

/// The values of `Status`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameStatus {
    /// `PENDING`
    #[key_part("PENDING")]
    Pending,
    /// `IN_PROGRESS`
    #[key_part("IN_PROGRESS")]
    InProgress,
    /// `DONE`
    #[key_part("DONE")]
    Done,
}

/// Access pattern: pending invitations by filter.
///
/// Reads all games of the player
pub fn pending_invitations_by_filter(db: &Db<Games>, opponent: &str) -> Query<game::ByOpponent> {
    db.query(Game::by_opponent(opponent)).desc().filter(Game::STATUS.is(GameStatus::Pending))
}

/// Access pattern: pending invitations.
pub fn pending_invitations(
    db: &Db<Games>,
    opponent: &str,
) -> Query<game::ByOpponentInOpponentStatusDate> {
    db.query(Game::by_opponent_in_opponent_status_date(opponent).status(GameStatus::Pending)).desc()
}

/// Access pattern: accept invitation.
///
/// Status and index key change together, which takes the date
pub fn accept_invitation(
    db: &Db<Games>,
    game_id: &str,
    opponent: &str,
    date: &str,
) -> game::Patch<Db<Games>> {
    db.patch(Game::by_game_id(game_id))
        .by_opponent(game::ByOpponent {
            opponent: opponent.to_owned(),
            date: date.to_owned(),
            status: GameStatus::InProgress,
        })
        .when(Game::STATUS.is(GameStatus::Pending) & Game::OPPONENT.is(opponent))
}

//! Users and games
//!
//! Tables, entities and access patterns of the model `user-games`, written by `monotable model
//! export --to rust`.

use monotable::db::Query;
use monotable::prelude::*;

/// The table `User-Games-Table`.
#[derive(Table)]
#[table(name = "User-Games-Table", pk = "UserId", sk = "GameId", entities(UserGame,))]
#[gsi(
    GameUsersGsi,
    name = "Game-Users-GSI",
    pk = "GameId": string,
    sk = "UserId": string,
    project(keys),
)]
pub struct UserGamesTable;

/// The entity `UserGame`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = UserGamesTable)]
#[key(by_user_id: pk = "{user_id}", sk = "{game_id}")]
#[index(GameUsersGsi by_game_id: pk = "{game_id}", sk = "{user_id}", view())]
pub struct UserGame {
    /// The attribute `UserId`.
    #[attr(name = "UserId", max_len = 40)]
    pub user_id: String,
    /// The attribute `GameId`.
    #[attr(name = "GameId", max_len = 40)]
    pub game_id: String,
}

/// Access pattern: games of a user.
pub fn games_of_a_user(db: &Db<UserGamesTable>, user_id: &str) -> Query<user_game::ByUserId> {
    db.query(UserGame::by_user_id(user_id))
}

/// Access pattern: users of a game.
pub fn users_of_a_game(db: &Db<UserGamesTable>, game_id: &str) -> Query<user_game::ByGameId> {
    db.query(UserGame::by_game_id(game_id))
}

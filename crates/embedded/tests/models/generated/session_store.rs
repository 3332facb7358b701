//! Session store
//!
//! Tables, entities and access patterns of the model `session-store`, written by `monotable model
//! export --to rust`.

use monotable::Number;
use monotable::db::{Create, Delete, Query};
use monotable::prelude::*;

/// The table `SessionStore`.
#[derive(Table)]
#[table(name = "SessionStore", pk = "SessionToken", ttl = "TTL", entities(Session,))]
#[gsi(
    UserIndex,
    name = "UserIndex",
    pk = "Username": string,
    project(keys),
)]
pub struct SessionStore;

/// The entity `Session`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = SessionStore)]
#[key(by_session_token: pk = "{session_token:uuid}")]
#[index(UserIndex by_username: pk = "{username}", view(username))]
pub struct Session {
    /// The attribute `SessionToken`.
    #[attr(name = "SessionToken")]
    pub session_token: String,
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
    /// Seven days after it was created
    #[attr(name = "ExpiresAt")]
    pub expires_at: String,
    /// The same in seconds
    #[attr(name = "TTL", ttl)]
    pub ttl: Number,
}

/// Access pattern: create session.
///
/// A token that exists already is refused, not handed to a second user
pub fn create_session(db: &Db<SessionStore>, session: &Session) -> Create<Session> {
    db.create(session)
}

/// Access pattern: get session.
///
/// Expired sessions are deleted late, and until then filtered
pub fn get_session(
    db: &Db<SessionStore>,
    session_token: &str,
    now: Number,
) -> Query<session::BySessionToken> {
    db.query(Session::by_session_token(session_token).selection::<session::BySessionToken>())
        .filter(Session::TTL.gt(now))
}

/// Access pattern: sessions of a user.
pub fn sessions_of_a_user(db: &Db<SessionStore>, username: &str) -> Query<session::ByUsername> {
    db.query(Session::by_username(username))
}

/// Access pattern: delete session.
pub fn delete_session(db: &Db<SessionStore>, session_token: &str) -> Delete<Session> {
    db.delete(Session::by_session_token(session_token))
}

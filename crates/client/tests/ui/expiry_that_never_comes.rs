//! What expires does so by the table's attribute and by seconds, and a lock is a number.

use monotable::prelude::*;

#[derive(Table)]
#[table(pk = "pk", ttl = "expires_at")]
pub struct App;

#[derive(Entity)]
#[entity(table = App)]
#[key(by_id: pk = "SESSION#{id}")]
pub struct Session {
    pub id: String,
    #[attr(ttl)]
    pub expires: UnixSeconds,
}

#[derive(Entity)]
#[entity(table = App)]
#[key(by_id: pk = "TOKEN#{id}")]
pub struct Token {
    pub id: String,
    #[attr(ttl)]
    pub expires_at: Timestamp,
}

#[derive(Entity)]
#[entity(table = App)]
#[key(by_id: pk = "NOTE#{id}")]
pub struct Note {
    pub id: String,
    #[attr(lock)]
    pub rev: String,
}

#[derive(Entity)]
#[entity(table = App)]
#[key(by_id: pk = "PAGE#{id}")]
pub struct Page {
    pub id: String,
    #[attr(lock)]
    pub rev: Option<u64>,
}

#[derive(Entity)]
#[entity(table = App)]
#[key(by_id: pk = "DRAFT#{id}")]
pub struct Draft {
    pub id: String,
    #[attr(ttl)]
    pub expires_at: Option<UnixSeconds>,
    #[attr(ttl, name = "until")]
    pub until: Option<UnixSeconds>,
}

#[derive(Entity)]
#[entity(table = App)]
#[key(by_id: pk = "PLAN#{id}")]
pub struct Plan {
    pub id: String,
    #[attr(lock)]
    pub rev: u64,
    #[attr(lock)]
    pub turn: u64,
}

fn main() {}

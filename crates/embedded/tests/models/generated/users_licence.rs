//! Users by number and licence
//!
//! Tables, entities and access patterns of the model `users-licence`, written by `monotable model
//! export --to rust`.

use monotable::db::{Get, GetMany, Query};
use monotable::prelude::*;

/// The table `Users`.
#[derive(Table)]
#[table(name = "Users", pk = "SSN", entities(User,))]
#[gsi(
    UsersEmailGsi,
    name = "Users-Email-GSI",
    pk = "License": string,
    project("Email"),
)]
pub struct Users;

/// The entity `User`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Users)]
#[key(by_ssn: pk = "{ssn}")]
#[index(UsersEmailGsi by_license: pk = "{license}", view(license, email))]
pub struct User {
    /// The attribute `SSN`.
    #[attr(name = "SSN", max_len = 11)]
    pub ssn: String,
    /// The attribute `License`.
    #[attr(name = "License", max_len = 20)]
    pub license: String,
    /// The attribute `Email`.
    #[attr(name = "Email", max_len = 100)]
    pub email: Option<String>,
}

/// Access pattern: user by number.
pub fn user_by_number(db: &Db<Users>, ssn: &str) -> Get<User> {
    db.get(User::by_ssn(ssn))
}

/// Access pattern: several users.
pub fn several_users(db: &Db<Users>, keys: impl IntoIterator<Item = Key<User>>) -> GetMany<User> {
    db.get_many(keys)
}

/// Access pattern: user by licence.
pub fn user_by_licence(db: &Db<Users>, license: &str) -> Query<user::ByLicense> {
    db.query(User::by_license(license))
}

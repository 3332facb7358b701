//! Users unique by name and email
//!
//! Tables, entities and access patterns of the model `unique-user-email`, written by `monotable
//! model export --to rust`.

use monotable::db::Transaction;
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", entities(User, UserEmail,))]
pub struct Data;

/// The entity `User`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_username: pk = "USER#{username}", sk = "USER#{username}")]
pub struct User {
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// Finds the item that holds the address
    #[attr(name = "Email", max_len = 100)]
    pub email: String,
    /// The attribute `FirstName`.
    #[attr(name = "FirstName", max_len = 50)]
    pub first_name: Option<String>,
}

/// Holds an email address
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_email: pk = "USEREMAIL#{email}", sk = "USEREMAIL#{email}")]
pub struct UserEmail {
    /// The attribute `Email`.
    #[attr(name = "Email", max_len = 100)]
    pub email: String,
}

/// Access pattern: create user.
pub fn create_user(db: &Db<Data>, user: &User, user_email: &UserEmail) -> Transaction<Data, ()> {
    db.transaction().create(user).create(user_email)
}

/// Access pattern: change email.
///
/// The old address becomes free in the same moment
pub fn change_email(db: &Db<Data>, old: &str, new: &str, username: &str) -> Transaction<Data, ()> {
    let user_email_2 = UserEmail { email: new.to_owned() };
    db.transaction()
        .delete_existing(&UserEmail::by_email(old))
        .create(&user_email_2)
        .patch(patch(User::by_username(username)).email(new).when(User::EMAIL.is(old)))
}

/// Access pattern: delete user.
pub fn delete_user(db: &Db<Data>, username: &str, email: &str) -> Transaction<Data, ()> {
    db.transaction()
        .delete_when(&User::by_username(username), User::EMAIL.is(email))
        .delete_existing(&UserEmail::by_email(email))
}

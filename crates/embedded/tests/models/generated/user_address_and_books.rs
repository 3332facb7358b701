//! Users with an address, books with their author
//!
//! Tables, entities and access patterns of the model `user-address-and-books`, written by
//! `monotable model export --to rust`.

use monotable::db::Get;
use monotable::member;
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", type_attr = "TYPE", entities(User, Book,))]
pub struct Data;

/// The email address is the id, since it is what users log in with
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "USER")]
#[key(by_email: pk = "USER#{email}", sk = "USER#{email}")]
pub struct User {
    /// The attribute `Email`.
    #[attr(name = "Email", max_len = 100)]
    pub email: String,
    /// The attribute `Name`.
    #[attr(name = "Name", max_len = 100)]
    pub name: Option<String>,
    /// The attribute `Address`.
    #[attr(name = "Address")]
    pub address: Option<UserAddress>,
}

/// The members of `Address`.
#[derive(Attribute, Debug, Clone, PartialEq)]
pub struct UserAddress {
    /// The member `street`.
    pub street: Option<String>,
    /// The member `city`.
    pub city: Option<String>,
    /// The member `state`.
    pub state: Option<String>,
    /// The member `zip`.
    pub zip: Option<String>,
}

/// The entity `Book`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "BOOK")]
#[key(by_name: pk = "BOOK#{name:snake}", sk = "BOOK#{name:snake}")]
pub struct Book {
    /// Upper case with underscores in the key
    #[attr(name = "Name", max_len = 200)]
    pub name: String,
    /// Repeated in each book
    #[attr(name = "Author", create_only, max_len = 100)]
    pub author: Option<String>,
}

/// Access pattern: user with address.
pub fn user_with_address(db: &Db<Data>, email: &str) -> Get<User> {
    db.get(User::by_email(email))
}

/// Access pattern: change a field of the address.
pub fn change_a_field_of_the_address(
    db: &Db<Data>,
    email: &str,
    field: &str,
    value: &str,
) -> user::Patch<Db<Data>> {
    db.patch(User::by_email(email)).address(member(field).set(value.to_owned()))
}

/// Access pattern: book with author.
pub fn book_with_author(db: &Db<Data>, name: &str) -> Get<Book> {
    db.get(Book::by_name(name).name(name))
}

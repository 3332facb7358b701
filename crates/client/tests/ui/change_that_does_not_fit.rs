//! Text cannot be added to, and a required field cannot be cleared.

#[path = "../client/shop.rs"]
mod shop;

use monotable::prelude::*;
use shop::{Customer, CustomerId, Shop};

fn patches(db: &Db<Shop>) {
    let key = Customer::by_id(CustomerId("c1".into()));
    let _ = db.patch(key.clone()).name(add("x".to_owned()));
    let _ = db.patch(key.clone()).name(clear());
    let _ = db.patch(key).visits(insert("x"));
}

fn main() {}

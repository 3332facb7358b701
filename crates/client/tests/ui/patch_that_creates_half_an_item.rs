//! A patch creates only what it can create whole: without fields that are required, and without
//! unique values that nobody would hold.

#[path = "../client/shop.rs"]
mod shop;

use monotable::prelude::*;
use shop::{Customer, CustomerId, Order, Shop};

fn writes(db: &Db<Shop>, key: Key<Order>) {
    let _ = db.patch(Customer::by_id(CustomerId("c1".into()))).visits(1_u32).or_create();
    let _ = db.patch(key).note("x").or_create();
}

fn main() {}

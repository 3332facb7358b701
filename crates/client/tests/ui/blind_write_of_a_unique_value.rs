//! An entity with unique values is created and patched, never written blindly; one without a lock
//! has no revision.

#[path = "../client/shop.rs"]
mod shop;

use monotable::prelude::*;
use shop::{Customer, CustomerId, Order, Shop};

fn writes(db: &Db<Shop>, order: &Order) {
    let _ = db.upsert(order);
    let _ = db.delete(Customer::by_id(CustomerId("c1".into()))).if_rev(1);
}

fn main() {}

//! Nothing writes half an item: there is no update that makes one, and `create` and `upsert` take
//! all fields.

#[path = "../client/shop.rs"]
mod shop;

use monotable::prelude::*;
use shop::{Customer, CustomerId, Shop};

fn writes(db: &Db<Shop>) {
    let id = CustomerId("c1".into());
    let _ = db.update(Customer::by_id(&id)).visits(1);
    let _ = db.upsert(&Customer { id, visits: 1 });
}

fn main() {}

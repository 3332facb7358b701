//! Only a complete key reads one item.

#[path = "../client/shop.rs"]
mod shop;

use monotable::prelude::*;
use shop::{CustomerId, Order, Shop};

fn reads(db: &Db<Shop>) {
    let _ = db.get(Order::by_customer(CustomerId("c1".into())));
}

fn main() {}

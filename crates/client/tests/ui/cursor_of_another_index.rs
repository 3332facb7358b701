//! A cursor belongs to its access pattern.

#[path = "../client/shop.rs"]
mod shop;

use monotable::prelude::*;
use shop::{Order, Shop, Status, order};

fn queries(db: &Db<Shop>, cursor: Cursor<order::ByCustomer>) {
    let _ = db.query(Order::by_status(Status::Open)).after(cursor);
}

fn main() {}

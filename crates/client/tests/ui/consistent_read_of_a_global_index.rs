//! A global index cannot be read consistently.

#[path = "../client/shop.rs"]
mod shop;

use monotable::prelude::*;
use shop::{Order, Shop, Status};

fn queries(db: &Db<Shop>) {
    let _ = db.query(Order::by_status(Status::Open)).consistent();
}

fn main() {}

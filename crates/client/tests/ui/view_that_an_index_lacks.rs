//! A query is read for views of its entity, and an index only for those that name it.

#[path = "../client/shop.rs"]
mod shop;

use monotable::prelude::*;
use shop::{CustomerId, Order, Parcel, Shop};

#[derive(View)]
#[view(Order)]
pub struct Note {
    pub note: Option<String>,
}

fn of_an_index(db: &Db<Shop>, day: Timestamp) {
    let _ = db.query(Order::by_day(day)).view::<Note>();
}

fn of_another_entity(db: &Db<Shop>) {
    let _ = db.query(Parcel::by_carrier("dhl")).view::<Note>();
    let _ = db.get(Parcel::by_id("p1")).view::<Note>();
}

fn of_its_own(db: &Db<Shop>, customer: &CustomerId) {
    let _ = db.query(Order::by_customer(customer)).view::<Note>();
}

fn main() {}

//! A field that shares an index key with another has no setter of its own, and the setter of both
//! takes both.

#[path = "../client/shop.rs"]
mod shop;

use monotable::prelude::*;
use shop::{Parcel, Shop, parcel};

fn patches(db: &Db<Shop>) {
    let _ = db.patch(Parcel::by_id("p1")).carrier(Some("dhl".to_owned()));
    let _ = db.patch(Parcel::by_id("p1")).by_carrier(parcel::ByCarrier { carrier: None });
}

fn main() {}

//! A scan of an index names a pattern on one, reads views that it holds, and is never consistent
//! where the index is global.

#[path = "../client/shop.rs"]
mod shop;

use monotable::db::Entries;
use monotable::prelude::*;
use shop::{Order, Parcel, Shop, order, parcel};

#[derive(View)]
#[view(Order)]
pub struct Note {
    pub note: Option<String>,
}

#[derive(View)]
#[view(Order, order::ByDay)]
pub struct NoteByDay {
    pub note: Option<String>,
}

fn of_the_table(db: &Db<Shop>) {
    let _ = db.scan_index::<order::ByCustomer>();
}

fn for_what_it_lacks(db: &Db<Shop>) {
    let _ = db.scan_index::<order::ByDay>().view::<Note>();
}

fn of_another_entity(db: &Db<Shop>) {
    let _ = db.scan_everything::<Parcel>().view::<Note>();
}

fn consistent(db: &Db<Shop>) {
    let _ = db.scan_index::<order::ByDay>().consistent();
}

fn from_another_index(db: &Db<Shop>, cursor: Cursor<Entries<parcel::ByCarrier>>) {
    let _ = db.scan_index::<order::ByStatus>().after(cursor);
}

fn main() {}

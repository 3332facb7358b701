//! A view has fields of its entity, of the same types, that the indexes it names hold.

use monotable::prelude::*;

#[derive(Table)]
#[table(pk = "pk", sk = "sk")]
#[gsi(ByDay, pk = "gsi1pk", sk = "gsi1sk", project(total))]
pub struct Shop;

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_id: pk = "ORDER#{id}", sk = "ORDER")]
#[index(ByDay by_day: pk = "DAY#{day}", sk = "{id}", view(total))]
pub struct Order {
    pub id: String,
    pub day: String,
    pub total: u64,
    pub note: String,
}

#[derive(View)]
#[view(Order)]
pub struct Misspelt {
    pub totl: u64,
}

#[derive(View)]
#[view(Order)]
pub struct OtherType {
    pub total: String,
}

#[derive(View)]
#[view(Order, order::ByDay)]
pub struct MoreThanTheIndexHolds {
    pub total: u64,
    pub note: String,
}

#[derive(View)]
pub struct OfNothing {
    pub total: u64,
}

fn main() {}

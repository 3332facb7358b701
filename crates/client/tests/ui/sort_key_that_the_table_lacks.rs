//! The keys of an entity are those of its table: with a sort key or without, and of its types.

use monotable::prelude::*;

#[derive(Table)]
#[table(pk = "pk", type_attr = "type")]
pub struct Flat;

#[derive(Entity)]
#[entity(table = Flat)]
#[key(by_customer: pk = "CUSTOMER#{customer}", sk = "ORDER#{id}")]
pub struct Order {
    pub customer: String,
    pub id: String,
}

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type")]
pub struct Sorted;

#[derive(Entity)]
#[entity(table = Sorted)]
#[key(by_id: pk = "CUSTOMER#{id}")]
pub struct Customer {
    pub id: String,
}

#[derive(Table)]
#[table(pk = "pk", sk = "at": number, type_attr = "type")]
#[gsi(ByDay, pk = "day", sk = ["kind", "blob": binary])]
pub struct Timed;

#[derive(Entity)]
#[entity(table = Timed)]
#[key(of_device: pk = "DEVICE#{device}", sk = "{at:010}")]
#[index(ByDay by_day: pk = "{day:number}", sk = ["{device}", "{device}"])]
pub struct Reading {
    pub device: String,
    pub at: u64,
    pub day: u32,
}

fn main() {}

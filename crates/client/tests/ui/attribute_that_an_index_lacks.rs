//! A row of an index has what the index holds, and a view names nothing else.

use monotable::prelude::*;

#[derive(Table)]
#[table(pk = "pk", sk = "sk")]
#[gsi(ByDay, pk = "gsi1pk", sk = "gsi1sk", project(total))]
pub struct Shop;

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_id: pk = "ORDER#{id}", sk = "ORDER")]
#[index(ByDay by_day: pk = "DAY#{day}", sk = "{id}", view(total, note))]
pub struct Order {
    pub id: String,
    pub day: String,
    pub total: u64,
    pub note: String,
}

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_id: pk = "REFUND#{id}", sk = "REFUND")]
#[index(ByDay by_day: pk = "DAY#{day}", sk = "{id}")]
pub struct Refund {
    pub id: String,
    pub day: String,
}

fn main() {}

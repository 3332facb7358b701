//! A floating point number has no order in keys, and a number needs a width.

use monotable::prelude::*;

#[derive(Table)]
#[table(pk = "pk", sk = "sk")]
pub struct Shop;

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_id: pk = "A#{price}", sk = "B#{count}")]
pub struct Offer {
    pub price: f64,
    pub count: u32,
}

fn main() {}

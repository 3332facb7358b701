//! A query for orders would find order lines.

use monotable::prelude::*;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "_t")]
pub struct Shop;

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_customer: pk = "CUST#{customer}", sk = "ORDER#{id}")]
pub struct Order {
    pub customer: String,
    pub id: String,
}

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_customer: pk = "CUST#{customer}", sk = "ORDER#LINE#{id}")]
pub struct Line {
    pub customer: String,
    pub id: String,
}

#[derive(Collection)]
#[collection(Shop, pk = "CUST#{customer}")]
pub enum CustomerRow {
    Order(Order),
    Line(Line),
}

fn main() {}

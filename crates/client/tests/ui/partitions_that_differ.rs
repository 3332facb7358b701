//! The members of a collection lie in the same partitions.

use monotable::prelude::*;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "_t")]
pub struct Shop;

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_customer: pk = "CUSTOMER#{customer}", sk = "ORDER#{id}")]
pub struct Order {
    pub customer: String,
    pub id: String,
}

#[derive(Collection)]
#[collection(Shop, pk = "CUST#{customer}")]
pub enum CustomerRow {
    Order(Order),
}

fn main() {}

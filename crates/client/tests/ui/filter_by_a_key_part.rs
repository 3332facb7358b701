//! What is in the key belongs to the key of the query.

#[path = "../client/shop.rs"]
mod shop;

use shop::{CustomerId, Order};

fn main() {
    let _ = Order::CUSTOMER_ID.is(CustomerId("c1".into()));
}

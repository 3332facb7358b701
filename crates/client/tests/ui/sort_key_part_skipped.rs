//! A part of the sort key cannot be skipped: `placed_at` comes before `id`.

#[path = "../client/shop.rs"]
mod shop;

use shop::{CustomerId, Order, OrderId};

fn main() {
    let _ = Order::by_customer(CustomerId("c1".into())).id(OrderId("o1".into()));
}

//! Two ids cannot be swapped.

#[path = "../client/shop.rs"]
mod shop;

use shop::{Order, OrderId};

fn main() {
    let _ = Order::by_customer(OrderId("o1".into()));
}

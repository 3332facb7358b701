//! A member that is added to a collection must be handled.

#[path = "../client/shop.rs"]
mod shop;

use shop::CustomerRow;

fn name(row: CustomerRow) -> String {
    match row {
        CustomerRow::Customer(customer) => customer.name,
    }
}

fn main() {}

//! What an index does not hold is no field of its rows.

#[path = "../client/shop.rs"]
mod shop;

fn note(row: shop::order::ByDayRow) -> Option<String> {
    row.note
}

fn main() {}

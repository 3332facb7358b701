//! Shipped orders in a sparse index
//!
//! Tables, entities and access patterns of the model `sparse-shipped-orders`, written by `monotable
//! model export --to rust`.

use monotable::Number;
use monotable::db::{Entries, Query, Scan};
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", entities(Order,))]
#[gsi(
    SparseShipped,
    name = "SPARSE_SHIPPED",
    pk = "SPARSE_SHIPPED_PK": string,
    sk = "SPARSE_SHIPPED_SK": string,
)]
pub struct Data;

/// The entity `Order`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_order_id: pk = "ORDER#{order_id:05}")]
#[index(SparseShipped by_customer_id:
    pk = "CUSTOMER#{customer_id}",
    sk = "{ship_date:raw}",
    when = "status = 'SHIPPED'",
)]
pub struct Order {
    /// The attribute `OrderId`.
    #[attr(name = "OrderId")]
    pub order_id: Number,
    /// The attribute `STATUS`.
    #[attr(name = "STATUS")]
    pub status: OrderStatus,
    /// The attribute `CustomerId`.
    #[attr(name = "CustomerId", max_len = 10)]
    pub customer_id: String,
    /// When it was shipped, without an offset
    #[attr(name = "SHIP_DATE", max_len = 19)]
    pub ship_date: Option<String>,
}

/// The values of `STATUS`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderStatus {
    /// `AWAITING_PAYMENT`
    #[key_part("AWAITING_PAYMENT")]
    AwaitingPayment,
    /// `AWAITING_SHIPMENT`
    #[key_part("AWAITING_SHIPMENT")]
    AwaitingShipment,
    /// `SHIPPED`
    #[key_part("SHIPPED")]
    Shipped,
}

/// Access pattern: all shipped orders.
pub fn all_shipped_orders(db: &Db<Data>) -> Scan<Entries<order::ByCustomerId>> {
    db.scan_index::<order::ByCustomerId>()
}

/// Access pattern: newest shipped orders of a customer.
pub fn newest_shipped_orders_of_a_customer(
    db: &Db<Data>,
    customer_id: &str,
) -> Query<order::ByCustomerId> {
    db.query(Order::by_customer_id(customer_id)).desc().limit(10)
}

/// Access pattern: orders of a customer shipped since.
pub fn orders_of_a_customer_shipped_since(
    db: &Db<Data>,
    customer_id: &str,
    since: &str,
) -> Query<order::ByCustomerId> {
    db.query(Order::by_customer_id(customer_id).ship_date_in(since..))
}

/// Access pattern: ship order.
///
/// Brings it into the index, which takes the customer's id
pub fn ship_order(
    db: &Db<Data>,
    order_id: Number,
    ship_date: &str,
    customer_id: &str,
) -> order::Patch<Db<Data>> {
    db.patch(Order::by_order_id(order_id))
        .by_customer_id(order::ByCustomerId {
            customer_id: customer_id.to_owned(),
            ship_date: Some(ship_date.to_owned()),
            status: OrderStatus::Shipped,
        })
        .when(Order::STATUS.is(OrderStatus::AwaitingShipment))
}

//! The table and its entities: `examples/models/e-commerce.toml` in Rust.

use std::collections::BTreeMap;

use monotable::prelude::*;
use serde::{Deserialize, Serialize};

/// The table, and the index that has an order beside its items.
#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Customer, Order, OrderItem))]
#[gsi(Gsi1, name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
pub struct Shop;

/// Who orders. No two customers have the same e-mail address.
#[derive(Entity, Serialize, Debug, Clone, PartialEq)]
#[entity(table = Shop)]
#[key(by_username: pk = "CUSTOMER#{username}", sk = "CUSTOMER#{username}")]
#[unique(email = "CUSTOMEREMAIL#{email}")]
pub struct Customer {
    /// The name that the customer is known by.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// In lower case.
    #[attr(name = "Email", max_len = 100)]
    pub email: String,
    /// The name on parcels.
    #[attr(name = "Name", max_len = 100)]
    pub name: String,
    /// By the customer's own names for them.
    #[attr(name = "Addresses")]
    pub addresses: BTreeMap<String, Address>,
}

/// Where parcels go.
#[derive(Attribute, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Address {
    /// Street and number.
    #[attr(name = "Street")]
    pub street: String,
    /// The city.
    #[attr(name = "City")]
    pub city: String,
    /// The state or region.
    #[attr(name = "State")]
    pub state: String,
}

/// What was ordered at one time. The leading `#` sorts orders before their customer.
#[derive(Entity, Serialize, Debug, Clone, PartialEq)]
#[entity(table = Shop)]
#[key(by_customer: pk = "CUSTOMER#{username}", sk = "#ORDER#{order_id:ksuid}")]
#[index(Gsi1 by_id: pk = "ORDER#{order_id:ksuid}", sk = "ORDER#{order_id:ksuid}")]
pub struct Order {
    /// Who ordered.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// A KSUID: later orders have greater ones.
    #[attr(name = "OrderId")]
    pub order_id: String,
    /// When it was placed.
    #[attr(name = "CreatedAt", created)]
    #[serde(serialize_with = "as_text")]
    pub created_at: Timestamp,
    /// How far it is.
    #[attr(name = "Status")]
    pub status: Status,
    /// What it costs, in cents.
    #[attr(name = "Amount")]
    pub amount_cents: u64,
    /// How many items it has.
    #[attr(name = "NumberItems")]
    pub item_count: u32,
}

/// How far an order is.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// It was ordered.
    #[key_part("PLACED")]
    Placed,
    /// It is on its way.
    #[key_part("SHIPPED")]
    Shipped,
    /// It is there.
    #[key_part("DELIVERED")]
    Delivered,
    /// It was called off.
    #[key_part("CANCELLED")]
    Cancelled,
}

impl Status {
    /// The status that an order must have to get this one.
    pub fn before(self) -> Option<Status> {
        match self {
            Status::Placed => None,
            Status::Shipped | Status::Cancelled => Some(Status::Placed),
            Status::Delivered => Some(Status::Shipped),
        }
    }
}

/// One line of an order. It lies outside of the customer's partition, so that orders lie next to
/// each other there.
#[derive(Entity, Serialize, Debug, Clone, PartialEq)]
#[entity(table = Shop)]
#[key(
    by_id: pk = "ORDER#{order_id:ksuid}#ITEM#{item_id}",
    sk = "ORDER#{order_id:ksuid}#ITEM#{item_id}"
)]
#[index(Gsi1 by_order: pk = "ORDER#{order_id:ksuid}", sk = "ITEM#{item_id}")]
pub struct OrderItem {
    /// The order.
    #[attr(name = "OrderId")]
    pub order_id: String,
    /// What was ordered.
    #[attr(name = "ItemId", max_len = 20)]
    pub item_id: String,
    /// What it is called.
    #[attr(name = "Description", max_len = 200)]
    pub description: String,
    /// What it costs, in cents.
    #[attr(name = "Price")]
    pub price_cents: u64,
}

/// What lies in the partition of a customer.
#[derive(Collection, Debug, PartialEq)]
#[collection(Shop, pk = "CUSTOMER#{username}")]
pub enum CustomerRow {
    /// The customer.
    Customer(Customer),
    /// One of the orders.
    Order(Order),
}

/// What the page of a customer shows.
#[derive(Gather, Serialize, Debug, PartialEq)]
#[gather(CustomerRow)]
pub struct CustomerPage {
    /// The customer; nothing if there is none of this name.
    #[one]
    pub customer: Option<Customer>,
    /// The newest orders.
    #[many(desc, max = 10)]
    pub newest_orders: Vec<Order>,
}

fn as_text<S: serde::Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(time)
}

//! Customers, orders and order items
//!
//! Tables, entities and access patterns of the model `e-commerce`, written by `monotable model
//! export --to rust`.

use std::collections::BTreeMap;

use monotable::db::{Query, Transaction};
use monotable::prelude::*;
use monotable::{Number, Value, member};

/// The table `EcommerceTable`.
#[derive(Table)]
#[table(
    name = "EcommerceTable",
    pk = "PK",
    sk = "SK",
    entities(Customer, CustomerEmail, Order, OrderItem,)
)]
#[gsi(
    Gsi1,
    name = "GSI1",
    pk = "GSI1PK": string,
    sk = "GSI1SK": string,
)]
pub struct EcommerceTable;

/// The entity `Customer`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = EcommerceTable)]
#[key(by_username: pk = "CUSTOMER#{username}", sk = "CUSTOMER#{username}")]
pub struct Customer {
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// The attribute `Email`.
    #[attr(name = "Email", max_len = 100)]
    pub email: String,
    /// The attribute `Name`.
    #[attr(name = "Name", max_len = 100)]
    pub name: Option<String>,
    /// By the customer's own names for them, at most 20
    #[attr(name = "Addresses")]
    pub addresses: BTreeMap<String, Value>,
}

/// Holds an email address, so that no two customers have it
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = EcommerceTable)]
#[key(by_email: pk = "CUSTOMEREMAIL#{email}", sk = "CUSTOMEREMAIL#{email}")]
pub struct CustomerEmail {
    /// The attribute `Email`.
    #[attr(name = "Email", max_len = 100)]
    pub email: String,
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
}

/// The leading # sorts orders before the customer, so that a descending read begins with the
/// customer
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = EcommerceTable)]
#[key(by_username: pk = "CUSTOMER#{username}", sk = "#ORDER#{order_id:ksuid}")]
#[index(Gsi1 by_order_id: pk = "ORDER#{order_id:ksuid}", sk = "ORDER#{order_id:ksuid}")]
pub struct Order {
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// The attribute `OrderId`.
    #[attr(name = "OrderId")]
    pub order_id: String,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
    /// The attribute `Status`.
    #[attr(name = "Status")]
    pub status: OrderStatus,
    /// The attribute `Amount`.
    #[attr(name = "Amount")]
    pub amount: Number,
    /// The attribute `NumberItems`.
    #[attr(name = "NumberItems")]
    pub number_items: Number,
}

/// The values of `Status`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderStatus {
    /// `PLACED`
    #[key_part("PLACED")]
    Placed,
    /// `SHIPPED`
    #[key_part("SHIPPED")]
    Shipped,
    /// `DELIVERED`
    #[key_part("DELIVERED")]
    Delivered,
    /// `CANCELLED`
    #[key_part("CANCELLED")]
    Cancelled,
}

/// Lies outside the customer's partition, which keeps the orders there next to each other
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = EcommerceTable)]
#[key(by_order_id_and_item_id:
    pk = "ORDER#{order_id:ksuid}#ITEM#{item_id}",
    sk = "ORDER#{order_id:ksuid}#ITEM#{item_id}",
)]
#[index(Gsi1 by_order_id: pk = "ORDER#{order_id:ksuid}", sk = "ITEM#{item_id}")]
pub struct OrderItem {
    /// The attribute `OrderId`.
    #[attr(name = "OrderId")]
    pub order_id: String,
    /// The attribute `ItemId`.
    #[attr(name = "ItemId", max_len = 20)]
    pub item_id: String,
    /// The attribute `Description`.
    #[attr(name = "Description", max_len = 200)]
    pub description: Option<String>,
    /// The attribute `Price`.
    #[attr(name = "Price")]
    pub price: Number,
}

/// What a partition holds together: Order, Customer.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(EcommerceTable, pk = "CUSTOMER#{username}")]
pub enum CustomerOrOrder {
    /// The entity [`Order`].
    Order(Order),
    /// The entity [`Customer`].
    Customer(Customer),
}

/// What a partition of `GSI1` holds together: Order, OrderItem.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(EcommerceTable, index = Gsi1, parts(order_id: String), pk = "ORDER#{order_id:ksuid}")]
pub enum OrderOrOrderItem {
    /// The entity [`Order`].
    Order(Order),
    /// The entity [`OrderItem`].
    OrderItem(OrderItem),
}

/// Access pattern: create customer.
///
/// Unique by name and by email: the reason that fails tells which of the two is taken
pub fn create_customer(
    db: &Db<EcommerceTable>,
    customer: &Customer,
    customer_email: &CustomerEmail,
) -> Transaction<EcommerceTable, ()> {
    let customer = Customer { addresses: BTreeMap::new(), ..customer.clone() };
    db.transaction().create(&customer).create(customer_email)
}

/// Access pattern: create or update address.
///
/// A new name is accepted up to the twentieth
pub fn create_or_update_address(
    db: &Db<EcommerceTable>,
    username: &str,
    address_name: &str,
    address: &BTreeMap<String, Value>,
    max: Number,
) -> customer::Patch<Db<EcommerceTable>> {
    db.patch(Customer::by_username(username))
        .addresses(member(address_name).set(address.clone()))
        .when(
            Customer::ADDRESSES.member(address_name).exists() | Customer::ADDRESSES.size().lt(max),
        )
}

/// Access pattern: delete address.
pub fn delete_address(
    db: &Db<EcommerceTable>,
    username: &str,
    address_name: &str,
) -> customer::Patch<Db<EcommerceTable>> {
    db.patch(Customer::by_username(username)).addresses(member(address_name).remove())
}

/// Access pattern: customer and newest orders.
///
/// The customer and ten orders; later pages pass the last key
pub fn customer_and_newest_orders(
    db: &Db<EcommerceTable>,
    username: &str,
) -> Query<CustomerOrOrder> {
    db.query(CustomerOrOrder::of(username).span()).desc().limit(11)
}

/// Access pattern: save order.
///
/// The order and its items appear together
pub fn save_order(
    db: &Db<EcommerceTable>,
    order: &Order,
    items: &[OrderItem],
) -> Transaction<EcommerceTable, ()> {
    let transaction = db.transaction().create(order);
    items.iter().fold(transaction, |transaction, it| transaction.create(it))
}

/// Access pattern: update order status.
pub fn update_order_status(
    db: &Db<EcommerceTable>,
    username: &str,
    order_id: &str,
    status: OrderStatus,
) -> order::Patch<Db<EcommerceTable>> {
    db.patch(Order::by_username(username).order_id(order_id)).status(status)
}

/// Access pattern: order and its items.
///
/// Items first, the order last
pub fn order_and_its_items(db: &Db<EcommerceTable>, order_id: &str) -> Query<OrderOrOrderItem> {
    db.query(OrderOrOrderItem::of(order_id).span())
}

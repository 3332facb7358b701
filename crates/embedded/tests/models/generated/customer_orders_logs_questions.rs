//! Customers, orders, logs and questions
//!
//! Tables, entities and access patterns of the model `customer-orders-logs-questions`, written by
//! `monotable model export --to rust`.

use monotable::Number;
use monotable::db::{Get, Query};
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(
    name = "data",
    pk = "PK",
    sk = "SK",
    type_attr = "TYPE",
    entities(Customer, Order, Log, Question,)
)]
#[gsi(
    Gsi1,
    name = "GSI1",
    pk = "GSI1PK": string,
    sk = "GSI1SK": string,
)]
pub struct Data;

/// The entity `Customer`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "CUSTOMER")]
#[key(by_customer_id: pk = "CUSTOMER#{customer_id}", sk = "CUSTOMER#{customer_id}")]
pub struct Customer {
    /// The attribute `CustomerId`.
    #[attr(name = "CustomerId", max_len = 10)]
    pub customer_id: String,
    /// The attribute `Name`.
    #[attr(name = "Name", max_len = 100)]
    pub name: Option<String>,
}

/// The entity `Order`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "ORDER")]
#[key(by_customer_id: pk = "CUSTOMER#{customer_id}", sk = "ORDER#{order_id:05}")]
#[index(Gsi1 by_customer_id_and_order_id:
    pk = "CUSTOMER#{customer_id}#ORDER#{order_id:05}",
    sk = "ORDER#{order_id:05}",
)]
pub struct Order {
    /// The attribute `CustomerId`.
    #[attr(name = "CustomerId", max_len = 10)]
    pub customer_id: String,
    /// The attribute `OrderId`.
    #[attr(name = "OrderId")]
    pub order_id: Number,
}

/// The entity `Log`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "LOG")]
#[key(by_log_id: pk = "LOG#{log_id:05}", sk = "LOG#{log_id:05}")]
#[index(Gsi1 by_customer_id_and_order_id:
    pk = "CUSTOMER#{customer_id}#ORDER#{order_id:05}",
    sk = "LOG#{log_id:05}",
)]
pub struct Log {
    /// The attribute `LogId`.
    #[attr(name = "LogId")]
    pub log_id: Number,
    /// The attribute `CustomerId`.
    #[attr(name = "CustomerId", max_len = 10)]
    pub customer_id: String,
    /// The attribute `OrderId`.
    #[attr(name = "OrderId")]
    pub order_id: Number,
}

/// The number is counted down from 100000, so that ascending is newest first
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "QUESTION")]
#[key(by_customer_id:
    pk = "CUSTOMER#{customer_id}",
    sk = "#QUESTION#{question_id:05:desc(100000)}",
)]
pub struct Question {
    /// The attribute `CustomerId`.
    #[attr(name = "CustomerId", max_len = 10)]
    pub customer_id: String,
    /// The attribute `QuestionId`.
    #[attr(name = "QuestionId")]
    pub question_id: Number,
}

/// What a partition holds together: Order, Customer.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Data, pk = "CUSTOMER#{customer_id}")]
pub enum CustomerOrOrder {
    /// The entity [`Order`].
    Order(Order),
    /// The entity [`Customer`].
    Customer(Customer),
}

/// What a partition of `GSI1` holds together: Log, Order.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    Data,
    index = Gsi1,
    parts(customer_id: String, order_id: Number),
    pk = "CUSTOMER#{customer_id}#ORDER#{order_id:05}"
)]
pub enum OrderOrLog {
    /// The entity [`Log`].
    Log(Log),
    /// The entity [`Order`].
    Order(Order),
}

/// What a partition holds together: Question, Customer.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Data, pk = "CUSTOMER#{customer_id}")]
pub enum CustomerOrQuestion {
    /// The entity [`Question`].
    Question(Question),
    /// The entity [`Customer`].
    Customer(Customer),
}

/// What a partition holds together: Order, Question, Customer.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Data, pk = "CUSTOMER#{customer_id}")]
pub enum CustomerOrOrderOrQuestion {
    /// The entity [`Order`].
    Order(Order),
    /// The entity [`Question`].
    Question(Question),
    /// The entity [`Customer`].
    Customer(Customer),
}

/// Access pattern: get customer.
pub fn get_customer(db: &Db<Data>, customer_id: &str) -> Get<Customer> {
    db.get(Customer::by_customer_id(customer_id))
}

/// Access pattern: customer and oldest orders.
///
/// The customer and ten orders; the newest would need numbers that count down, as those of
/// questions do
pub fn customer_and_oldest_orders(db: &Db<Data>, customer_id: &str) -> Query<CustomerOrOrder> {
    db.query(CustomerOrOrder::of(customer_id).span()).limit(11)
}

/// Access pattern: orders of a customer.
pub fn orders_of_a_customer(db: &Db<Data>, customer_id: &str) -> Query<order::ByCustomerId> {
    db.query(Order::by_customer_id(customer_id))
}

/// Access pattern: get order.
pub fn get_order(db: &Db<Data>, customer_id: &str, order_id: Number) -> Get<Order> {
    db.get(Order::by_customer_id(customer_id).order_id(order_id))
}

/// Access pattern: order and its logs.
pub fn order_and_its_logs(db: &Db<Data>, customer_id: &str, order_id: Number) -> Query<OrderOrLog> {
    db.query(OrderOrLog::of(customer_id, order_id).span())
}

/// Access pattern: customer and oldest questions.
///
/// Backwards from the customer, so the oldest question comes first
pub fn customer_and_oldest_questions(
    db: &Db<Data>,
    customer_id: &str,
) -> Query<CustomerOrQuestion> {
    db.query(CustomerOrQuestion::of(customer_id).span()).desc().limit(11)
}

/// Access pattern: newest questions of a customer.
pub fn newest_questions_of_a_customer(
    db: &Db<Data>,
    customer_id: &str,
) -> Query<question::ByCustomerId> {
    db.query(Question::by_customer_id(customer_id)).limit(10)
}

/// Access pattern: customer with orders and questions.
pub fn customer_with_orders_and_questions(
    db: &Db<Data>,
    customer_id: &str,
) -> Query<CustomerOrOrderOrQuestion> {
    db.query(CustomerOrOrderOrQuestion::of(customer_id).span())
}

//! The table that the tests use: a shop with customers, orders and parcels.

use std::collections::BTreeSet;

use monotable::prelude::*;

#[derive(Table)]
#[table(
    pk = "pk",
    sk = "sk",
    type_attr = "_t",
    ttl = "expires_at",
    entities(Customer, Order, Parcel)
)]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk", project(all))]
#[gsi(Gsi2, pk = "gsi2pk", sk = "gsi2sk", project(total, status))]
#[gsi(Places, pk = ["country", "region"], sk = ["city", "weight": number])]
pub struct Shop;

#[derive(KeyPart, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CustomerId(pub String);

#[derive(KeyPart, Debug, Clone, PartialEq, Eq)]
pub struct OrderId(pub String);

#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    #[key_part("open")]
    Open,
    #[key_part("paid")]
    Paid,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shop)]
#[key(by_id: pk = "CUST#{id}", sk = "PROFILE")]
pub struct Customer {
    pub id: CustomerId,
    pub name: String,
    pub blocked: bool,
    pub visits: u32,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shop, version = 2)]
#[key(by_customer: pk = "CUST#{customer_id}", sk = "ORDER#{placed_at}#{id}")]
#[index(Gsi1 by_status: pk = "STATUS#{status}", sk = "{placed_at}#{id}", when = "status = 'open'")]
#[index(
    Gsi2 by_day: pk = "DAY#{placed_at:day}#{shard(id, 4)}", sk = "{placed_at}#{id}",
    view(total, status)
)]
#[unique(number)]
pub struct Order {
    pub customer_id: CustomerId,
    pub id: OrderId,
    #[attr(create_only)]
    pub placed_at: Timestamp,
    pub status: Status,
    pub number: Option<String>,
    pub total: u64,
    #[attr(max_len = 200)]
    pub note: Option<String>,
    pub tags: BTreeSet<String>,
    #[attr(lock)]
    pub rev: u64,
    #[attr(ttl)]
    pub expires_at: Option<UnixSeconds>,
    #[attr(touched)]
    pub updated_at: Timestamp,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shop, tag = "P")]
#[key(by_id: pk = "PARCEL#{id}", sk = "PARCEL")]
#[index(Gsi1 by_carrier: pk = "CARRIER#{carrier}", sk = "{eta}")]
#[index(Places by_place: pk = ["{country}", "{region}"], sk = ["{city}", "{weight:number}"])]
pub struct Parcel {
    #[attr(key_only)]
    pub id: String,
    pub carrier: Option<String>,
    pub eta: Timestamp,
    pub country: String,
    pub region: String,
    pub city: String,
    pub weight: u32,
    #[attr(name = "rmk")]
    pub remark: Option<String>,
}

#[derive(Collection, Debug, PartialEq)]
#[collection(Shop, pk = "CUST#{customer_id}")]
pub enum CustomerRow {
    Customer(Customer),
    Order(Order),
}

#[derive(Gather, Debug, PartialEq)]
#[gather(CustomerRow)]
pub struct CustomerPage {
    #[one]
    pub customer: Customer,
    #[many(desc, max = 2)]
    pub latest: Vec<Order>,
}

#[derive(Gather, Debug, PartialEq)]
#[gather(CustomerRow)]
pub struct CustomerFile {
    #[one]
    pub customer: Option<Customer>,
    #[many]
    pub orders: Vec<Order>,
}

pub fn time(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

pub fn customer(id: &str) -> Customer {
    Customer { id: CustomerId(id.into()), name: format!("Name of {id}"), blocked: false, visits: 0 }
}

pub fn order(customer: &str, id: &str, placed_at: &str) -> Order {
    Order {
        customer_id: CustomerId(customer.into()),
        id: OrderId(id.into()),
        placed_at: time(placed_at),
        status: Status::Open,
        number: None,
        total: 100,
        note: None,
        tags: BTreeSet::new(),
        rev: 1,
        expires_at: None,
        updated_at: time("2026-01-01T00:00:00Z"),
    }
}

pub fn parcel(id: &str) -> Parcel {
    Parcel {
        id: id.into(),
        carrier: Some("dhl".into()),
        eta: time("2026-01-05T00:00:00Z"),
        country: "DE".into(),
        region: "BE".into(),
        city: "Berlin".into(),
        weight: 7,
        remark: None,
    }
}

/// The key of an order in the table.
pub fn key_of(order: &Order) -> Key<Order> {
    Order::by_customer(&order.customer_id).at(order.placed_at, &order.id)
}

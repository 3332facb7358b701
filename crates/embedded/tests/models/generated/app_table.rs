//! Profiles, orders, stock and sign-ins
//!
//! Tables, entities and access patterns of the model `app-table`, written by `monotable model
//! export --to rust`.

use monotable::db::{Get, Query, Transaction, Upsert, WriteMany};
use monotable::prelude::*;
use monotable::{Number, decrease};

/// The table `my-app`.
#[derive(Table)]
#[table(
    name = "my-app",
    pk = "pk",
    sk = "sk",
    ttl = "ttl",
    entities(UserProfile, Order, Inventory, Session,)
)]
#[gsi(
    Gsi1,
    name = "GSI1",
    pk = "GSI1PK": string,
    sk = "GSI1SK": string,
)]
pub struct MyApp;

/// The entity `UserProfile`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = MyApp)]
#[key(by_user_id: pk = "USER#{user_id}", sk = "PROFILE")]
#[index(Gsi1 by_email: pk = "EMAIL#{email}", sk = "USER#{user_id}")]
pub struct UserProfile {
    /// The attribute `userId`.
    #[attr(name = "userId", max_len = 36)]
    pub user_id: String,
    /// The attribute `email`.
    #[attr(max_len = 100)]
    pub email: String,
    /// The attribute `name`.
    #[attr(max_len = 100)]
    pub name: Option<String>,
    /// The attribute `createdAt`.
    #[attr(name = "createdAt")]
    pub created_at: Option<String>,
}

/// The entity `Order`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = MyApp)]
#[key(by_user_id: pk = "USER#{user_id}", sk = "ORDER#{iso_date}#{order_id}")]
#[index(Gsi1 by_status: pk = "STATUS#{status}", sk = "{iso_date}#{order_id}")]
pub struct Order {
    /// The attribute `userId`.
    #[attr(name = "userId", max_len = 36)]
    pub user_id: String,
    /// The attribute `orderId`.
    #[attr(name = "orderId", max_len = 36)]
    pub order_id: String,
    /// The attribute `isoDate`.
    #[attr(name = "isoDate")]
    pub iso_date: String,
    /// The attribute `status`.
    pub status: OrderStatus,
    /// The attribute `total`.
    pub total: Number,
    /// The attribute `ttl`.
    #[attr(ttl)]
    pub ttl: Option<Number>,
}

/// The values of `status`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderStatus {
    /// `PENDING`
    #[key_part("PENDING")]
    Pending,
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

/// The entity `Inventory`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = MyApp)]
#[key(by_sku: pk = "PRODUCT#{sku}", sk = "INVENTORY")]
pub struct Inventory {
    /// The attribute `sku`.
    #[attr(max_len = 20)]
    pub sku: String,
    /// The attribute `stock`.
    pub stock: Number,
}

/// The entity `Session`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = MyApp)]
#[key(by_session_id: pk = "SESSION#{session_id}", sk = "DATA")]
pub struct Session {
    /// The attribute `sessionId`.
    #[attr(name = "sessionId", max_len = 36)]
    pub session_id: String,
    /// The attribute `userId`.
    #[attr(name = "userId", max_len = 36)]
    pub user_id: String,
    /// The attribute `createdAt`.
    #[attr(name = "createdAt")]
    pub created_at: String,
    /// A day after it was created
    #[attr(ttl)]
    pub ttl: Number,
}

/// What a partition holds together: Order, UserProfile.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(MyApp, pk = "USER#{user_id}")]
pub enum UserProfileOrOrder {
    /// The entity [`Order`].
    Order(Order),
    /// The entity [`UserProfile`].
    UserProfile(UserProfile),
}

/// Access pattern: get profile.
pub fn get_profile(db: &Db<MyApp>, user_id: &str) -> Get<UserProfile> {
    db.get(UserProfile::by_user_id(user_id))
}

/// Access pattern: profile by email.
pub fn profile_by_email(db: &Db<MyApp>, email: &str) -> Query<user_profile::ByEmail> {
    db.query(UserProfile::by_email(email))
}

/// Access pattern: profile and newest orders.
///
/// The profile and 20 orders
pub fn profile_and_newest_orders(db: &Db<MyApp>, user_id: &str) -> Query<UserProfileOrOrder> {
    db.query(UserProfileOrOrder::of(user_id).span()).desc().limit(21)
}

/// Access pattern: newest orders.
pub fn newest_orders(db: &Db<MyApp>, user_id: &str) -> Query<order::ByUserId> {
    db.query(Order::by_user_id(user_id)).desc().limit(21)
}

/// Access pattern: orders of a user between two dates.
pub fn orders_of_a_user_between_two_dates(
    db: &Db<MyApp>,
    user_id: &str,
    from: &str,
    to: &str,
) -> Query<order::ByUserId> {
    db.query(Order::by_user_id(user_id).iso_date_in(from..=to))
}

/// Access pattern: orders of a status between two dates.
pub fn orders_of_a_status_between_two_dates(
    db: &Db<MyApp>,
    status: OrderStatus,
    from: &str,
    to: &str,
) -> Query<order::ByStatus> {
    db.query(Order::by_status(status).iso_date_in(from..=to))
}

/// An element of `lines`.
#[derive(Attribute, Debug, Clone, PartialEq)]
pub struct PlaceOrderLinesElement {
    /// `sku`
    pub sku: String,
    /// `quantity`
    pub quantity: Number,
}

/// Access pattern: place order.
///
/// The order and a reservation for each product; too little stock, or no such product, undoes all
pub fn place_order(
    db: &Db<MyApp>,
    order: &Order,
    lines: &[PlaceOrderLinesElement],
) -> Transaction<MyApp, ()> {
    let transaction = db.transaction().create(order);
    lines.iter().fold(transaction, |transaction, it| {
        let sku = it.sku.as_str();
        let quantity = it.quantity;
        transaction.patch(
            patch(Inventory::by_sku(sku))
                .stock(decrease(quantity))
                .when(Inventory::STOCK.ge(quantity)),
        )
    })
}

/// Access pattern: change order status.
pub fn change_order_status(
    db: &Db<MyApp>,
    user_id: &str,
    iso_date: &str,
    order_id: &str,
    status: OrderStatus,
    old: OrderStatus,
) -> order::Patch<Db<MyApp>> {
    db.patch(Order::by_user_id(user_id).iso_date(iso_date).order_id(order_id))
        .status(status)
        .when(Order::STATUS.is(old))
}

/// Access pattern: create sign-in record.
pub fn create_sign_in_record(db: &Db<MyApp>, session: &Session) -> Upsert<Session> {
    db.upsert(session)
}

/// Access pattern: get sign-in record.
///
/// Without those that have expired and are not deleted yet
pub fn get_sign_in_record(
    db: &Db<MyApp>,
    session_id: &str,
    now: Number,
) -> Query<session::BySessionId> {
    db.query(Session::by_session_id(session_id).selection::<session::BySessionId>())
        .filter(Session::TTL.gt(now))
}

/// Access pattern: load stock.
///
/// Twenty-five at a time; what a call left undone is sent again, and reported if it stays undone
pub fn load_stock(db: &Db<MyApp>, items: &[Inventory]) -> WriteMany<MyApp> {
    let batch = db.write_many();
    items.iter().fold(batch, |batch, it| batch.put(it))
}

//! The operations of the application, each one access pattern of the model.

use example_web::ksuid;
use monotable::backend::ErrorKind;
use monotable::db::{Page, TransactError};
use monotable::member;
use monotable::prelude::*;

use crate::error::AppError;
use crate::schema::{
    Address, Customer, CustomerPage, CustomerRow, Order, OrderItem, Shop, Status, order,
};

/// How many addresses a customer has at most.
pub const ADDRESSES_MAX: i64 = 20;

/// How many items an order has at most: a transaction has 100 actions, and two are the customer and
/// the order.
pub const ORDER_ITEMS_MAX: usize = 98;

/// The shop's data.
#[derive(Clone, Debug)]
pub struct Store {
    db: Db<Shop>,
}

/// An item of an order that is not placed yet.
#[derive(Debug, Clone)]
pub struct NewItem {
    /// What is ordered.
    pub item_id: String,
    /// What it is called.
    pub description: String,
    /// What it costs, in cents.
    pub price_cents: u64,
}

impl Store {
    /// The data in a table, which is made if it is missing.
    pub async fn open(db: Db<Shop>) -> Result<Store, monotable::Error> {
        match db.create_table().await {
            Err(monotable::Error::Backend(error)) if error.kind == ErrorKind::InUse => {}
            made => made?,
        }
        Ok(Store { db })
    }

    /// Adds a customer, if neither the name nor the e-mail address is taken.
    pub async fn create_customer(&self, customer: &Customer) -> Result<Customer, AppError> {
        self.db.create(customer).await.map_err(|error| match error {
            WriteError::NotMet { .. } => AppError::UsernameTaken,
            WriteError::Taken { .. } => AppError::EmailTaken,
            error => error.into(),
        })
    }

    /// The customer and the newest orders.
    pub async fn customer_page(&self, username: &str) -> Result<CustomerPage, AppError> {
        let page: CustomerPage = self.db.gather(CustomerRow::of(username)).await?;
        if page.customer.is_some() { Ok(page) } else { Err(AppError::NoCustomer) }
    }

    /// Gives a customer another e-mail address, if it is not taken and the old one is right.
    pub async fn change_email(
        &self,
        username: &str,
        old: String,
        new: String,
    ) -> Result<Customer, AppError> {
        let change = self.db.patch(Customer::by_username(username)).email_from(old, new);
        change.await.map_err(|error| match error {
            WriteError::NotMet { current: None } => AppError::NoCustomer,
            WriteError::NotMet { current: Some(_) } => AppError::EmailChanged,
            WriteError::Taken { .. } => AppError::EmailTaken,
            error => error.into(),
        })
    }

    /// Adds an address or replaces the one of this name.
    pub async fn put_address(
        &self,
        username: &str,
        name: &str,
        address: Address,
    ) -> Result<Customer, AppError> {
        let has_room = Customer::ADDRESSES.member(name).exists()
            | Customer::ADDRESSES.size().lt(ADDRESSES_MAX.into());
        self.db
            .patch(Customer::by_username(username))
            .addresses(member(name).set(address))
            .when(has_room)
            .await
            .map_err(|error| match error {
                WriteError::NotMet { current: None } => AppError::NoCustomer,
                WriteError::NotMet { current: Some(_) } => AppError::TooManyAddresses,
                error => error.into(),
            })
    }

    /// Removes an address.
    pub async fn delete_address(&self, username: &str, name: &str) -> Result<Customer, AppError> {
        self.db
            .patch(Customer::by_username(username))
            .addresses(member(name).remove())
            .when(Customer::ADDRESSES.member(name).exists())
            .await
            .map_err(|error| match error {
                WriteError::NotMet { current: None } => AppError::NoCustomer,
                WriteError::NotMet { current: Some(_) } => AppError::NoAddress,
                error => error.into(),
            })
    }

    /// Removes a customer and gives the e-mail address free. The orders stay.
    pub async fn delete_customer(&self, username: &str) -> Result<Customer, AppError> {
        let removed = self.db.delete(Customer::by_username(username)).await?;
        removed.ok_or(AppError::NoCustomer)
    }

    /// Saves an order and its items: all of them, or nothing if there is no such customer.
    pub async fn place_order(
        &self,
        username: &str,
        items: Vec<NewItem>,
    ) -> Result<(Order, Vec<OrderItem>), AppError> {
        let order_id = ksuid::generate(self.db.backend().now())?;
        let order = self.new_order(username, &order_id, &items)?;
        let items: Vec<OrderItem> = items.into_iter().map(|it| it.of(&order_id)).collect();
        let mut transaction = self
            .db
            .transaction()
            .check(&Customer::by_username(username), Customer::EMAIL.exists())
            .or(AppError::NoCustomer)
            .create(&order)
            .or(AppError::OrderExists);
        for item in &items {
            transaction = transaction.create(item).or(AppError::OrderExists);
        }
        match transaction.await {
            Ok(()) => Ok((self.order(&order).await?, items)),
            Err(TransactError::Refused(refusal)) => {
                Err(refusal.error.unwrap_or(AppError::OrderExists))
            }
            Err(TransactError::Failed(error)) => Err(error.into()),
            Err(error) => Err(AppError::internal(error.to_string())),
        }
    }

    /// The order and its items.
    pub async fn order_and_items(
        &self,
        order_id: &str,
    ) -> Result<(Order, Vec<OrderItem>), AppError> {
        let order = self.db.query(Order::by_id(order_id)).first().await?;
        let items = self.db.query(OrderItem::by_order(order_id)).all().await?;
        Ok((order.ok_or(AppError::NoOrder)?, items))
    }

    /// A page of the orders of a customer, the newest first.
    pub async fn orders(
        &self,
        username: &str,
        limit: usize,
        after: Option<Cursor<order::ByCustomer>>,
    ) -> Result<Page<order::ByCustomer>, AppError> {
        let query = self.db.query(Order::by_customer(username)).desc().exactly(limit);
        let query = match after {
            Some(cursor) => query.after(cursor),
            None => query,
        };
        Ok(query.await?)
    }

    /// Moves an order on.
    pub async fn set_status(
        &self,
        username: &str,
        order_id: &str,
        status: Status,
    ) -> Result<Order, AppError> {
        let before = status.before().ok_or(AppError::StatusRefused { current: Status::Placed })?;
        self.db
            .patch(Order::by_customer(username).order_id(order_id))
            .status(status)
            .when(Order::STATUS.is(before))
            .await
            .map_err(|error| match error {
                WriteError::NotMet { current: None } => AppError::NoOrder,
                WriteError::NotMet { current: Some(order) } => {
                    AppError::StatusRefused { current: order.status }
                }
                error => error.into(),
            })
    }

    fn new_order(
        &self,
        username: &str,
        order_id: &str,
        items: &[NewItem],
    ) -> Result<Order, AppError> {
        if items.is_empty() || items.len() > ORDER_ITEMS_MAX {
            let message = format!("an order has 1 to {ORDER_ITEMS_MAX} items");
            return Err(AppError::invalid(message));
        }
        let amount = items.iter().try_fold(0_u64, |sum, item| sum.checked_add(item.price_cents));
        let amount = amount.ok_or_else(|| AppError::invalid("the amount is too high"))?;
        let now = self.db.backend().now();
        Ok(Order {
            username: username.to_owned(),
            order_id: order_id.to_owned(),
            created_at: monotable::Stamp::stamp(now),
            status: Status::Placed,
            amount_cents: amount,
            item_count: u32::try_from(items.len()).unwrap_or(u32::MAX),
        })
    }

    /// The order as it was stored.
    async fn order(&self, order: &Order) -> Result<Order, AppError> {
        let key = Key::of(order)?;
        self.db.get(key).consistent().await?.ok_or(AppError::NoOrder)
    }
}

impl NewItem {
    fn of(self, order_id: &str) -> OrderItem {
        OrderItem {
            order_id: order_id.to_owned(),
            item_id: self.item_id,
            description: self.description,
            price_cents: self.price_cents,
        }
    }
}

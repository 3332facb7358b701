//! Customers and their addresses.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::App;
use crate::error::AppError;
use crate::schema::{Address, Customer, CustomerPage};

#[derive(Deserialize)]
pub(super) struct NewCustomer {
    username: String,
    email: String,
    name: String,
}

#[derive(Deserialize)]
pub(super) struct EmailChange {
    old: String,
    new: String,
}

pub(super) async fn create(
    State(app): State<App>,
    Json(new): Json<NewCustomer>,
) -> Result<(StatusCode, Json<Customer>), AppError> {
    let customer = Customer {
        username: new.username,
        email: email(&new.email)?,
        name: new.name,
        addresses: BTreeMap::new(),
    };
    let created = app.store.create_customer(&customer).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

pub(super) async fn show(
    State(app): State<App>,
    Path(username): Path<String>,
) -> Result<Json<CustomerPage>, AppError> {
    Ok(Json(app.store.customer_page(&username).await?))
}

pub(super) async fn remove(
    State(app): State<App>,
    Path(username): Path<String>,
) -> Result<StatusCode, AppError> {
    app.store.delete_customer(&username).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn change_email(
    State(app): State<App>,
    Path(username): Path<String>,
    Json(change): Json<EmailChange>,
) -> Result<Json<Customer>, AppError> {
    let (old, new) = (email(&change.old)?, email(&change.new)?);
    Ok(Json(app.store.change_email(&username, old, new).await?))
}

pub(super) async fn put_address(
    State(app): State<App>,
    Path((username, name)): Path<(String, String)>,
    Json(address): Json<Address>,
) -> Result<Json<Customer>, AppError> {
    Ok(Json(app.store.put_address(&username, &name, address).await?))
}

pub(super) async fn remove_address(
    State(app): State<App>,
    Path((username, name)): Path<(String, String)>,
) -> Result<StatusCode, AppError> {
    app.store.delete_address(&username, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An e-mail address in the spelling that it is unique in.
fn email(text: &str) -> Result<String, AppError> {
    let text = text.trim();
    if !text.contains('@') {
        return Err(AppError::invalid(format!("{text:?} is no e-mail address")));
    }
    Ok(text.to_lowercase())
}

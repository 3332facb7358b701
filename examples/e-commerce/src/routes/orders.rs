//! Orders and their items.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use example_web::failure::Failure;
use monotable::Cursor;
use serde::{Deserialize, Serialize};

use super::App;
use crate::error::AppError;
use crate::schema::{Order, OrderItem, Status};
use crate::store::NewItem;

/// How many orders a page has, unless the request says otherwise, and at most.
const PAGE_ITEMS: usize = 10;
const PAGE_ITEMS_MAX: usize = 100;

#[derive(Deserialize)]
pub(super) struct NewOrder {
    items: Vec<OrderedItem>,
}

#[derive(Deserialize)]
struct OrderedItem {
    item_id: String,
    description: String,
    price_cents: u64,
}

#[derive(Deserialize)]
pub(super) struct PageQuery {
    limit: Option<usize>,
    after: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct StatusChange {
    status: Status,
}

#[derive(Serialize)]
pub(super) struct OrderPage {
    orders: Vec<Order>,
    /// For `?after=`; missing on the last page.
    next: Option<String>,
}

#[derive(Serialize)]
pub(super) struct WholeOrder {
    order: Order,
    items: Vec<OrderItem>,
}

pub(super) async fn place(
    State(app): State<App>,
    Path(username): Path<String>,
    Json(new): Json<NewOrder>,
) -> Result<(StatusCode, Json<WholeOrder>), AppError> {
    let items = new.items.into_iter().map(|OrderedItem { item_id, description, price_cents }| {
        NewItem { item_id, description, price_cents }
    });
    let (order, items) = app.store.place_order(&username, items.collect()).await?;
    Ok((StatusCode::CREATED, Json(WholeOrder { order, items })))
}

pub(super) async fn list(
    State(app): State<App>,
    Path(username): Path<String>,
    Query(page): Query<PageQuery>,
) -> Result<Json<OrderPage>, AppError> {
    let limit = page.limit.unwrap_or(PAGE_ITEMS).clamp(1, PAGE_ITEMS_MAX);
    let after = page.after.map(|sealed| Cursor::open(&sealed, &app.cursor_secret)).transpose();
    let after = after.map_err(|_| Failure::BadCursor)?;
    let page = app.store.orders(&username, limit, after).await?;
    let next = page.next().map(|cursor| cursor.seal(&app.cursor_secret));
    Ok(Json(OrderPage { orders: page.into_rows(), next }))
}

pub(super) async fn show(
    State(app): State<App>,
    Path(order_id): Path<String>,
) -> Result<Json<WholeOrder>, AppError> {
    let (order, items) = app.store.order_and_items(&order_id).await?;
    Ok(Json(WholeOrder { order, items }))
}

pub(super) async fn set_status(
    State(app): State<App>,
    Path((username, order_id)): Path<(String, String)>,
    Json(change): Json<StatusChange>,
) -> Result<Json<Order>, AppError> {
    Ok(Json(app.store.set_status(&username, &order_id, change.status).await?))
}

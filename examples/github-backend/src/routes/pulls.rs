//! Pull requests.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::issues::{StatusChange, Wanted};
use super::{App, Listing, PageQuery};
use crate::error::AppError;
use crate::schema::PullRequest;

#[derive(Deserialize)]
pub(super) struct NewPullRequest {
    title: String,
}

pub(super) async fn open(
    State(app): State<App>,
    Path((owner, name)): Path<(String, String)>,
    Json(new): Json<NewPullRequest>,
) -> Result<(StatusCode, Json<PullRequest>), AppError> {
    let pull_request = app.store.open_pull_request(&owner, &name, new.title).await?;
    Ok((StatusCode::CREATED, Json(pull_request)))
}

pub(super) async fn show(
    State(app): State<App>,
    Path((owner, name, number)): Path<(String, String, u32)>,
) -> Result<Json<PullRequest>, AppError> {
    Ok(Json(app.store.pull_request(&owner, &name, number).await?))
}

pub(super) async fn list(
    State(app): State<App>,
    Path((owner, name)): Path<(String, String)>,
    Query(wanted): Query<Wanted>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Listing<PullRequest>>, AppError> {
    let page = app.wanted(&query)?;
    let page = app.store.pull_requests(&owner, &name, wanted.status, page).await?;
    Ok(Json(app.listing(page)))
}

pub(super) async fn set_status(
    State(app): State<App>,
    Path((owner, name, number)): Path<(String, String, u32)>,
    Json(change): Json<StatusChange>,
) -> Result<Json<PullRequest>, AppError> {
    let changed = app.store.set_pull_request_status(&owner, &name, number, change.status);
    Ok(Json(changed.await?))
}

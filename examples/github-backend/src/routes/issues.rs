//! Issues.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::{App, Listing, PageQuery};
use crate::error::AppError;
use crate::schema::{Issue, Status};

#[derive(Deserialize)]
pub(super) struct NewIssue {
    title: String,
}

/// Which issues are wanted.
#[derive(Deserialize)]
pub(super) struct Wanted {
    pub(super) status: Option<Status>,
}

#[derive(Deserialize)]
pub(super) struct StatusChange {
    pub(super) status: Status,
}

pub(super) async fn open(
    State(app): State<App>,
    Path((owner, name)): Path<(String, String)>,
    Json(new): Json<NewIssue>,
) -> Result<(StatusCode, Json<Issue>), AppError> {
    let issue = app.store.open_issue(&owner, &name, new.title).await?;
    Ok((StatusCode::CREATED, Json(issue)))
}

pub(super) async fn show(
    State(app): State<App>,
    Path((owner, name, number)): Path<(String, String, u32)>,
) -> Result<Json<Issue>, AppError> {
    Ok(Json(app.store.issue(&owner, &name, number).await?))
}

pub(super) async fn list(
    State(app): State<App>,
    Path((owner, name)): Path<(String, String)>,
    Query(wanted): Query<Wanted>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Listing<Issue>>, AppError> {
    let page = app.store.issues(&owner, &name, wanted.status, app.wanted(&query)?).await?;
    Ok(Json(app.listing(page)))
}

pub(super) async fn set_status(
    State(app): State<App>,
    Path((owner, name, number)): Path<(String, String, u32)>,
    Json(change): Json<StatusChange>,
) -> Result<Json<Issue>, AppError> {
    Ok(Json(app.store.set_issue_status(&owner, &name, number, change.status).await?))
}

//! Comments on issues and pull requests.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::{App, Listing, PageQuery};
use crate::error::AppError;
use crate::schema::{Comment, Thread};

#[derive(Deserialize)]
pub(super) struct NewComment {
    author: String,
    body: String,
}

/// A repository, and a number in it.
type Numbered = Path<(String, String, u32)>;

pub(super) async fn on_issue(
    State(app): State<App>,
    numbered: Numbered,
    Json(new): Json<NewComment>,
) -> Result<(StatusCode, Json<Comment>), AppError> {
    add(&app, Thread::Issue, numbered, new).await
}

pub(super) async fn on_pull(
    State(app): State<App>,
    numbered: Numbered,
    Json(new): Json<NewComment>,
) -> Result<(StatusCode, Json<Comment>), AppError> {
    add(&app, Thread::PullRequest, numbered, new).await
}

pub(super) async fn of_issue(
    State(app): State<App>,
    numbered: Numbered,
    Query(query): Query<PageQuery>,
) -> Result<Json<Listing<Comment>>, AppError> {
    list(&app, Thread::Issue, numbered, query).await
}

pub(super) async fn of_pull(
    State(app): State<App>,
    numbered: Numbered,
    Query(query): Query<PageQuery>,
) -> Result<Json<Listing<Comment>>, AppError> {
    list(&app, Thread::PullRequest, numbered, query).await
}

async fn add(
    app: &App,
    thread: Thread,
    Path((owner, name, number)): Numbered,
    new: NewComment,
) -> Result<(StatusCode, Json<Comment>), AppError> {
    let comment = app.store.comment(thread, &owner, &name, number, new.author, new.body).await?;
    Ok((StatusCode::CREATED, Json(comment)))
}

async fn list(
    app: &App,
    thread: Thread,
    Path((owner, name, number)): Numbered,
    query: PageQuery,
) -> Result<Json<Listing<Comment>>, AppError> {
    let wanted = app.wanted(&query)?;
    let page = app.store.comments(thread, &owner, &name, number, wanted).await?;
    Ok(Json(app.listing(page)))
}

//! Reactions to issues, pull requests and comments.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::App;
use crate::error::AppError;
use crate::schema::{Emoji, Thread};
use crate::store::Target;

#[derive(Deserialize)]
pub(super) struct NewReaction {
    user: String,
    reaction: Emoji,
}

/// A repository, and a number in it.
type Numbered = Path<(String, String, u32)>;

/// The same, and a comment.
type Commented = Path<(String, String, u32, String)>;

pub(super) async fn to_issue(
    State(app): State<App>,
    Path((owner, name, number)): Numbered,
    Json(new): Json<NewReaction>,
) -> Result<StatusCode, AppError> {
    let thread = Thread::Issue;
    react(&app, Target { owner, name, number, thread, comment_id: None }, new).await
}

pub(super) async fn to_pull(
    State(app): State<App>,
    Path((owner, name, number)): Numbered,
    Json(new): Json<NewReaction>,
) -> Result<StatusCode, AppError> {
    let thread = Thread::PullRequest;
    react(&app, Target { owner, name, number, thread, comment_id: None }, new).await
}

pub(super) async fn to_issue_comment(
    State(app): State<App>,
    Path((owner, name, number, comment)): Commented,
    Json(new): Json<NewReaction>,
) -> Result<StatusCode, AppError> {
    let (thread, comment_id) = (Thread::Issue, Some(comment));
    react(&app, Target { owner, name, number, thread, comment_id }, new).await
}

pub(super) async fn to_pull_comment(
    State(app): State<App>,
    Path((owner, name, number, comment)): Commented,
    Json(new): Json<NewReaction>,
) -> Result<StatusCode, AppError> {
    let (thread, comment_id) = (Thread::PullRequest, Some(comment));
    react(&app, Target { owner, name, number, thread, comment_id }, new).await
}

async fn react(app: &App, target: Target, new: NewReaction) -> Result<StatusCode, AppError> {
    app.store.react(&target, &new.user, new.reaction).await?;
    Ok(StatusCode::CREATED)
}

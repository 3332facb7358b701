//! Repositories, forks and stars.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::{App, Listing, PageQuery};
use crate::error::AppError;
use crate::schema::{Repo, RepoPage, Star};

#[derive(Deserialize)]
pub(super) struct NewRepo {
    owner: String,
    name: String,
}

#[derive(Deserialize)]
pub(super) struct NewFork {
    owner: String,
}

pub(super) async fn create(
    State(app): State<App>,
    Json(new): Json<NewRepo>,
) -> Result<(StatusCode, Json<Repo>), AppError> {
    let repo = app.store.create_repo(&new.owner, &new.name).await?;
    Ok((StatusCode::CREATED, Json(repo)))
}

pub(super) async fn show(
    State(app): State<App>,
    Path((owner, name)): Path<(String, String)>,
) -> Result<Json<RepoPage>, AppError> {
    Ok(Json(app.store.repo_page(&owner, &name).await?))
}

pub(super) async fn fork(
    State(app): State<App>,
    Path((owner, name)): Path<(String, String)>,
    Json(new): Json<NewFork>,
) -> Result<(StatusCode, Json<Repo>), AppError> {
    let fork = app.store.fork(&owner, &name, &new.owner).await?;
    Ok((StatusCode::CREATED, Json(fork)))
}

pub(super) async fn forks(
    State(app): State<App>,
    Path((owner, name)): Path<(String, String)>,
) -> Result<Json<Vec<Repo>>, AppError> {
    Ok(Json(app.store.forks(&owner, &name).await?))
}

pub(super) async fn star(
    State(app): State<App>,
    Path((owner, name, user)): Path<(String, String, String)>,
) -> Result<StatusCode, AppError> {
    app.store.star(&owner, &name, &user).await?;
    Ok(StatusCode::CREATED)
}

pub(super) async fn unstar(
    State(app): State<App>,
    Path((owner, name, user)): Path<(String, String, String)>,
) -> Result<StatusCode, AppError> {
    app.store.unstar(&owner, &name, &user).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn stars(
    State(app): State<App>,
    Path((owner, name)): Path<(String, String)>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Listing<Star>>, AppError> {
    let page = app.store.stars(&owner, &name, app.wanted(&query)?).await?;
    Ok(Json(app.listing(page)))
}

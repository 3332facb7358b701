//! Users and organizations.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::{App, Listing, PageQuery};
use crate::error::AppError;
use crate::schema::{Account, AccountKind, Membership, PaymentPlan, Repo};

#[derive(Deserialize)]
pub(super) struct NewAccount {
    name: String,
    payment_plan: Option<PaymentPlan>,
}

#[derive(Deserialize)]
pub(super) struct NewMember {
    role: String,
}

#[derive(Serialize)]
pub(super) struct AccountPage {
    account: Account,
    repositories: Vec<Repo>,
}

pub(super) async fn create_user(
    State(app): State<App>,
    Json(new): Json<NewAccount>,
) -> Result<(StatusCode, Json<Account>), AppError> {
    create(&app, new, AccountKind::User).await
}

pub(super) async fn create_organization(
    State(app): State<App>,
    Json(new): Json<NewAccount>,
) -> Result<(StatusCode, Json<Account>), AppError> {
    create(&app, new, AccountKind::Organization).await
}

async fn create(
    app: &App,
    new: NewAccount,
    kind: AccountKind,
) -> Result<(StatusCode, Json<Account>), AppError> {
    let account = app.store.create_account(new.name, kind, new.payment_plan).await?;
    Ok((StatusCode::CREATED, Json(account)))
}

pub(super) async fn show(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<AccountPage>, AppError> {
    let (account, repositories) = app.store.account_page(&name).await?;
    Ok(Json(AccountPage { account, repositories }))
}

pub(super) async fn add_member(
    State(app): State<App>,
    Path((organization, user)): Path<(String, String)>,
    Json(new): Json<NewMember>,
) -> Result<StatusCode, AppError> {
    app.store.add_member(&organization, &user, &new.role).await?;
    Ok(StatusCode::CREATED)
}

pub(super) async fn members(
    State(app): State<App>,
    Path(organization): Path<String>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Listing<Membership>>, AppError> {
    let page = app.store.members(&organization, app.wanted(&query)?).await?;
    Ok(Json(app.listing(page)))
}

pub(super) async fn organizations(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<BTreeMap<String, String>>, AppError> {
    Ok(Json(app.store.organizations(&name).await?))
}

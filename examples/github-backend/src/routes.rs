//! The operations over HTTP.

mod accounts;
mod comments;
mod issues;
mod pulls;
mod reactions;
mod repos;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post, put};
use example_web::failure::Failure;
use monotable::db::Page;
use monotable::{Cursor, Pattern};
use serde::{Deserialize, Serialize};

use crate::error::AppError;
use crate::store::{PageRequest, Store};

/// How many rows a page has, unless the request says otherwise, and at most.
const PAGE_ROWS: usize = 25;
const PAGE_ROWS_MAX: usize = 100;

/// What handlers share.
#[derive(Clone)]
pub struct App {
    store: Store,
    /// What cursors are sealed with: a browser may keep them, and cannot make any.
    cursor_secret: Arc<[u8]>,
}

#[derive(Deserialize)]
struct PageQuery {
    limit: Option<usize>,
    after: Option<String>,
}

/// A page as a browser gets it.
#[derive(Serialize)]
struct Listing<T> {
    items: Vec<T>,
    /// For `?after=`; missing on the last page.
    next: Option<String>,
}

impl App {
    /// An application on a store.
    pub fn new(store: Store, cursor_secret: &[u8]) -> App {
        App { store, cursor_secret: Arc::from(cursor_secret) }
    }

    fn wanted<P: Pattern>(&self, query: &PageQuery) -> Result<PageRequest<P>, AppError> {
        let opened = query.after.as_deref().map(|it| Cursor::open(it, &self.cursor_secret));
        let after = opened.transpose().map_err(|_| Failure::BadCursor)?;
        let limit = query.limit.unwrap_or(PAGE_ROWS).clamp(1, PAGE_ROWS_MAX);
        Ok(PageRequest { limit, after })
    }

    fn listing<P: Pattern>(&self, page: Page<P>) -> Listing<P::Row> {
        let next = page.next().map(|cursor| cursor.seal(&self.cursor_secret));
        Listing { items: page.into_rows(), next }
    }
}

/// All routes.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/users", post(accounts::create_user))
        .route("/users/{name}/organizations", get(accounts::organizations))
        .route("/organizations", post(accounts::create_organization))
        .route("/organizations/{name}/members", get(accounts::members))
        .route("/organizations/{name}/members/{user}", put(accounts::add_member))
        .route("/accounts/{name}", get(accounts::show))
        .route("/repos", post(repos::create))
        .nest("/repos/{owner}/{name}", of_repo())
        .with_state(app)
}

/// What there is under a repository.
fn of_repo() -> Router<App> {
    Router::new()
        .route("/", get(repos::show))
        .route("/forks", get(repos::forks).post(repos::fork))
        .route("/stars", get(repos::stars))
        .route("/stars/{user}", put(repos::star).delete(repos::unstar))
        .route("/issues", get(issues::list).post(issues::open))
        .route("/issues/{number}", get(issues::show))
        .route("/issues/{number}/status", put(issues::set_status))
        .route("/issues/{number}/comments", get(comments::of_issue).post(comments::on_issue))
        .route("/issues/{number}/reactions", post(reactions::to_issue))
        .route("/issues/{number}/comments/{comment}/reactions", post(reactions::to_issue_comment))
        .route("/pulls", get(pulls::list).post(pulls::open))
        .route("/pulls/{number}", get(pulls::show))
        .route("/pulls/{number}/status", put(pulls::set_status))
        .route("/pulls/{number}/comments", get(comments::of_pull).post(comments::on_pull))
        .route("/pulls/{number}/reactions", post(reactions::to_pull))
        .route("/pulls/{number}/comments/{comment}/reactions", post(reactions::to_pull_comment))
}

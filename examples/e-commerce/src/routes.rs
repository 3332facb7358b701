//! The operations over HTTP.

mod customers;
mod orders;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post, put};

use crate::store::Store;

/// What handlers share.
#[derive(Clone)]
pub struct App {
    store: Store,
    /// What cursors are sealed with: a browser may keep them, and cannot make any.
    cursor_secret: Arc<[u8]>,
}

impl App {
    /// An application on a store.
    pub fn new(store: Store, cursor_secret: &[u8]) -> App {
        App { store, cursor_secret: Arc::from(cursor_secret) }
    }
}

/// All routes.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/customers", post(customers::create))
        .route("/customers/{username}", get(customers::show).delete(customers::remove))
        .route("/customers/{username}/email", put(customers::change_email))
        .route(
            "/customers/{username}/addresses/{name}",
            put(customers::put_address).delete(customers::remove_address),
        )
        .route("/customers/{username}/orders", get(orders::list).post(orders::place))
        .route("/customers/{username}/orders/{order_id}/status", put(orders::set_status))
        .route("/orders/{order_id}", get(orders::show))
        .with_state(app)
}

//! The service on a database of its own, called without a socket.

use axum::Router;
use axum::http::StatusCode;
use example_e_commerce::routes::{App, router};
use example_e_commerce::schema::Shop;
use example_e_commerce::store::Store;
use example_web::call::call;
use monotable::Table;
use monotable_embedded::Embedded;
use serde_json::Value;

/// A running service.
pub(crate) struct Service {
    router: Router,
    /// Its database, to let time pass or calls fail.
    pub(crate) embedded: Embedded,
}

impl Service {
    pub(crate) async fn start() -> Service {
        let embedded = Embedded::in_memory();
        let store = Store::open(Shop::open("shop", embedded.clone())).await.unwrap();
        Service { router: router(App::new(store, b"a secret")), embedded }
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.call("GET", path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.call("POST", path, Some(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.call("PUT", path, Some(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> (StatusCode, Value) {
        self.call("DELETE", path, None).await
    }

    async fn call(&self, method: &str, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        call(&self.router, method, path, body).await.unwrap()
    }
}

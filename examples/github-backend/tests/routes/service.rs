//! The service on a database of its own, called without a socket.

use std::time::{Duration, SystemTime};

use axum::Router;
use axum::http::StatusCode;
use example_github_backend::routes::{App, router};
use example_github_backend::schema::GitHub;
use example_github_backend::store::Store;
use example_web::call::call;
use monotable::Table;
use monotable_embedded::Embedded;
use serde_json::{Value, json};

/// A running service.
pub(crate) struct Service {
    router: Router,
    /// Its database, to let time pass.
    embedded: Embedded,
}

impl Service {
    /// A service in January, with the users `ada` and `bob` and the repository `ada/web`.
    pub(crate) async fn with_repository() -> Service {
        let service = Service::start().await;
        for name in ["ada", "bob"] {
            service.made("/users", json!({ "name": name })).await;
        }
        service.made("/repos", json!({ "owner": "ada", "name": "web" })).await;
        service
    }

    pub(crate) async fn start() -> Service {
        let january = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_441_600);
        let embedded = Embedded::builder().clock_at(january).in_memory();
        let store = Store::open(GitHub::open("github", embedded.clone())).await.unwrap();
        Service { router: router(App::new(store, b"a secret")), embedded }
    }

    /// What a request makes that must succeed.
    pub(crate) async fn made(&self, path: &str, body: Value) -> Value {
        let (status, made) = self.post(path, body).await;
        assert_eq!(status, StatusCode::CREATED, "{path}: {made}");
        made
    }

    /// Lets a minute pass.
    pub(crate) async fn wait(&self) {
        self.embedded.clock().advance(Duration::from_secs(60)).await.unwrap();
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

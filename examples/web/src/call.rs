//! A service called without a socket.

use anyhow::Result;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

/// Sends a request with or without a JSON body. An answer that is not JSON is null: what axum says
/// of requests that it cannot read is plain text.
pub async fn call(
    router: &Router,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> Result<(StatusCode, Value)> {
    let request = Request::builder().method(method).uri(path);
    let request = match body {
        Some(body) => {
            let request = request.header("content-type", "application/json");
            request.body(Body::from(body.to_string()))?
        }
        None => request.body(Body::empty())?,
    };
    let response = router.clone().oneshot(request).await?;
    let status = response.status();
    let bytes = response.into_body().collect().await?.to_bytes();
    Ok((status, serde_json::from_slice(&bytes).unwrap_or(Value::Null)))
}

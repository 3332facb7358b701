//! A service called without a socket.

use anyhow::Result;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

/// Sends a request with or without a JSON body. An answer without a body is null.
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
    let answer = if bytes.is_empty() { Value::Null } else { serde_json::from_slice(&bytes)? };
    Ok((status, answer))
}

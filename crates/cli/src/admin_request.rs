//! Requests to what DynamoDB does not have: the paths under `/_monotable/`.
//!
//! They are signed as whoever the environment says, and go over TLS where the address says so.

use anyhow::{Context, Result, anyhow};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::header::CONTENT_TYPE;
use hyper::{Method, Request, StatusCode, Uri};
use monotable_remote::{Clock, Identity, Unsigned, http_client_of_environment, innermost};

use crate::system::SystemClock;

/// What a body is said to be.
const MEDIA_TYPE: &str = "application/json";

/// Sends a request and gives its answer, whatever that says. A server without credentials does not
/// look at the signature.
pub(crate) async fn send(method: Method, url: &str, body: String) -> Result<(StatusCode, Bytes)> {
    let address: Uri = url.parse().with_context(|| format!("{url} is not an address"))?;
    let headers = &[("content-type", MEDIA_TYPE)];
    let unsigned =
        Unsigned { method: method.as_str(), address: &address, headers, body: body.as_bytes() };
    let added = Identity::from_environment()?.sign(unsigned, SystemClock.now_millis());
    let request = Request::builder().method(&method).uri(address).header(CONTENT_TYPE, MEDIA_TYPE);
    let request =
        added.into_iter().fold(request, |request, (name, value)| request.header(name, value));
    let request = request.body(Full::new(Bytes::from(body)))?;
    let response = http_client_of_environment()?.request(request).await;
    let response = response.map_err(|error| anyhow!(innermost(&error)))?;
    let status = response.status();
    Ok((status, response.into_body().collect().await?.to_bytes()))
}

//! Calls of the public API.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use hyper::{Request, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::backoff::Backoff;
use crate::clock::Clock;
use crate::error::Error;

/// How long to wait before a call that failed is made again.
const RETRY_FIRST: Duration = Duration::from_millis(50);
const RETRY_LONGEST: Duration = Duration::from_secs(5);

/// Endpoints that do not check signatures still want to see one.
const UNCHECKED_SIGNATURE: &str = "AWS4-HMAC-SHA256 \
    Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0";

/// Which service an operation belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Service {
    Tables,
    Streams,
}

impl Service {
    fn prefix(self) -> &'static str {
        match self {
            Service::Tables => "DynamoDB_20120810",
            Service::Streams => "DynamoDBStreams_20120810",
        }
    }
}

/// An HTTP client that keeps its connections.
pub(crate) type HttpClient = Client<HttpConnector, Full<Bytes>>;

/// A server that speaks the API.
pub struct Endpoint {
    address: Uri,
    client: HttpClient,
    clock: Arc<dyn Clock>,
}

impl Endpoint {
    /// The endpoint at an address such as `http://127.0.0.1:8000`.
    pub fn new(address: &str, clock: Arc<dyn Clock>) -> Result<Endpoint, Error> {
        Ok(Endpoint { address: parse_address(address)?, client: http_client(), clock })
    }

    /// Where the endpoint is.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// Makes a call once.
    pub(crate) async fn call(
        &self,
        service: Service,
        operation: &'static str,
        body: &Value,
    ) -> Result<Value, Error> {
        let request = Request::post(self.address.clone())
            .header("x-amz-target", format!("{}.{operation}", service.prefix()))
            .header(CONTENT_TYPE, "application/x-amz-json-1.0")
            .header(AUTHORIZATION, UNCHECKED_SIGNATURE)
            .body(Full::from(body.to_string()))
            .map_err(|error| self.unreachable(&error))?;
        let response =
            self.client.request(request).await.map_err(|error| self.unreachable(&error))?;
        let status = response.status().as_u16();
        let body =
            response.into_body().collect().await.map_err(|error| self.unreachable(&error))?;
        answer(operation, status, &body.to_bytes())
    }

    /// Makes a call until it is answered. Only what a later call cannot change is an error.
    pub(crate) async fn call_patiently(
        &self,
        service: Service,
        operation: &'static str,
        body: &Value,
    ) -> Result<Value, Error> {
        let mut backoff = Backoff::new(RETRY_FIRST, RETRY_LONGEST);
        let mut is_first = true;
        loop {
            match self.call(service, operation, body).await {
                Err(error) if error.is_transient() => {
                    if std::mem::take(&mut is_first) {
                        tracing::warn!(%error, "trying again until it is answered");
                    }
                    self.clock.sleep(backoff.pause()).await;
                }
                answer => return answer,
            }
        }
    }

    fn unreachable(&self, error: &dyn std::error::Error) -> Error {
        Error::Unreachable { address: self.address(), reason: innermost(error) }
    }
}

pub(crate) fn http_client() -> HttpClient {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    Client::builder(TokioExecutor::new()).build(connector)
}

/// Reads an address that can be called over HTTP.
pub(crate) fn parse_address(text: &str) -> Result<Uri, Error> {
    let invalid = || Error::InvalidAddress { text: text.to_owned() };
    let uri: Uri = text.parse().map_err(|_| invalid())?;
    if uri.scheme_str() != Some("http") || uri.host().is_none_or(str::is_empty) {
        return Err(invalid());
    }
    Ok(uri)
}

/// A request with one more member, if there is a value for it.
pub(crate) fn with(mut request: Value, member: &str, value: Option<Value>) -> Value {
    if let (Some(members), Some(value)) = (request.as_object_mut(), value) {
        members.insert(member.to_owned(), value);
    }
    request
}

/// The cause that says most: HTTP clients wrap it in several that say less.
pub(crate) fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

fn answer(operation: &'static str, status: u16, body: &[u8]) -> Result<Value, Error> {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    if status == 200 {
        return Ok(body);
    }
    let text = |member: &str| body.get(member).and_then(Value::as_str);
    let code = text("__type").and_then(|code| code.rsplit('#').next()).unwrap_or("no error name");
    let message = text("message").or(text("Message")).unwrap_or_default();
    let (code, message) = (code.to_owned(), message.to_owned());
    Err(Error::Refused { operation, status, code, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_http_addresses_can_be_called() {
        assert_eq!(
            parse_address("http://localhost:8000").unwrap().to_string(),
            "http://localhost:8000/"
        );
        for refused in ["", "localhost:8000", "https://example.com", "/path", "http://"] {
            assert!(parse_address(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn an_error_has_the_name_without_its_namespace() {
        let body = br#"{"__type":"com.amazonaws.dynamodb.v20120810#ExpiredIteratorException","message":"m"}"#;
        let error = answer("GetRecords", 400, body).unwrap_err();
        assert!(error.is_refusal("ExpiredIteratorException") && !error.is_transient());
        assert_eq!(error.to_string(), "GetRecords was refused: ExpiredIteratorException: m");
        assert!(answer("GetRecords", 503, b"").unwrap_err().is_transient());
    }
}

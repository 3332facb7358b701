//! Calls of the public API.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::http::request::Builder;
use hyper::{Request, Uri};
use serde_json::Value;

use crate::address::{host_header, parse_address, streams_address};
use crate::backoff::Backoff;
use crate::clock::Clock;
use crate::error::{Error, innermost};
use crate::http::{HttpClient, http_client_of_environment};
use crate::identity::Identity;
use crate::signing::Unsigned;

/// How long to wait before a call that failed is made again.
const RETRY_FIRST: Duration = Duration::from_millis(50);
const RETRY_LONGEST: Duration = Duration::from_secs(5);

/// Endpoints that do not check signatures still want to see one.
const UNCHECKED_SIGNATURE: &str = "AWS4-HMAC-SHA256 \
    Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0";

const MEDIA_TYPE: &str = "application/x-amz-json-1.0";

/// Which service an operation belongs to.
#[derive(Debug, Clone, Copy)]
enum Service {
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

/// A server that speaks the API.
pub struct Endpoint {
    address: Uri,
    identity: Identity,
    client: HttpClient,
    clock: Arc<dyn Clock>,
    attempts_max: Option<u32>,
    /// Whether anything has ever come from there.
    has_answered: AtomicBool,
}

impl Endpoint {
    /// The endpoint at an address such as `http://127.0.0.1:8000` or
    /// `https://dynamodb.eu-west-2.amazonaws.com`.
    pub fn new(
        address: &str,
        identity: Identity,
        clock: Arc<dyn Clock>,
    ) -> Result<Endpoint, Error> {
        let (address, client) = (parse_address(address)?, http_client_of_environment()?);
        let has_answered = AtomicBool::new(false);
        Ok(Endpoint { address, identity, client, clock, attempts_max: None, has_answered })
    }

    /// The same endpoint, whose patience ends after this many attempts of a call; or at once, if
    /// nothing has ever come from there: then it is probably not there.
    pub fn with_attempts_max(self, attempts_max: u32) -> Endpoint {
        Endpoint { attempts_max: Some(attempts_max), ..self }
    }

    /// Where the endpoint is.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// The clock by which calls wait.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// Makes a call once.
    pub async fn call(&self, operation: &str, body: &Value) -> Result<Value, Error> {
        self.send(Service::Tables, operation, body).await
    }

    /// Makes a call until it is answered. Only what a later call cannot change is an error.
    pub async fn call_patiently(&self, operation: &str, body: &Value) -> Result<Value, Error> {
        self.send_patiently(Service::Tables, operation, body).await
    }

    /// Makes a call to the service of streams until it is answered.
    pub async fn call_streams_patiently(
        &self,
        operation: &str,
        body: &Value,
    ) -> Result<Value, Error> {
        self.send_patiently(Service::Streams, operation, body).await
    }

    async fn send_patiently(
        &self,
        service: Service,
        operation: &str,
        body: &Value,
    ) -> Result<Value, Error> {
        let mut backoff = Backoff::new(RETRY_FIRST, RETRY_LONGEST);
        let mut attempts = 0u32;
        loop {
            attempts = attempts.saturating_add(1);
            match self.send(service, operation, body).await {
                Err(error) if error.is_transient() && self.goes_on_after(attempts) => {
                    if attempts == 1 {
                        tracing::warn!(%error, "trying again until it is answered");
                    }
                    self.clock.sleep(backoff.pause()).await;
                }
                answer => return answer,
            }
        }
    }

    fn goes_on_after(&self, attempts: u32) -> bool {
        let has_answered = self.has_answered.load(Ordering::Relaxed);
        self.attempts_max.is_none_or(|max| has_answered && attempts < max)
    }

    async fn send(&self, service: Service, operation: &str, body: &Value) -> Result<Value, Error> {
        let address = match service {
            Service::Tables => self.address.clone(),
            Service::Streams => streams_address(&self.address),
        };
        let target = format!("{}.{operation}", service.prefix());
        let body = body.to_string();
        let request = self
            .headed(&address, &target, body.as_bytes())
            .body(Full::from(body))
            .map_err(|error| self.unreachable(&error))?;
        let response =
            self.client.request(request).await.map_err(|error| self.unreachable(&error))?;
        self.has_answered.store(true, Ordering::Relaxed);
        let status = response.status().as_u16();
        let body =
            response.into_body().collect().await.map_err(|error| self.unreachable(&error))?;
        read_answer(operation, status, &body.to_bytes())
    }

    /// A request with its headers, signed as far as there is something to sign with.
    fn headed(&self, address: &Uri, target: &str, body: &[u8]) -> Builder {
        let request = Request::post(address.clone())
            .header(HOST, host_header(address))
            .header("x-amz-target", target)
            .header(CONTENT_TYPE, MEDIA_TYPE);
        if self.identity.credentials.is_none() {
            return request.header(AUTHORIZATION, UNCHECKED_SIGNATURE);
        }
        let headers = &[("content-type", MEDIA_TYPE), ("x-amz-target", target)];
        let unsigned = Unsigned { method: "POST", address, headers, body };
        let added = self.identity.sign(unsigned, self.clock.now_millis());
        added.into_iter().fold(request, |request, (name, value)| request.header(name, value))
    }

    fn unreachable(&self, error: &dyn std::error::Error) -> Error {
        Error::Unreachable { address: self.address(), reason: innermost(error) }
    }
}

/// Reads an answer to an operation: its content, or the error that it says.
pub fn read_answer(operation: &str, status: u16, body: &[u8]) -> Result<Value, Error> {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    if status == 200 {
        return Ok(body);
    }
    let text = |member: &str| body.get(member).and_then(Value::as_str);
    let code = text("__type").and_then(|code| code.rsplit('#').next()).unwrap_or("no error name");
    let message = text("message").or(text("Message")).unwrap_or_default();
    let (code, message) = (code.to_owned(), message.to_owned());
    let (operation, body) = (operation.to_owned(), Box::new(body));
    Err(Error::Refused { operation, status, code, message, body })
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::Pin;

    use hyper::header::HeaderMap;

    use super::*;
    use crate::identity::Credentials;

    /// A clock that stands at the moment of AWS's test suite for signatures.
    struct StillClock;

    impl Clock for StillClock {
        fn now_millis(&self) -> u64 {
            1_440_938_160_000
        }

        fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
            Box::pin(std::future::ready(()))
        }
    }

    fn headers(address: &str, identity: Identity) -> HeaderMap {
        let endpoint = Endpoint::new(address, identity, Arc::new(StillClock)).unwrap();
        let request = endpoint.headed(&endpoint.address, "DynamoDB_20120810.ListTables", b"{}");
        request.body(()).unwrap().headers().clone()
    }

    fn somebody() -> Identity {
        let credentials = Credentials {
            access_key_id: "AKIDEXAMPLE".to_owned(),
            secret_access_key: "secret".to_owned(),
            session_token: Some("token".to_owned()),
        };
        Identity { credentials: Some(credentials), region: Some("eu-central-1".to_owned()) }
    }

    #[test]
    fn with_credentials_requests_are_signed_for_the_region_of_the_address() {
        let headers = headers("https://dynamodb.eu-west-2.amazonaws.com", somebody());
        let authorization = headers["authorization"].to_str().unwrap();
        assert!(
            authorization.starts_with(
                "AWS4-HMAC-SHA256 \
                 Credential=AKIDEXAMPLE/20150830/eu-west-2/dynamodb/aws4_request, \
                 SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "
            ),
            "{authorization}"
        );
        assert_eq!(headers["x-amz-date"], "20150830T123600Z");
        assert_eq!(headers["x-amz-security-token"], "token");
        assert_eq!(headers["host"], "dynamodb.eu-west-2.amazonaws.com");
    }

    #[test]
    fn elsewhere_the_region_is_that_of_the_environment() {
        let headers = headers("http://localhost:8000", somebody());
        let authorization = headers["authorization"].to_str().unwrap();
        assert!(authorization.contains("/eu-central-1/dynamodb/"), "{authorization}");
    }

    #[test]
    fn without_credentials_there_is_a_signature_that_is_not_checked() {
        let headers = headers("http://localhost:8000", Identity::anonymous());
        assert_eq!(headers["authorization"], UNCHECKED_SIGNATURE);
        assert!(!headers.contains_key("x-amz-security-token"));
    }

    #[test]
    fn an_error_has_the_name_without_its_namespace() {
        let body = br#"{"__type":"com.amazonaws.dynamodb.v20120810#ExpiredIteratorException","message":"m"}"#;
        let error = read_answer("GetRecords", 400, body).unwrap_err();
        assert!(error.is_refusal("ExpiredIteratorException") && !error.is_transient());
        assert_eq!(error.to_string(), "GetRecords was refused: ExpiredIteratorException: m");
        assert!(read_answer("GetRecords", 503, b"").unwrap_err().is_transient());
    }

    #[test]
    fn patience_ends_after_the_attempts_that_are_allowed() {
        let endpoint = Endpoint::new("http://h", Identity::anonymous(), Arc::new(StillClock));
        let endpoint = endpoint.unwrap();
        assert!(endpoint.goes_on_after(1000));
        let endpoint = endpoint.with_attempts_max(3);
        assert!(!endpoint.goes_on_after(1));
        endpoint.has_answered.store(true, Ordering::Relaxed);
        assert!(endpoint.goes_on_after(2) && !endpoint.goes_on_after(3));
    }

    #[tokio::test]
    async fn patience_with_an_endpoint_that_never_answered_ends_at_once() {
        // Nobody listens on port 1 of the loopback address.
        let endpoint =
            Endpoint::new("http://127.0.0.1:1", Identity::anonymous(), Arc::new(StillClock));
        let endpoint = endpoint.unwrap().with_attempts_max(3);
        let answer = endpoint.call_patiently("ListTables", &Value::Null).await;
        assert!(matches!(answer, Err(Error::Unreachable { .. })), "{answer:?}");
    }
}

//! A client for raw DynamoDB requests: JSON in, JSON out, nothing checked and nothing retried.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::http::Connection;

/// A signature of the right form. Servers that verify signatures refuse it.
const AUTHORIZATION: &str = "AWS4-HMAC-SHA256 \
    Credential=conformance/20260101/us-east-1/dynamodb/aws4_request, \
    SignedHeaders=content-type;host;x-amz-date;x-amz-target, \
    Signature=0000000000000000000000000000000000000000000000000000000000000000";

/// The operations of the other service, which reads streams. Their names are in no other service,
/// so the name of an operation says where it goes.
const STREAM_OPERATIONS: &[&str] =
    &["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];

/// A client with one connection, opened when it is first needed and again after an error.
#[derive(Debug)]
pub struct Client {
    endpoint: String,
    timeout: Option<Duration>,
    connection: Option<Connection>,
}

/// How the service answered a request.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Status 200 and the response.
    Success(Value),
    /// Any other status, with the error that the body describes.
    Failure(ServiceError),
}

/// An error as the service words it.
#[derive(Clone, Debug)]
pub struct ServiceError {
    /// The name of the error without its name space, such as `ValidationException`.
    pub code: String,
    /// The whole body.
    pub body: Value,
}

impl ServiceError {
    /// The codes of the cancellation reasons, in the order of the actions; empty for other errors.
    pub fn reasons(&self) -> Vec<&str> {
        let reasons = self.body.get("CancellationReasons").and_then(Value::as_array);
        let codes = reasons.into_iter().flatten().map(|reason| reason.get("Code"));
        codes.map(|code| code.and_then(Value::as_str).unwrap_or_default()).collect()
    }
}

impl Client {
    /// A client of an endpoint such as `http://127.0.0.1:8000`.
    pub fn new(endpoint: &str) -> Self {
        Self { endpoint: endpoint.to_owned(), timeout: None, connection: None }
    }

    /// A client that waits for each answer for so long.
    pub fn with_timeout(endpoint: &str, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..Self::new(endpoint) }
    }

    /// Connects unless it has, so that a call which fails after this may have been sent.
    pub fn connect(&mut self) -> Result<()> {
        if self.connection.is_none() {
            self.connection = Some(self.open()?);
        }
        Ok(())
    }

    fn open(&self) -> Result<Connection> {
        let connection = Connection::open(&self.endpoint)?;
        connection.set_timeout(self.timeout)?;
        Ok(connection)
    }

    /// Sends one request, and fails only if there is no answer of DynamoDB's form.
    pub fn call(&mut self, operation: &str, request: &Value) -> Result<Outcome> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.open()?,
        };
        let headers = headers(operation);
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let answer = connection.post(&headers, request.to_string().as_bytes())?;
        let body: Value = serde_json::from_slice(&answer.body)
            .with_context(|| format!("the answer to {operation} is not JSON"))?;
        self.connection = (!answer.closes_connection()).then_some(connection);
        Ok(if answer.status == 200 { Outcome::Success(body) } else { failure(body) })
    }

    /// Sends a request that must succeed, and returns the response.
    pub fn must(&mut self, operation: &str, request: &Value) -> Result<Value> {
        match self.call(operation, request)? {
            Outcome::Success(response) => Ok(response),
            Outcome::Failure(error) => bail!("{operation} {request} failed: {}", error.body),
        }
    }
}

/// The headers of a request that calls an operation, with a signature that nobody verifies.
pub(crate) fn headers(operation: &str) -> [(&'static str, String); 4] {
    let [content_type, target] = unsigned_headers(operation);
    let date = ("x-amz-date", "20260101T000000Z".to_owned());
    [content_type, target, date, ("authorization", AUTHORIZATION.to_owned())]
}

/// The headers that say what a request calls.
pub(crate) fn unsigned_headers(operation: &str) -> [(&'static str, String); 2] {
    [("content-type", "application/x-amz-json-1.0".to_owned()), ("x-amz-target", target(operation))]
}

fn target(operation: &str) -> String {
    let streams = STREAM_OPERATIONS.contains(&operation);
    let service = if streams { "DynamoDBStreams_20120810" } else { "DynamoDB_20120810" };
    format!("{service}.{operation}")
}

fn failure(body: Value) -> Outcome {
    let name = body.get("__type").and_then(Value::as_str).unwrap_or_default();
    let code = name.rsplit('#').next().unwrap_or(name).to_owned();
    Outcome::Failure(ServiceError { code, body })
}

//! What `GET` answers: DynamoDB's health text, and our own under `/_monotable/`.

use bytes::Bytes;
use hyper::Response;
use hyper::header::{CONTENT_TYPE, HeaderValue};

use crate::response::{self, AnswerBody};

/// Where everything that DynamoDB does not have begins.
const ADMIN_PREFIX: &str = "/_monotable/";
const ADMIN_HEALTH: &str = "/_monotable/health";
const ADMIN_HEALTH_BODY: &str =
    concat!(r#"{"status":"ok","version":""#, env!("CARGO_PKG_VERSION"), r#""}"#);

/// Answers `GET`.
#[derive(Debug)]
pub(crate) struct Health {
    text: Bytes,
}

impl Health {
    /// The health of a server that stands for a region.
    pub(crate) fn new(region: &str) -> Health {
        // The text ends with a space on AWS too.
        Health { text: Bytes::from(format!("healthy: dynamodb.{region}.amazonaws.com ")) }
    }

    /// The answer to a `GET`. DynamoDB gives the same one on all paths.
    pub(crate) fn answer(&self, path: &str) -> Response<AnswerBody> {
        if path == ADMIN_HEALTH {
            return admin_health();
        }
        if path.starts_with(ADMIN_PREFIX) {
            return response::unknown_operation();
        }
        response::ok_with(self.text.clone())
    }
}

fn admin_health() -> Response<AnswerBody> {
    let mut response = response::ok_with(Bytes::from_static(ADMIN_HEALTH_BODY.as_bytes()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

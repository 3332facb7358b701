//! What `GET` answers: DynamoDB's health text.

use bytes::Bytes;
use hyper::Response;

use crate::response::{self, AnswerBody};

/// Answers `GET`.
#[derive(Debug)]
pub(crate) struct HealthText {
    text: Bytes,
}

impl HealthText {
    /// The text of a server that stands for a region.
    pub(crate) fn new(region: &str) -> HealthText {
        // The text ends with a space on AWS too.
        HealthText { text: Bytes::from(format!("healthy: dynamodb.{region}.amazonaws.com ")) }
    }

    /// The answer to a `GET`. A health check that asks for another path than these is not answered
    /// as if all were well.
    pub(crate) fn answer(&self, path: &str) -> Response<AnswerBody> {
        match path {
            "/" | "/ping" => response::ok_with(self.text.clone()),
            _ => response::unknown_operation(),
        }
    }
}

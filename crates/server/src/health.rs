//! What `GET` answers: DynamoDB's health text.

use bytes::Bytes;
use hyper::Response;

use crate::response::{self, AnswerBody};

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
    pub(crate) fn answer(&self) -> Response<AnswerBody> {
        response::ok_with(self.text.clone())
    }
}

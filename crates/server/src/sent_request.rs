//! A request whose body has arrived.

use bytes::Bytes;
use hyper::http::request::Parts;
use monotable_sigv4::Request;

use crate::authentication::HeaderMapWithHost;
use crate::call_headers::CallHeaders;
use crate::memory::Hold;
use crate::request::{BodyError, RequestBody};

/// See the module.
pub(crate) struct SentRequest<'a> {
    pub(crate) head: &'a Parts,
    pub(crate) headers: &'a CallHeaders<'a>,
    body: RequestBody<'a>,
    signed_headers: HeaderMapWithHost<'a>,
}

impl<'a> SentRequest<'a> {
    pub(crate) fn new(
        head: &'a Parts,
        headers: &'a CallHeaders<'a>,
        body: RequestBody<'a>,
    ) -> SentRequest<'a> {
        SentRequest { head, headers, body, signed_headers: HeaderMapWithHost::from(head) }
    }

    /// The body as it was sent.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.body.bytes
    }

    /// What a signature is about.
    pub(crate) fn signed(&self) -> Request<'_, HeaderMapWithHost<'a>> {
        Request {
            method: self.head.method.as_str(),
            path: self.head.uri.path(),
            query: self.head.uri.query().unwrap_or_default(),
            headers: &self.signed_headers,
            body: &self.body.bytes,
        }
    }

    /// The body as it was sent, and what holds its memory.
    pub(crate) fn into_sent(self) -> (Bytes, Hold) {
        self.body.settle()
    }

    /// The body as it is meant, and what holds its memory.
    pub(crate) async fn inflated(self) -> Result<(Bytes, Hold), BodyError> {
        self.body.inflate(self.headers).await
    }
}

//! A call, whichever way it came, and what it is answered with.

use hyper::StatusCode;

use crate::call_headers::CallHeaders;
use crate::content_encoding;
use crate::decimal::Decimal;
use crate::handler::Answer;
use crate::media_type::MediaType;
use crate::memory::Hold;

/// The CRC-32 of the body's bytes as they are sent, which SDKs compare.
pub(crate) const X_AMZ_CRC32: &str = "x-amz-crc32";

/// A request that is a call.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// The name of the operation; empty where DynamoDB sees none.
    pub(crate) target: &'a str,
    /// How the client names JSON.
    pub(crate) media_type: MediaType,
    /// The value of `traceparent`, by which clients say what the call is part of.
    pub(crate) trace_parent: Option<&'a [u8]>,
    /// Whether the answer may be compressed.
    pub(crate) accepts_gzip: bool,
    /// The value of `Host`, by which the client calls the server.
    pub(crate) host: Option<&'a [u8]>,
    /// The JSON text.
    pub(crate) body: &'a [u8],
}

impl<'a> Call<'a> {
    /// The call that a `POST` is, or none if its media type is not one that the API takes.
    pub(crate) fn new(headers: &CallHeaders<'a>, body: &'a [u8]) -> Option<Call<'a>> {
        let media_type = MediaType::of(headers.content_type, body)?;
        let CallHeaders { accepts_gzip, trace_parent, host, .. } = *headers;
        let target = headers.target();
        Some(Call { target, media_type, trace_parent, accepts_gzip, host, body })
    }
}

/// The answer to a call, in the media type of its request and compressed if the client wants that.
#[derive(Debug)]
pub(crate) struct CallAnswer {
    pub(crate) status: StatusCode,
    media_type: MediaType,
    is_compressed: bool,
    pub(crate) body: Vec<u8>,
    /// Its memory, if that is counted.
    pub(crate) hold: Option<Hold>,
}

impl CallAnswer {
    /// What a call is told.
    pub(crate) fn new(answer: Answer, call: &Call<'_>) -> CallAnswer {
        let Answer { status, body } = answer;
        let compressed = if call.accepts_gzip { content_encoding::deflate(&body) } else { None };
        CallAnswer {
            status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            media_type: call.media_type,
            is_compressed: compressed.is_some(),
            body: compressed.unwrap_or(body),
            hold: None,
        }
    }

    /// Names the headers that are its own, in the order in which they are sent.
    pub(crate) fn for_each_header(&self, mut header: impl FnMut(&'static str, &[u8])) {
        if !self.body.is_empty() {
            let checksum = crc32fast::hash(&self.body);
            header(X_AMZ_CRC32, Decimal::new(checksum.into()).digits());
        }
        header("content-type", self.media_type.as_str().as_bytes());
        if self.is_compressed {
            header("content-encoding", content_encoding::GZIP.as_bytes());
        }
    }
}

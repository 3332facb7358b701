//! Answers as they leave: status, checksum, media type and bytes.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use crate::activity::UnderWay;
use crate::call::{CallAnswer, X_AMZ_CRC32};
use crate::handler::Answer;
use crate::media_type::MediaType;
use crate::memory::Hold;
use crate::request::BodyError;

/// What DynamoDB says to a request that is no call at all.
const UNKNOWN_OPERATION: &[u8] = b"<UnknownOperationException/>\n";

/// The body of an answer: one piece, of known length but for [`AnswerBody::UnsizedNothing`].
#[derive(Debug)]
pub(crate) enum AnswerBody {
    /// All bytes, or none once they have been taken.
    Sized(Bytes),
    /// No bytes, which only turns out when the end is reached.
    UnsizedNothing,
}

/// The bytes of an answer, with what is over when they have been sent.
struct Sent {
    bytes: Bytes,
    _under_way: UnderWay,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The bytes of an answer, with their memory.
struct Held {
    bytes: Vec<u8>,
    _hold: Hold,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AnswerBody {
    /// Has the request count as under way until all bytes have been sent, or never will be.
    pub(crate) fn keep_until_sent(&mut self, under_way: UnderWay) {
        if let AnswerBody::Sized(bytes) = self
            && !bytes.is_empty()
        {
            let sent = Sent { bytes: std::mem::take(bytes), _under_way: under_way };
            *bytes = Bytes::from_owner(sent);
        }
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut *self {
            AnswerBody::Sized(bytes) if !bytes.is_empty() => {
                Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes)))))
            }
            AnswerBody::Sized(_) | AnswerBody::UnsizedNothing => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, AnswerBody::Sized(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            AnswerBody::Sized(bytes) => SizeHint::with_exact(bytes.len() as u64),
            AnswerBody::UnsizedNothing => SizeHint::default(),
        }
    }
}

impl From<CallAnswer> for Response<AnswerBody> {
    fn from(answer: CallAnswer) -> Response<AnswerBody> {
        let mut headers = HeaderMap::new();
        answer.for_each_header(|name, value| insert(&mut headers, name, value));
        let bytes = match answer.hold {
            Some(hold) => Bytes::from_owner(Held { bytes: answer.body, _hold: hold }),
            None => Bytes::from(answer.body),
        };
        let mut response = Response::new(AnswerBody::Sized(bytes));
        *response.status_mut() = answer.status;
        *response.headers_mut() = headers;
        response
    }
}

/// Adds a header whose value was made here.
pub(crate) fn insert(headers: &mut HeaderMap, name: &'static str, value: &[u8]) {
    let value = HeaderValue::from_bytes(value).expect("our own headers are text");
    headers.insert(HeaderName::from_static(name), value);
}

/// An answer with these bytes and their checksum.
pub(crate) fn ok_with(body: Bytes) -> Response<AnswerBody> {
    let checksum = (!body.is_empty()).then(|| crc32fast::hash(&body));
    let mut response = Response::new(AnswerBody::Sized(body));
    if let Some(checksum) = checksum {
        response.headers_mut().insert(X_AMZ_CRC32, HeaderValue::from(checksum));
    }
    response
}

/// The answer to what is neither a call nor a `GET`.
pub(crate) fn unknown_operation() -> Response<AnswerBody> {
    let mut response = ok_with(Bytes::from_static(UNKNOWN_OPERATION));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// What a client is told that has to come back later.
pub(crate) fn of_busy(answer: Answer) -> Response<AnswerBody> {
    let mut response = ok_with(Bytes::from(answer.body));
    *response.status_mut() =
        StatusCode::from_u16(answer.status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    let media_type = HeaderValue::from_static(MediaType::AmazonJson.as_str());
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}

/// The same answer, after which the connection is closed.
pub(crate) fn last(mut response: Response<AnswerBody>) -> Response<AnswerBody> {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The answer to a request whose body was not read to its end. The rest of the body may still be on
/// its way, so the connection is of no further use.
pub(crate) fn of_body_error(error: &BodyError) -> Response<AnswerBody> {
    let (status, body) = match error {
        // DynamoDB sends this one in chunks, although there is nothing to send.
        BodyError::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, AnswerBody::UnsizedNothing),
        BodyError::NoRoom(_) => (StatusCode::SERVICE_UNAVAILABLE, AnswerBody::Sized(Bytes::new())),
        BodyError::Broken(_) => (StatusCode::BAD_REQUEST, AnswerBody::Sized(Bytes::new())),
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    last(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checksum(response: &Response<AnswerBody>) -> &str {
        response.headers()[X_AMZ_CRC32].to_str().unwrap()
    }

    #[test]
    fn checksums_are_those_that_aws_sends() {
        assert_eq!(checksum(&unknown_operation()), "3552371480");
        let healthy = Bytes::from("healthy: dynamodb.us-east-1.amazonaws.com ");
        assert_eq!(checksum(&ok_with(healthy)), "3128867991");
    }
}

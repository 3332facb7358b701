//! Answers as they leave: status, checksum, media type and bytes.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{CONNECTION, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use crate::call::{CallAnswer, X_AMZ_CRC32};
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
        let mut response = Response::new(AnswerBody::Sized(Bytes::from(answer.body)));
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

/// The answer to a request whose body was not read to its end. The rest of the body may still be on
/// its way, so the connection is of no further use.
pub(crate) fn of_body_error(error: &BodyError) -> Response<AnswerBody> {
    let (status, body) = match error {
        // DynamoDB sends this one in chunks, although there is nothing to send.
        BodyError::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, AnswerBody::UnsizedNothing),
        BodyError::Broken(_) => (StatusCode::BAD_REQUEST, AnswerBody::Sized(Bytes::new())),
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
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

//! What browsers are told about pages that may use the server: DynamoDB's headers, for the origins
//! that were [let in](crate::access).

use bytes::Bytes;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, HeaderMap, HeaderValue, VARY,
};
use hyper::http::request::Parts;
use hyper::{Method, Response};

use crate::access::Grant;
use crate::response::{self, AnswerBody};

/// How long a browser may remember the answer to its question, in seconds: two days.
const MAX_AGE_SECS: &str = "172800";
/// The headers of an answer that a page may read, as AWS lists them. The checksum is not among
/// them: browsers inflate answers before a page could check it.
const EXPOSED: &str = "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date";

/// The answer to a browser that asks whether a page may send a request. None if this is not that.
pub(crate) fn preflight(head: &Parts, grant: &Grant) -> Option<Response<AnswerBody>> {
    let is_of_page = matches!(grant, Grant::Origin(_) | Grant::Everyone);
    if head.method != Method::OPTIONS || !is_of_page {
        return None;
    }
    let mut response = response::ok_with(Bytes::new());
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE_SECS));
    if let Some(asked) = head.headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    if let Some(asked) = head.headers.get(ACCESS_CONTROL_REQUEST_METHOD) {
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, asked.clone());
    }
    Some(response)
}

/// Lets the page that asked read the answer, whatever it is.
pub(crate) fn mark(headers: &mut HeaderMap, grant: &Grant) {
    match grant {
        Grant::Nothing | Grant::Status => return,
        Grant::Everyone => {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        }
        Grant::Origin(origin) => {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            // What is granted to one page must not be taken from a cache for another.
            headers.insert(VARY, HeaderValue::from_static("Origin"));
        }
    }
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
}

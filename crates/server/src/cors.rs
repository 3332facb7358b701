//! Browsers: DynamoDB lets pages of every origin call it, as credentials are what protects it.

use bytes::Bytes;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, HeaderValue, ORIGIN,
};
use hyper::http::request::Parts;
use hyper::{Method, Response};

use crate::response::{self, AnswerBody};

/// How long a browser may remember the answer to its question, in seconds: two days.
const MAX_AGE_SECS: &str = "172800";

/// The answer to a browser that asks whether a page may send a request. None if this is not that.
pub(crate) fn preflight(head: &Parts) -> Option<Response<AnswerBody>> {
    if head.method != Method::OPTIONS || !head.headers.contains_key(ORIGIN) {
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

//! The head of an answer: status and headers.

use hyper::StatusCode;

use crate::call::CallAnswer;
use crate::decimal::Decimal;
use crate::request_id::{RequestId, X_AMZN_REQUEST_ID};

/// What is in the head of an answer besides what the answer says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances<'a> {
    pub(super) request_id: RequestId,
    /// Whether the connection is closed after it.
    pub(super) is_last: bool,
    /// The time.
    pub(super) date: &'a str,
}

/// Writes the head of an answer, as [`crate::full`] would: name for name, in the same order.
pub(super) fn write_head(
    head: &mut Vec<u8>,
    answer: &CallAnswer,
    circumstances: &Circumstances<'_>,
) {
    let Circumstances { request_id, is_last, date } = circumstances;
    write_status(head, answer.status);
    answer.for_each_header(|name, value| write_header(head, name, value));
    write_header(head, X_AMZN_REQUEST_ID, &request_id.characters());
    if *is_last {
        write_header(head, "connection", b"close");
    }
    let length = Decimal::new(answer.body.len() as u64);
    write_header(head, "content-length", length.digits());
    write_header(head, "date", date.as_bytes());
    head.extend_from_slice(b"\r\n");
}

fn write_status(head: &mut Vec<u8>, status: StatusCode) {
    if status == StatusCode::OK {
        return head.extend_from_slice(b"HTTP/1.1 200 OK\r\n");
    }
    let reason = status.canonical_reason().unwrap_or("<none>");
    for part in ["HTTP/1.1 ", status.as_str(), " ", reason, "\r\n"] {
        head.extend_from_slice(part.as_bytes());
    }
}

fn write_header(head: &mut Vec<u8>, name: &str, value: &[u8]) {
    head.extend_from_slice(name.as_bytes());
    head.extend_from_slice(b": ");
    head.extend_from_slice(value);
    head.extend_from_slice(b"\r\n");
}

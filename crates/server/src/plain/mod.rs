//! Plain requests: those that SDKs send, and nothing else of HTTP.
//!
//! HTTP has room for much that a database is never sent. A general implementation makes a map of
//! every request's headers, a stream of its body, and passes both from task to task, which costs
//! more than a GetItem. So the requests that are plainly of the usual form are read and answered
//! here, from one buffer into another: `POST /` in HTTP/1.1, with one `Content-Length` and a body
//! that is not compressed, from a program and not from a page in a browser, to a name of the
//! server.
//!
//! Everything else is handed over to [`crate::full`], with the bytes that have arrived. It decides
//! what they mean, and it alone refuses anything: nothing is judged twice, and nothing here has to
//! be right about the corners of HTTP, but only sure that it is not in one. A connection that was
//! handed over stays there.
//!
//! ```text
//! bytes ─► arrival ──── plain request ──► exchange ─► answer_head ─► bytes
//!             │
//!             └── anything else ─► hand over, with all bytes from its first on
//! ```

mod answer_head;
mod arrival;
mod date;
mod dialogue;

pub(crate) use dialogue::{End, serve};

//! HTTP for the API: listener, limits, checksums, shutdown.
//!
//! This crate moves bytes between sockets and a [`Handler`], and knows nothing of tables and items.
//! What a request goes through, in reading order:
//!
//! 1. [`Listener`] accepts the connection, or refuses it when there are too many.
//! 2. `connection` speaks HTTP/1.1 or HTTP/2 on it, and gives up on clients that stall.
//! 3. `exchange` makes one answer of one request, with every check in DynamoDB's order. `request`
//!    reads the body into one buffer, `content_encoding` inflates it, and `cors`, `admin` and
//!    `health` answer what is not a call.
//! 4. [`Handler`] answers the call. It runs on the task of the connection, so that a read that needs
//!    no disk never changes threads.
//! 5. A [`Recorder`], if there is one, gets the call and its answer.
//! 6. `response` frames the answer: its checksum, media type and request id.
//!
//! There are no credentials yet, so [`Listener::bind`] takes loopback addresses only.

mod activity;
mod admin;
mod api_handler;
mod connection;
mod content_encoding;
mod cors;
mod error;
mod exchange;
mod handler;
mod health;
mod limits;
mod listener;
mod media_type;
mod panic_guard;
mod recorder;
mod refusal;
mod request;
mod request_id;
mod response;
mod server;

pub use admin::DatabaseClock;
pub use error::BindError;
pub use handler::{Answer, Handler};
pub use limits::{
    BODY_BYTES_MAX, CONNECTIONS_MAX, DRAIN_TIMEOUT, HEADER_BYTES_MAX, Limits, STALL_TIMEOUT,
};
pub use listener::Listener;
pub use recorder::{RecordedCall, Recorder};
pub use server::{Options, Server};

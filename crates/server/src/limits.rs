//! What a client may take of the server: bytes, connections and time.

use std::time::Duration;

/// Bytes of a request's body, as sent and after inflating. A body of this size passes; DynamoDB
/// answers one byte more with 413.
pub const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Bytes of a request's line and headers. A longer one is answered with 431.
pub const HEADER_BYTES_MAX: usize = 64 * 1024;

/// Bytes of a body over [`BODY_BYTES_MAX`] that are read and thrown away, so that a client which
/// writes its whole request before it reads can still see the 413.
pub(crate) const DISCARD_BYTES_MAX: usize = 4 * BODY_BYTES_MAX;

/// Requests that one HTTP/2 connection may have under way.
pub(crate) const STREAMS_MAX: u32 = 256;

/// Connections that are told at the same time that there are too many; others are just closed.
pub(crate) const REFUSALS_MAX: usize = 64;

/// How long a refused client may take to read why.
pub(crate) const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);

/// How long to wait before accepting again when the process has run out of something, such as file
/// descriptors.
pub(crate) const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// The default of [`Limits::connections_max`].
pub const CONNECTIONS_MAX: usize = 10_000;

/// The default of [`Limits::stall_timeout`].
pub const STALL_TIMEOUT: Duration = Duration::from_secs(60);

/// The default of [`Limits::drain_timeout`].
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(30);

/// The limits that an operator may choose.
#[derive(Debug, Clone)]
pub struct Limits {
    /// How many connections may be open.
    pub connections_max: usize,
    /// How long a connection may go without sending a whole request while nothing of it is being
    /// worked on. It covers a client that never speaks, that sends its headers or its body drop by
    /// drop, that does not read its answer, and one that keeps an idle connection.
    pub stall_timeout: Duration,
    /// How long requests in flight may take when the server stops.
    pub drain_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections_max: CONNECTIONS_MAX,
            stall_timeout: STALL_TIMEOUT,
            drain_timeout: DRAIN_TIMEOUT,
        }
    }
}

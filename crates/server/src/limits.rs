//! What a client may take of the server: bytes, connections, requests and time.

use std::time::Duration;

/// Bytes of a request's body, as sent and after inflating. A body of this size passes; DynamoDB
/// answers one byte more with 413.
pub const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The default of [`Limits::header_bytes_max`].
pub const HEADER_BYTES_MAX: usize = 64 * 1024;

/// The least that [`Limits::header_bytes_max`] can be: requests of SDKs are read with this much
/// room for their headers.
pub const HEADER_BYTES_MIN: usize = 16 * 1024;

/// Bytes of a body over [`BODY_BYTES_MAX`] that are read and thrown away, so that a client which
/// writes its whole request before it reads can still see the 413.
pub(crate) const DISCARD_BYTES_MAX: usize = 4 * BODY_BYTES_MAX;

/// How long to wait for more of a body that is thrown away before the client is answered.
pub(crate) const DISCARD_PATIENCE: Duration = Duration::from_millis(500);

/// Requests that one HTTP/2 connection may have under way.
pub(crate) const STREAMS_MAX: u32 = 64;

/// Requests of one HTTP/2 connection that may be called off before the server has seen them. One
/// more, and the connection is closed: that many are meant to keep the server busy.
pub(crate) const RESETS_MAX: usize = 20;

/// Mistakes of one HTTP/2 connection that are answered by calling a request off, before the
/// connection is closed. A client may open more requests than it may have before it has heard how
/// many those are, and everything that it sends of the others counts.
pub(crate) const MISTAKES_MAX: usize = 1024;

/// Bytes that an HTTP/2 client may send of one body before the server has taken them.
pub(crate) const STREAM_WINDOW_BYTES: u32 = 64 * 1024;

/// Bytes that an HTTP/2 client may send of all bodies before the server has taken them.
pub(crate) const CONNECTION_WINDOW_BYTES: u32 = 256 * 1024;

/// How often an HTTP/2 client that says nothing is asked whether it is still there.
pub(crate) const PING_INTERVAL: Duration = Duration::from_secs(20);

/// How long it may take to answer that.
pub(crate) const PING_TIMEOUT: Duration = Duration::from_secs(20);

/// Connections that are told at the same time that there are too many; others are just closed.
pub(crate) const REFUSALS_MAX: usize = 64;

/// How long a refused client may take to read why.
pub(crate) const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);

/// How long to wait before accepting again when the process has run out of something, such as file
/// descriptors.
pub(crate) const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// The default of [`Limits::connections_max`].
pub const CONNECTIONS_MAX: usize = 10_000;

/// The default of [`Limits::connections_per_peer`].
pub const CONNECTIONS_PER_PEER: usize = 1_000;

/// The default of [`Limits::requests_max`].
pub const REQUESTS_MAX: usize = 1_024;

/// The default of [`Limits::memory_max_bytes`].
pub const MEMORY_MAX_BYTES: usize = 512 * 1024 * 1024;

/// The least that [`Limits::memory_max_bytes`] can be: half of it holds the largest body, inflated.
pub const MEMORY_MIN_BYTES: usize = 4 * BODY_BYTES_MAX;

/// The default of [`Limits::queue_timeout`].
pub const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// The default of [`Limits::handshake_timeout`].
pub const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// The default of [`Limits::first_byte_timeout`].
pub const FIRST_BYTE_TIMEOUT: Duration = Duration::from_secs(30);

/// The default of [`Limits::idle_timeout`].
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// The default of [`Limits::stall_timeout`].
pub const STALL_TIMEOUT: Duration = Duration::from_secs(60);

/// The default of [`Limits::drain_timeout`].
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(30);

/// The default of [`Limits::stop_delay`].
pub const STOP_DELAY: Duration = Duration::ZERO;

/// The limits that an operator may choose.
#[derive(Debug, Clone)]
pub struct Limits {
    /// How many connections may be open.
    pub connections_max: usize,
    /// How many of them one address may have. This machine may have all of them.
    pub connections_per_peer: usize,
    /// How many requests may be worked on at the same time.
    pub requests_max: usize,
    /// Bytes of memory for bodies and answers that are not small, over all connections.
    pub memory_max_bytes: usize,
    /// Bytes of a request's line and headers. A longer one is answered with 431.
    pub header_bytes_max: usize,
    /// How long a request may wait to be worked on, or for memory. Then it is answered with 503.
    pub queue_timeout: Duration,
    /// How long a TLS handshake may take.
    pub handshake_timeout: Duration,
    /// How long a connection may go without any request having begun on it.
    pub first_byte_timeout: Duration,
    /// How long a connection may go between two requests.
    pub idle_timeout: Duration,
    /// How long a connection may go without sending a whole request while one has begun to arrive
    /// or an answer has not left, and nothing of it is being worked on. It covers a client that
    /// sends its headers or its body drop by drop, and one that does not read its answer.
    pub stall_timeout: Duration,
    /// How long a server that is told to stop still takes connections and requests, while it says
    /// that it is not ready, so that whoever spreads requests over servers turns to others.
    pub stop_delay: Duration,
    /// How long requests in flight may take when the server stops, after that.
    pub drain_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections_max: CONNECTIONS_MAX,
            connections_per_peer: CONNECTIONS_PER_PEER,
            requests_max: REQUESTS_MAX,
            memory_max_bytes: MEMORY_MAX_BYTES,
            header_bytes_max: HEADER_BYTES_MAX,
            queue_timeout: QUEUE_TIMEOUT,
            handshake_timeout: HANDSHAKE_TIMEOUT,
            first_byte_timeout: FIRST_BYTE_TIMEOUT,
            idle_timeout: IDLE_TIMEOUT,
            stall_timeout: STALL_TIMEOUT,
            stop_delay: STOP_DELAY,
            drain_timeout: DRAIN_TIMEOUT,
        }
    }
}

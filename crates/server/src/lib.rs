//! HTTP for the API: listener, limits, checksums, shutdown.
//!
//! This crate moves bytes between sockets and a [`Handler`], and knows nothing of tables and items.
//! What a request goes through, in reading order:
//!
//! 1. [`Listener`] accepts the connection, or refuses it when there are too many, in all or of one
//!    address (`peers`). If the server has a certificate, [`Tls`] agrees with the client on how to
//!    encrypt; `transport` is what both kinds of connection have in common.
//! 2. `connection` is served by `plain`, which knows the requests that SDKs send and nothing else,
//!    until something else comes. From there on `full` speaks HTTP/1.1 or HTTP/2 on it. Both give
//!    up on clients that stall (`interruption`).
//! 3. `authentication` finds out who signed the request, if there are credentials.
//! 4. `exchange` makes one answer of one request, with every check in DynamoDB's order. `access`
//!    keeps out what pages of unknown origins make browsers send, `request` reads the body into one
//!    buffer, `content_encoding` inflates it, and `cors`, `admin`, `pages` and `health_text` answer
//!    what is not a call.
//! 5. `memory` counts what large requests and answers take, and `admission` how many are worked on.
//!    A request that finds no room waits for a while, and is then answered that the server is busy.
//!    [`Handler`] answers the call. It runs on the task of the connection, so that a read that
//!    needs no disk never changes threads.
//! 6. A [`Recorder`], if there is one, gets the call and its answer, and `monitor` counts it in
//!    `metrics` and has it logged, audited and traced.
//! 7. `call` names the answer's headers: its checksum and media type. `plain` writes them into its
//!    buffer, `response` makes a hyper response of them.
//!
//! A server without credentials answers whoever reaches it, so [`Listener::bind`] takes loopback
//! addresses only. For others there is [`Listener::bind_public`].
//!
//! ```text
//! listener ─► server ─► connection, on a transport: plain TCP or tls
//! peers, refusal        ├─► plain            what SDKs send
//!                       └─► replay ─► full   everything else, by hyper
//! activity, interruption, crumbs             clients that stall or send byte by byte
//! request, content_encoding ─► sent_request  the body
//! call_headers, media_type ─► call           what is asked, whichever way it came
//! access, authentication                     which page and who asks it
//! capacity: memory, admission; limits        how much is taken at a time
//! exchange ─► handler ─► api_handler         the answer, behind a panic_guard
//! cors, admin, pages, health, health_text    what is answered though it is no call
//! request_id, response, decimal              the answer's headers
//! recorder, monitor ─► metrics               what is kept of a call
//! ```

mod access;
mod activity;
mod admin;
mod admission;
mod api_handler;
mod authentication;
mod call;
mod call_headers;
mod capacity;
mod connection;
mod content_encoding;
mod cors;
mod crumbs;
mod decimal;
mod error;
mod exchange;
mod full;
mod handler;
mod health;
mod health_text;
mod interruption;
mod limits;
mod listener;
mod media_type;
mod memory;
mod metrics;
mod monitor;
mod pages;
mod panic_guard;
mod peers;
mod plain;
mod recorder;
mod refusal;
mod replay;
mod request;
mod request_id;
mod response;
mod sent_request;
mod server;
mod tls;
mod transport;

pub use access::{Access, AllowedHost, AllowedOrigin};
pub use admin::DatabaseClock;
pub use error::{AccessError, BindError};
pub use handler::{Answer, Handler};
pub use health::{Health, HealthProbe};
pub use limits::{
    BODY_BYTES_MAX, CONNECTIONS_MAX, CONNECTIONS_PER_PEER, DRAIN_TIMEOUT, FIRST_BYTE_TIMEOUT,
    HANDSHAKE_TIMEOUT, HEADER_BYTES_MAX, HEADER_BYTES_MIN, IDLE_TIMEOUT, Limits, MEMORY_MAX_BYTES,
    MEMORY_MIN_BYTES, QUEUE_TIMEOUT, REQUESTS_MAX, STALL_TIMEOUT, STOP_DELAY,
};
pub use listener::Listener;
pub use metrics::{
    Audit, CATALOGUE, Counter, Kind as MetricKind, METRICS_TABLES_MAX, Metric, Metrics,
    StorageProbe, Traces,
};
pub use monitor::{
    AuditOutcome, AuditedCall, AuditedCaller, AuditedTable, Auditor, Monitoring, Span, SpanSink,
    Timer, Tracer,
};
pub use pages::{Freshness, PageFile, Pages};
pub use recorder::{RecordedCall, Recorder};
pub use server::{Options, Server};
pub use tls::{SelfSigned, Tls, TlsError, TlsFiles, self_signed};

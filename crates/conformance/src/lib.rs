//! Black-box suites for any DynamoDB endpoint.
//!
//! This crate speaks to a server only over HTTP and knows none of its internals, so that what it
//! asserts is what a client would see.
//!
//! - [`models`] plays single-table designs, step by step, from the files in `models/`,
//! - [`abuse`] attacks a server in ten ways beside a client that means well,
//! - [`differential`] plays random requests at two endpoints and shows where their answers differ,
//! - [`client`] is a small client for raw requests, over the HTTP of [`http`]; `transport`
//!   encrypts it,
//! - [`clock`] reads the clock of a server and moves one that can be moved; `time` is the real one,
//! - [`faults`] lets calls to a server fail on purpose,
//! - [`fleet`] is what a suite is played at: one server, or several on one store,
//! - [`round_robin`] hands connections to several servers in turn,
//! - [`server`] starts the `monotable` binary, stops it, and kills it,
//! - [`decimal`] compares numbers exactly.
//!
//! The suites themselves are in `tests/`, one behaviour a file.

pub mod abuse;
pub mod client;
pub mod clock;
pub mod decimal;
pub mod differential;
pub mod faults;
pub mod fleet;
pub mod http;
pub mod models;
pub mod round_robin;
pub mod server;
mod time;
mod transport;

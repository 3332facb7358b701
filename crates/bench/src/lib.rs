//! A load generator for any DynamoDB-compatible endpoint.
//!
//! `monotable bench` runs it against an endpoint, and `cargo xtask bench` against all the servers
//! that it compares. It makes its own tables, so whoever is measured holds the same items and gets
//! the same requests.
//!
//! In reading order:
//!
//! - [`data`] is the items, [`table`] the tables that they go into, [`workload`] the requests on
//!   them,
//! - [`template`] makes requests of one kind without building JSON each time, and [`requests`]
//!   draws from them with keys drawn by [`random`],
//! - [`numbered`] makes requests that differ in a number only, for tables of another shape,
//! - [`http`] is the client: a socket, a request, an answer; [`target`] is whom it talks to,
//! - [`resp`] is the same for Redis, and a `wire` is a connection by either protocol,
//! - [`preload`] makes and fills tables,
//! - [`load`] keeps connections busy, or sends at a fixed rate, and takes samples, of which
//!   [`usage`] tells the cost and [`clock`] the time,
//! - [`statistics`] and [`summary`] make medians of samples, [`columns`] lays them out, and
//!   [`progress`] shows how far a run is,
//! - [`endpoint`] is the whole of it for one endpoint, as `monotable bench` runs it.

pub mod clock;
pub mod columns;
pub mod data;
pub mod endpoint;
pub mod http;
pub mod load;
pub mod numbered;
pub mod preload;
pub mod progress;
pub mod random;
pub mod requests;
pub mod resp;
pub mod statistics;
pub mod summary;
pub mod table;
pub mod target;
pub mod template;
pub mod usage;
mod wire;
pub mod workload;

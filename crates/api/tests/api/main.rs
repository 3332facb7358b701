//! The whole API in one process, from the bytes of requests to the bytes of answers.
//!
//! One program for all of them: each would instantiate the database anew, which takes longer than
//! its tests.

#[path = "../harness/mod.rs"]
mod harness;

mod data_plane;
mod failures;
mod model;
mod operations;
mod refusals;
mod streams;

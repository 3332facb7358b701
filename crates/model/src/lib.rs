//! Single-table designs: key templates, the model document, and what follows from them.
//!
//! Everything here is a plain function of its arguments: no I/O, no clock, no randomness, no async.
//! A design can be read, checked and priced with no server in sight.

pub mod chart;
pub mod cost;
pub mod deployment;
pub mod diagnostic;
pub mod document;
pub mod exchange;
pub mod lint;
pub mod migration;
pub mod plan;
pub mod run;
pub mod seed;
pub mod template;

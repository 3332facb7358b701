//! A server that knows a model: what calls are in it, and which writes do not fit.

#[path = "../harness/mod.rs"]
mod harness;

mod attribution;
mod drift;

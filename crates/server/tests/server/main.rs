//! The server as its clients meet it, over real connections.

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod authentication;
mod bind;
mod clock;
mod connections;
mod content_encoding;
mod cors;
mod documents;
mod faults;
mod hosts;
mod limits;
mod memory;
mod metrics;
mod models;
mod monitoring;
mod pages;
mod ready;
mod reset;
mod shutdown;
mod stalled_clients;
mod tls;
mod two_ways;

//! The AWS SDK for Rust against the server: its types, paginators, waiters and errors.
//!
//! One program with a module for each behaviour, because linking the SDK takes longer than all
//! tests.

mod batches;
mod conditions;
mod fixture;
mod indexes;
mod items;
mod paging;
mod retries;
mod signed;
mod streams;
mod tables;
mod time_to_live;
mod transactions;

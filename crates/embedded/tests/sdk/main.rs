//! The clients of the AWS SDK on a database in process.
//!
//! One program with a module for each behaviour, because linking the SDK takes longer than all
//! tests.

mod clock;
mod directories;
mod faults;
mod fixture;
mod items;
mod many_databases;
mod paging;
mod retries;
mod streams;
mod tables;
mod transactions;
mod typed_streams;

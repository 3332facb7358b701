//! The same requests on three backends: the database in process, the AWS SDK on the database in
//! process, and the AWS SDK on a running server. All of them answer alike.

mod batches;
mod fixture;
mod items;
mod pages;
mod refusals;
mod tables;
mod transactions;
mod typed_scans;

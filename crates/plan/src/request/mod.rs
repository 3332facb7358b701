//! Requests: a plan with its values put in.
//!
//! [`requests`] gives what goes to the server, with names and values behind placeholders.
//! [`Request::operation`] and [`Request::body`] are what the service takes, [`Request::lines`] is
//! for people. How that becomes HTTP is not known here.

mod batch;
mod kinds;
mod placeholders;
mod read;
mod run;
mod sentence;
mod update_text;
mod wire;
mod write;

pub use kinds::{
    CheckRequest, DeleteRequest, GetRequest, PutRequest, QueryRequest, Request, ScanRequest,
    UpdateRequest, WriteRequest,
};
pub use placeholders::Placeholders;
pub use run::{requests, step_requests};
pub use sentence::value_text;
pub use update_text::with_clauses;

//! Plays the requests of access patterns at whatever answers them.
//!
//! [`Service`] is who answers: an endpoint, or a database in this process. A [`Player`] sends the
//! requests of a run one after the other, and [`Played`] is what came of them.

mod execution;
mod outcome;
mod service;

pub(super) use execution::{Paging, Player, body};
pub(super) use outcome::{Played, PlayedRequest, Refusal, Row, estimated};
pub(super) use service::Service;

//! Whether what is stored, what was answered and what streams say agree.
//!
//! - `replay`: the commits once more, and whether each was allowed where it stands.
//! - `writes`: every answered write happened once, every refused one did not, and nothing else
//!   happened.
//! - `changes`: every answered change of a table happened, and nobody else's.
//! - `jobs`: every job was done by one server at a time.
//! - `streams`: streams say what happened.
//! - `leftovers`: nothing is in the store that belongs to nothing.
//! - `views`: all databases see the same, and indexes and counters are exact.

mod changes;
mod jobs;
mod leftovers;
mod replay;
mod streams;
mod views;
mod writes;

use monotable_storage::Engine;

use super::history::Notes;
use super::recorded_engine::RecordedEngine;
use super::server::Server;
use replay::Replay;

pub(super) fn check<E: Engine>(recorded: &RecordedEngine, notes: &Notes, servers: &[Server<E>]) {
    let commits = recorded.commits();
    let replay = Replay::of(&commits);
    jobs::check(&commits);
    writes::check(&replay, notes);
    changes::check(&replay, notes);
    leftovers::check(&replay, recorded);
    streams::check(&replay, &servers[0]);
    views::check(&replay, servers);
}

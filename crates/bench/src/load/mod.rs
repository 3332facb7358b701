//! Load: connections kept busy with one workload, and what was measured of it.
//!
//! There are four ways to pace requests:
//!
//! - the closed loop ([`run`]) sends the next request when the last one is answered, and finds how
//!   much a server can do,
//! - the open loop ([`run_paced`]) sends at a fixed rate whatever the answers do, and finds what
//!   latency is at that rate,
//! - the burst ([`run_burst`]) is a closed loop that is written down second by second, and that
//!   goes on when the server asks for patience,
//! - a flow ([`run_flow`]) is an open loop of requests of any kind, which goes on for as long as
//!   something else takes and is written down second by second too.

mod burst;
mod client;
mod closed_loop;
mod flow;
mod histogram;
mod meter;
mod open_loop;
mod sample;
mod schedule;

pub use burst::{Burst, Second, run_burst};
pub use client::Load;
pub use closed_loop::{run, run_during};
pub use flow::{Flow, MakeRequest, run_each, run_flow};
pub use histogram::Histogram;
pub use meter::{Meter, Reading};
pub use open_loop::run_paced;
pub use sample::{PacedSample, Sample};

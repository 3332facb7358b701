//! What PartiQL statements turn into: lookups, pages and writes, like those of the other
//! operations.
//!
//! A statement is [prepared](Prepared) from its text and parameters alone, then fitted to its
//! table: a `SELECT` becomes a [`Reading`](reading::Reading), everything else a [`Writing`]. The
//! three operations differ in what they do with these: run one, run each independently, or run all
//! or none.

mod execution;
mod next_token;
mod prepared;
mod reading;
mod writing;

pub(crate) use execution::{Execution, Options, Outcome};
pub(crate) use next_token::{NextToken, digest};
pub(crate) use prepared::{Prepared, parameters};
pub(crate) use writing::{Form, Writing};

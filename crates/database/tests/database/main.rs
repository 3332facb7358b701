//! Tests of the database as its callers see it, each on the engine in memory and on the one on
//! disk.
//!
//! - `script`: golden scripts, in `testscripts`; a script's first comment is the fact it proves.
//! - `model`: random histories compared with a table that is kept in a plain map.
//! - `cancellation`: callers that go away in the middle of a change of a table.
//! - `check`: stores that are broken on purpose, and what the check says of them.
//! - `churn`: what comes and goes, by how many deleted entries are met on the way.
//! - `concurrency`: many tasks on few keys, and schema changes under load.
//! - `rewind`: all tables taken back to what they were, or to nothing.
//! - `shared`: several databases on one store.
//! - `stale_copy`: reads that may be stale, on a store with a copy that is behind.
//! - `vector`: vector indexes, and what searches find.

mod cancellation;
mod check;
mod churn;
mod concurrency;
mod model;
mod rewind;
mod script;
mod shared;
mod stale_copy;
mod support;
mod vector;

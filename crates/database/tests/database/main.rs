//! Tests of the database as its callers see it, each on the engine in memory and on the one on disk.
//!
//! - `script`: golden scripts, in `testscripts`; a script's first comment is the fact it proves.
//! - `model`: random histories compared with a table that is kept in a plain map.
//! - `check`: stores that are broken on purpose, and what the check says of them.
//! - `concurrency`: many tasks on few keys, and schema changes under load.

mod check;
mod concurrency;
mod model;
mod script;
mod support;

//! Tests of the database as its callers see it, each on the engine in memory and on the one on disk.
//!
//! - `script`: golden scripts, in `testscripts`; a script's first comment is the fact it proves.

mod script;
mod support;

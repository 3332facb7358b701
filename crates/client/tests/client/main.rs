//! The client against a recorder and against the database in this process.

#![expect(clippy::unwrap_used, reason = "a step that fails ends the test")]
#![expect(unreachable_pub, reason = "tables and entities are public where they are used")]

mod bad_input;
mod database;
mod gathering;
mod guide;
mod index_entries;
mod index_scans;
mod index_upkeep;
mod keys;
mod meanwhile;
mod members;
mod model;
mod raw_names;
mod rekeying;
mod requests;
mod scans;
mod sets;
mod sharded_gathering;
mod shards;
mod shop;
mod spans;
mod starting;
mod streams;
mod takeovers;
mod unique_steps;
mod versions;
mod views;

//! The storage engine on PostgreSQL 15 to 18: any number of servers share one database.
//!
//! The tables are plain ones (`schema`), and every server is stateless. Correctness rests on two
//! things:
//!
//! - **Locks** (`group`). A transaction takes exclusive and shared advisory locks on its keys, in
//!   an order that everyone follows; it reads, decides and writes, and keeps the locks until it has
//!   committed. So commit order is serial order, and every snapshot of the database is a consistent
//!   cut. Absent keys are locked like any others.
//! - **Lanes** (`commit`). A transaction that appends to a log locks the log last of all, and only
//!   then takes its positions. So positions become visible in order, in every snapshot and
//!   immediately.
//!
//! It is fast because the waiting transactions of a server are joined into one of the database
//! (`committer`): two round trips and one sync for all of them. Single reads are joined into one
//! query in the same way (`joined_reads`).
//!
//! The outcome of a commit whose answer was lost is found by its token (`settle`), a row that is
//! written along with it.
//!
//! `docs/design/0018-postgres.md` has the whole picture.
//!
//! ```text
//! reaching it    options ─► address, abilities ─► tls ─► connection ─► pool
//! its tables     schema makes them, statements has what is sent, queries what is read
//! writes         engine ─► committer ─► joining ─► member ─► group ─► commit ─► settle
//!                                      those that wait  locks,    changes   answers
//!                                      become one       lock_ids  written   that were lost
//! reads          joined_reads, snapshot, standby, on the connections of readers;
//!                hosts are the standbys of an address, one by one
//!                key_bounds are ranges as sent, pipeline is several queries in one round trip
//! watching       presence, status, counts;  timing  waits, error  says what to do,
//!                trouble  is logged once
//! ```

mod abilities;
mod address;
mod changes;
mod commit;
mod committer;
mod connection;
mod counts;
mod engine;
mod error;
mod group;
mod hosts;
mod joined_reads;
mod joining;
mod key_bounds;
mod lock_ids;
mod member;
mod options;
mod pipeline;
mod pool;
mod presence;
mod queries;
mod readers;
mod schema;
mod settle;
mod snapshot;
mod standby;
mod statements;
mod status;
mod timing;
mod tls;
mod trouble;

pub use engine::PostgresEngine;
pub use error::OpenError;
pub use joining::JoinedCounts;
pub use options::{CONNECTIONS_MIN, PostgresOptions};
pub use presence::{Registration, StoreHealth};
pub use schema::{
    FORMAT_VERSION, Initialized, Migrated, init, mark_finished, mark_unfinished, migrate,
};
pub use snapshot::PostgresSnapshot;
pub use status::{Connections, ServerStatus, Standby, StoreStatus, TableSize, status};

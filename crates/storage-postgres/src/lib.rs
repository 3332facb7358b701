//! The storage engine on PostgreSQL 15 to 18: any number of servers share one database.
//!
//! The tables are plain ones (`schema`), and every server is stateless. What makes it right is in
//! two places:
//!
//! - **Locks** (`group`). A transaction locks and shares keys by advisory locks of the database,
//!   taken in one order by everyone, reads, decides, writes, and holds on until it has committed.
//!   So commit order is serial order, and every snapshot of the database is a consistent cut. A key
//!   that is absent is locked like any other.
//! - **Lanes** (`commit`). Who appends to a log locks the log last of all, and takes its positions
//!   after that. So positions become visible in their order, in every snapshot and at once.
//!
//! What makes it fast is that waiting transactions of a server are joined into one of the database
//! (`committer`): two round trips and one sync for all of them. Single reads are joined into one
//! question likewise (`joined_reads`).
//!
//! A commit whose answer is lost is found out by its token (`settle`), a row that is written with
//! it.
//!
//! `docs/design/0018-postgres.md` has the whole picture.

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
mod joined_reads;
mod joining;
mod key_bounds;
mod lock_ids;
mod member;
mod options;
mod pipeline;
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

pub use engine::PostgresEngine;
pub use error::OpenError;
pub use joining::JoinedCounts;
pub use options::{CONNECTIONS_MIN, PostgresOptions};
pub use presence::{Registration, StoreHealth};
pub use schema::{FORMAT_VERSION, Initialized, Migrated, init, migrate};
pub use snapshot::PostgresSnapshot;
pub use status::{Connections, ServerStatus, Standby, StoreStatus, TableSize, status};

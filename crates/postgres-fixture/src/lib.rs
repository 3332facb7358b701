//! A PostgreSQL server of one's own, for tests: in a scratch directory, on a free port of the
//! loopback interface, as an unprivileged user, and gone with the process that started it.
//!
//! The programs are those in the directory that `MONOTABLE_POSTGRES_BIN` names, or else those of
//! the newest version that the system has.
//!
//! ```text
//! server ─► programs, user    starts and stops one; where it is installed, and whom it runs as
//! ```

mod programs;
mod server;
mod user;

pub use programs::Programs;
pub use server::{Postgres, Setup, Syncs};
pub use user::unprivileged_user;

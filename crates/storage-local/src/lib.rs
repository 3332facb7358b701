//! The embedded on-disk storage engine: [`LocalEngine`], an LSM tree with a journal and background
//! work of our own.
//!
//! The tree is `monotable-tree`: memtables, tables, what is merged with what. What decides over
//! durability and latency is here: `journal` (every commit, on disk before it is answered),
//! `commit_thread` (who joins them), `background` (who writes memtables out and merges tables),
//! `back_pressure` (who waits when that falls behind) and `walk` (how deleted entries are passed
//! over).
//!
//! # What a write goes through
//!
//! A transaction locks its keys, reads them from the published snapshot, decides, and hands its
//! batch to the one thread that commits (`committer`). That thread takes every batch that waits,
//! makes them one write of the journal with **one sync**, publishes a snapshot that holds them,
//! answers all of them, and only then unlocks their keys. While it waits for the disk the next
//! group gathers by itself, so many writers share a sync and a single one never waits for others.
//!
//! # What a reader sees
//!
//! Readers only ever use the published snapshot, and run on the thread that asks. Three things
//! follow from the order *sync, publish, answer, unlock*:
//!
//! - A reader sees only what is on disk: nothing it was shown can be lost by a crash.
//! - A write that was answered is in every later snapshot.
//! - A transaction reads after it has its locks, so it sees every earlier commit on its keys.
//!
//! A snapshot keeps the tables and memtables that it can see. The published one is replaced with
//! every group, so what merges have replaced is removed soon after.
//!
//! # Durability
//!
//! With [`Durability::Sync`] an answer means that the batch is on disk. With
//! [`Durability::Interval`] it means that the operating system has it, which a crash of the process
//! cannot undo, and a sync follows within the interval. If a write or a sync fails, what is on disk
//! is unknown until the journal is read again. From then on the engine is poisoned: it refuses
//! every write with [`ErrorKind::Poisoned`](monotable_storage::ErrorKind::Poisoned) and goes on
//! reading what was published before.
//!
//! A full disk is not such a failure. A commit for which there is no room is refused with
//! [`ErrorKind::Unavailable`](monotable_storage::ErrorKind::Unavailable) and leaves nothing behind;
//! the background work tries again after a pause. A store on a full disk can be opened and read.
//! [`LocalEngine::health`] tells. With [`Options::disk_reserve_bytes`] commits are refused in the
//! same way before the disk is full.
//!
//! # On disk
//!
//! ```text
//! DIRECTORY/
//!   LOCK       held with a file lock while an engine is open; its content means nothing
//!   FORMAT     "monotable storage format 4\n"; written last, so a directory that has it is whole
//!   CREATING   there only while a new store is made
//!   data/      the tree: its tables, and the list of them
//!   journal/   what may not be in tables yet; `journal` has the layout
//! ```
//!
//! Keys and values are as given; counters are 8-byte little-endian integers. The position of the
//! last append is in the journal.
//!
//! A format number is never reused. An engine opens its own format and refuses all others.
//!
//! # Modules
//!
//! ```text
//! engine ─┬─► committer ─► commit_queue ─► commit_thread ─► journal
//!         │   hands it in  where it waits   gathering, how  interval_sync, on a timer
//!         │                                 long to wait
//!         ├─► snapshot ─► walk ─► gaps ◄─ gap_finder
//!         │   one moment  a range, past what was deleted
//!         └─► store ─► background ─► pace, priority
//!             tree and  writes memtables  in small pieces, after others
//!             journal   out, merges
//! opening       options, directory, verify
//! holding back  back_pressure, reserve
//! telling       health, statistics, timing, error
//! ```

mod back_pressure;
mod background;
mod commit_queue;
mod commit_thread;
mod committer;
mod directory;
mod engine;
mod error;
mod gap_finder;
mod gaps;
mod gathering;
mod health;
mod interval_sync;
mod journal;
mod options;
mod pace;
mod priority;
mod reserve;
mod snapshot;
mod statistics;
mod store;
mod timing;
mod verify;
mod walk;

pub use engine::LocalEngine;
pub use error::OpenError;
pub use health::Health;
pub use options::{Durability, Options};
pub use snapshot::LocalSnapshot;
pub use verify::{Fault, Progress, Report, verify};

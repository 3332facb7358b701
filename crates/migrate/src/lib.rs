//! Takes the items of a table that is in use from one model to another.
//!
//! This crate is a client of the public API, so it works against every endpoint that speaks it.
//! What becomes of an item is decided by the plain functions of `monotable-migration`; here it is
//! carried out. In reading order:
//!
//! 1. A [`Job`] names the two models and the table, and [`Job::prepare`] looks at the table before
//!    anything is written.
//! 2. [`backfill()`] scans the table in segments, one task each. `segment` reads a page, has every
//!    item of it revised, and writes a `checkpoint` when all of them are done.
//! 3. `writing` makes one revision true: an update or a transaction whose condition is everything
//!    that was read to decide it. If the item has changed in between, it is read again and decided
//!    again.
//! 4. [`verify()`] scans once more, builds every key again and reports what has drifted.
//!
//! **Nothing is lost.** A write names only the attributes that it changes, and only succeeds if
//! what it was calculated from is still so; other changes of the same item do not meet it, and
//! those that do come first.
//! **Nothing is repeated.** An item that has its new form is passed over, so that every page may be
//! read again: after a crash, a segment goes on behind the last page that was finished.
//! `docs/design/0010-migrations.md` has the argument.
//!
//! ```text
//! settings, job, table              what is to be migrated, how, and the table as it is
//! backfill ─► segment ─► page       reads the table
//!                └─► writing ─► request   one revision, written if the item is what was read
//! checkpoint, checkpoint_store      how far each segment has come, and where that is kept
//! verify                            reads all of it again
//! bucket, progress, stop            the rate, what is shown meanwhile, and the end on demand
//! ```

mod backfill;
mod bucket;
mod checkpoint;
mod checkpoint_store;
mod error;
mod job;
mod page;
mod progress;
mod request;
mod segment;
mod settings;
mod stop;
mod table;
mod verify;
mod writing;

pub use backfill::{BackfillReport, backfill, forget};
pub use error::Error;
pub use job::{Job, Prepared};
pub use progress::{Counts, Progress, Stage};
pub use settings::{Mode, Settings};
pub use stop::Stop;
pub use verify::{DriftReport, DriftedItem, verify};
pub use writing::BlockedItem;

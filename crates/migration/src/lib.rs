//! Migrations: what the change from one model to another means for the items that are stored.
//!
//! Two questions, both answered by plain functions:
//!
//! 1. *What changes?* [`diff()`] lists every change of a table, index, entity, key, attribute and
//!    access pattern, and says for each what stored items need: nothing, an update in place, or a
//!    new primary key. From these follow the [`EntityMigration`]s and the [`Step`]s in the order in
//!    which they keep an application running.
//! 2. *What becomes of this item?* A [`Migration`] recognises an item by its type attribute or the
//!    shape of its key, builds its keys from its attributes as the new model does, and gives the
//!    [`Revision`] that takes it there, with everything that was read to decide so. Whoever writes
//!    makes that a condition: an item that has changed in between is read again, and no change is
//!    lost. `drift` is the same comparison for an item that should be in the new form already.
//!
//! Only attributes that are built count: keys of the table and its indexes, the type attribute,
//! attributes that changed their stored name, and defaults that keys are built from. New attributes
//! of the application are always additive. `docs/design/0010-migrations.md` says how this is run
//! against a table that is in use.
//!
//! [`deployment`] answers for tables what the rest answers for items: which requests make them what
//! a model says.
//!
//! ```text
//! diff                              the difference of two models
//!   table_change, index_change, entity_change, attribute_change, pattern_change
//!   change                          one of these, and what it means for stored items
//!   effect, collection              what a new entity does to the collections that it joins
//!   entity_migration ─► step        what the items of an entity need, and in which order
//!   report                          the difference for people, and for programs
//! table_migration                   decides item by item
//!   succession                      what an item may become
//!   expectation ─► revision         what it was then, and what becomes of it
//!   drift                           what it has, against what it should have
//!   scan_filter                     leaves out of the scan what needs nothing
//! deployment                        the requests that make tables what a model says
//! ```

pub mod deployment;

mod attribute_change;
mod change;
mod collection;
mod diff;
mod drift;
mod effect;
mod entity_change;
mod entity_migration;
mod expectation;
mod index_change;
mod pattern_change;
mod report;
mod revision;
mod scan_filter;
mod step;
mod succession;
mod table_change;
mod table_migration;

pub use change::{Change, ChangeKind, Class, Mark, Readers};
pub use diff::{Diff, diff};
pub use drift::{Drift, Inspection, inspect};
pub use entity_migration::EntityMigration;
pub use expectation::Expectation;
pub use report::{render_json, render_text};
pub use revision::{Blocked, Moved, Revision, Updated};
pub use scan_filter::{ScanFilter, scan_filter};
pub use step::{Step, StepKind};
pub use table_migration::{Migration, MigrationError};

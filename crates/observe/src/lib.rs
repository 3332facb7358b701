//! What a server that knows a single-table design sees of its requests.
//!
//! An [`Observer`] holds the models that are loaded. A request on a table of one of them is put to
//! it as an [`ItemCall`], a [`PageCall`] or a group of the former, and comes back as an
//! [`Attribution`]: its entity, by its key, and its access pattern, by the shape of the request.
//! Whoever knows how the call ended [counts](Attribution::count) it there. What a write would make
//! of an item is put to [`Observer::check`], which reports a [`Misfit`] if the item is not one of
//! the model. The item of a put is known before, and looked at together with its key.
//! [`Observer::report`] is everything that was seen.
//!
//! All of it lies in the path of requests, so models are compiled when they are loaded:
//!
//! 1. `key_form` matches a key against a template byte by byte, without allocation.
//! 2. `entity_forms` finds the entities that a key can belong to.
//! 3. `shape` and `page_shape` have the requests of the planner in the form in which they arrive.
//! 4. `item_check` compares the keys of an item with its attributes in one pass over the item.
//! 5. `counters` and `key_sketch` count, without locks and in bounded memory.
//!
//! ```text
//! models ─► watched_table ─► entity_forms ─► key_form      a key is matched
//!    │            └─► shape, page_shape                    a request is matched
//! observer ◄─ call ─► attribution ─► counters, key_sketch  what it is, and counting it
//!    │            watched_keys  tables that are watched for their keys alone
//!    ├─► item_check, on slots ─► misfit ─► diagnosis       whether an item fits, and why not
//!    │                             └─► drift               examples of those that did not
//!    └─► report, beside estimate, by asked_parts           what was seen, beside what was planned
//! ```
//!
//! The crate has no clock and does no I/O. It knows none of DynamoDB's words for errors.

mod asked_parts;
mod attribution;
mod call;
mod counters;
mod diagnosis;
mod drift;
mod entity_forms;
mod estimate;
mod item_check;
mod key_form;
mod key_sketch;
mod misfit;
mod models;
mod observer;
mod page_shape;
mod report;
mod shape;
mod slots;
mod watched_keys;
mod watched_table;

pub use attribution::{Attribution, FittingMembers, Outcome, Refused};
pub use call::{
    CalledKey, CalledTable, Comparison, Group, ItemCall, ItemKind, KeyBytes, PageCall, SortAsked,
};
pub use counters::DURATION_BOUNDS_MICROS;
pub use drift::{DRIFT_KINDS_MAX, DriftEntry};
pub use estimate::{PatternEstimate, estimates};
pub use key_sketch::{HotKey, KeySketch};
pub use misfit::{Fault, Misfit, MisfitOutcome};
pub use models::{FIRST_ACCOUNT, LoadError, LoadedModel, ModelReader};
pub use observer::{CheckMode, Observer};
pub use report::{EntityReport, KeyReport, ModelReport, PatternReport, Report, TableReport};

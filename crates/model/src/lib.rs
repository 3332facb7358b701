//! Single-table designs: key templates, the model document, and which entity an item is.
//!
//! Everything here is a plain function of its arguments: no I/O, no clock, no randomness, no async.
//! In reading order:
//!
//! 1. [`template`] has the templates that keys are built with, and what can be decided about them.
//! 2. [`document`] is the model: its parts, its readers and writers, and the check that every name
//!    in it exists.
//! 3. [`diagnostic`] is what is reported about a model, and how it is shown.
//! 4. [`item_json`] reads and writes items in DynamoDB's JSON.
//! 5. [`recognition`] says which entity an item is.
//!
//! Without the feature `files` there are the first, the parts of the second, and items that are
//! built by them: all that a client needs, and a fraction to compile.
//!
//! What follows from a model is in the crates that stand on this one: `plan` (how access patterns
//! are served, and at what cost), `lint`, `exchange`, `chart`, `migration` and `seed`.

pub mod diagnostic;
pub mod document;
#[cfg(feature = "files")]
pub mod item_json;
#[cfg(feature = "files")]
pub mod recognition;
pub mod template;

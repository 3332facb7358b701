//! ElectroDB: entities and services, in JavaScript, TypeScript or JSON.
//!
//! ```text
//! new Entity({
//!   model: { entity: "task", version: "1", service: "app" },
//!   attributes: { id: { type: "string", required: true }, … },
//!   indexes: {
//!     primary: { pk: { field: "pk", composite: ["id"] }, sk: { field: "sk", composite: [] } },
//!   },
//! }, { table: "app" })
//! ```
//!
//! Keys follow from all three parts: `$app#id_…` and `$task_1`. `composition` says how, so that a
//! model has the templates of exactly these keys. What a model has no place for, such as
//! collections and labels, is kept; the export writes an index as it was if it still means the
//! model's templates, and with ElectroDB's `template` otherwise.

mod attribute;
mod composition;
mod condition;
mod derived;
mod export;
mod import;
mod key;
mod program;
mod restoration;
mod source;

pub(super) use export::export;
pub(super) use import::import;
pub(super) use program::read;

/// The attribute with the name of the entity.
const ENTITY_STAMP: &str = "__edb_e__";

/// The attribute with its version.
const VERSION_STAMP: &str = "__edb_v__";

//! OneTable's schema, format 1.1.
//!
//! ```text
//! format, version, params: { typeField, isoDates, timestamps, … }
//! indexes: { primary: { hash, sort }, gs1: { hash, sort, project } }
//! models: { User: { pk: { type, value: 'account#${accountId}' }, email: { type, required }, … } }
//! queries, items
//! ```
//!
//! One schema is one table. The value of a key is a template: `${id}` is `{id}` here, and
//! `${number:6}` is `{number:06}`. OneTable escapes nothing, so a value that holds the delimiter
//! makes another key there than here.

mod export;
mod import;
mod value_template;

pub(super) use export::export;
pub(super) use import::import;

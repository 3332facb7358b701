//! Import and export: the formats of other tools, read into models and written from them.
//!
//! Every importer is a function from the text of a foreign file to a
//! [`Model`](monotable_model::document::Model); every exporter is one from a model to text. Neither
//! loses anything in silence: what a format has and a model has no place for is kept under
//! `extensions`, from where exporting to the same format brings it back; what a target cannot say
//! is a note.
//!
//! ```text
//! workbench        NoSQL Workbench's file      facets with sample data become entities
//! onetable         OneTable's schema 1.1       `${id}` becomes `{id}`
//! schema-json      schema.json of AWS's MCP server for DynamoDB
//! cloudformation   a template in YAML or JSON  its tables; everything else stays there
//! create-table     CreateTable or DescribeTable in JSON
//! terraform        a configuration or state, or what `terraform show -json` prints
//! electrodb        entities in JavaScript, TypeScript or JSON
//! cdk-json, json-schema, rust, typescript, python: written only
//! ```
//!
//! Files without templates are where [`infer`] comes in: from the items of a table it finds the
//! entities, and from their keys the templates that build them. In reading order:
//!
//! 1. `source_text` tells data from code; `hcl` reads Terraform's, `javascript`
//!    object literals.
//! 2. `foreign` reads members of a foreign file, knows their places, and what nobody asked for.
//! 3. `table_shape` is the form in which AWS describes tables, which four of the formats share.
//! 4. One module for each format, with its import and its export.
//! 5. `typed_code`: what the modules of `typescript` and `python` have in common.
//! 6. `inference`: from items to entities.

mod attribute_words;
mod case;
mod cdk;
mod cloudformation;
mod electrodb;
mod extension;
mod foreign;
mod format;
mod hcl;
mod inference;
mod javascript;
mod json_schema;
mod onetable;
mod outcome;
mod period_table;
mod python;
mod renaming;
mod rust_source;
mod schema_json;
mod source_cursor;
mod source_node;
mod source_text;
mod table_shape;
mod terraform;
mod typed_code;
mod typed_json;
mod typescript;
mod workbench;

pub use format::{SourceFormat, TargetFormat};
pub use inference::{Inference, infer, infer_model};
pub use outcome::{Export, Import, export, import};
pub use rust_source::rust_models;
pub use table_shape::{LiveTable, read_description};

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
//! entities, and from their keys the templates that build them.
//!
//! ```text
//! outcome                       importing and exporting as a whole; format  which one a file has
//! reading
//!   source_text                 which language a file is in, and its values
//!   hcl, javascript             Terraform's language and object literals, as far as they are data
//!   source_cursor, source_node  what those two readers share
//!   foreign                     members of a file: where they stand, and which nobody asked for
//!   typed_json                  items in files, with types or plain
//! what several formats share
//!   table_shape                 tables as AWS describes them
//!   renaming, case              templates and names in the spelling of another tool
//!   extension                   what a model has no place for
//!   period_table                tables of which there is one for each period
//! formats
//!   workbench, onetable, schema_json, cloudformation, cdk, terraform, electrodb, json_schema
//! code
//!   rust_source                 for the typed client
//!   typescript, python          modules without dependencies of ours
//!   typed_code, attribute_words what the modules in both languages have in common
//! inference                     from the items of a table to its entities
//! ```

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

//! `schema.json` of AWS's MCP server for DynamoDB, from which that generates code.
//!
//! ```text
//! tables: [{ table_config: { table_name, partition_key, sort_key },
//!            gsi_list: [{ name, partition_key, sort_key, projection, included_attributes }],
//!            entities: { Name: { entity_type, pk_template, sk_template, gsi_mappings, fields, access_patterns } } }]
//! cross_table_access_patterns: […]
//! ```
//!
//! Templates are ours in all but their encodings: `{price:08.2f}` is a format of Python. Access
//! patterns of one entity become patterns; those over several tables are kept.

mod access_pattern;
mod export;
mod import;
mod python_template;

pub(super) use export::export;
pub(super) use import::import;

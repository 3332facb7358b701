//! The wire: request and response shapes and their JSON.
//!
//! DynamoDB speaks JSON (`application/x-amz-json-1.0`). This crate turns a request body into a
//! typed request in one pass over its bytes, and a typed response into a body in one pass over its
//! values; there is no tree of JSON nodes on either way.
//!
//! - [`json`] reads and writes tokens. Strings without escapes are borrowed from the body.
//! - [`Decode`] and [`Encode`] tie tokens to Rust types; `wire_struct!` declares a shape once and
//!   derives both from it.
//! - [`value`](WireValue) handles attribute values: a request builds [`monotable_item::Value`]s
//!   directly, or the stored form of an item that is written, and a response writes stored items
//!   without decoding them first.
//! - There is one file per operation or group of them, and [`shapes`] for what operations share.
//! - [`inspect`] shows the members of a request by their names to whoever checks them by a table.
//!
//! ```text
//! bytes ─► json ─► decode ─► a shape of wire_struct ─► encode ─► json ─► bytes
//!                  value: attribute values          error_response: answers that are errors
//! items
//!   get_item, put_item, update_item, delete_item, query, scan, search_vectors
//!   batch_get_item, batch_write_item, transact_get_items, transact_write_items
//!   execute_statement, batch_execute_statement, execute_transaction
//! tables
//!   create_table, update_table, delete_table, describe_table, list_tables
//!   describe_time_to_live, update_time_to_live
//!   tag_resource, untag_resource, list_tags_of_resource
//!   get_resource_policy, put_resource_policy, delete_resource_policy
//!   describe_contributor_insights, update_contributor_insights, list_contributor_insights
//! streams
//!   list_streams, describe_stream, get_shard_iterator, get_records, kinesis_destination
//! accounts
//!   describe_limits, describe_endpoints
//! regions and copies
//!   global_table, auto_scaling, backup, continuous_backups, export, import, bulk_operation
//! ```
//!
//! Two kinds of mistakes are kept apart, because DynamoDB answers them at different times:
//!
//! - [`DecodeError`]: the body is not of the operation's shape. Decoding stops at the first one, in
//!   the order of the body. It tells what was expected and what was found.
//! - [`ValueError`]: the shape is right but an attribute value is not, such as a number of 50
//!   digits. DynamoDB checks other things first, so the error is kept beside the value and decoding
//!   goes on.
//!
//! Every member of a request is optional here, even those that DynamoDB requires: a missing member
//! is not a mistake of the shape, and is answered by a validation with its own place in the order.
//!
//! ```
//! use monotable_protocol::{decode_request, get_item::GetItemRequest};
//!
//! let request: GetItemRequest =
//!     decode_request(br#"{"TableName": "orders", "Key": {"id": {"N": "7"}}}"#)?;
//! assert_eq!(request.table_name.as_deref(), Some("orders"));
//! assert_eq!(request.consistent_read, None);
//! # Ok::<(), monotable_protocol::DecodeError>(())
//! ```

#[macro_use]
mod wire_struct;

mod decode;
mod encode;
mod error;
pub mod inspect;
pub mod json;
mod value;

pub mod shapes;

pub mod auto_scaling;
pub mod backup;
pub mod batch_execute_statement;
pub mod batch_get_item;
pub mod batch_write_item;
pub mod bulk_operation;
pub mod continuous_backups;
pub mod create_table;
pub mod delete_item;
pub mod delete_resource_policy;
pub mod delete_table;
pub mod describe_contributor_insights;
pub mod describe_endpoints;
pub mod describe_limits;
pub mod describe_stream;
pub mod describe_table;
pub mod describe_time_to_live;
pub mod error_response;
pub mod execute_statement;
pub mod execute_transaction;
pub mod export;
pub mod get_item;
pub mod get_records;
pub mod get_resource_policy;
pub mod get_shard_iterator;
pub mod global_table;
pub mod import;
pub mod kinesis_destination;
pub mod list_contributor_insights;
pub mod list_streams;
pub mod list_tables;
pub mod list_tags_of_resource;
pub mod put_item;
pub mod put_resource_policy;
pub mod query;
pub mod scan;
pub mod search_vectors;
pub mod tag_resource;
pub mod transact_get_items;
pub mod transact_write_items;
pub mod untag_resource;
pub mod update_contributor_insights;
pub mod update_item;
pub mod update_table;
pub mod update_time_to_live;

pub use decode::{Decode, FEW_MAX, decode_request};
pub use encode::{Encode, encode_json};
pub use error::{Base64Error, DecodeError, Found, TextPosition, ValueRole, WireType};
pub use value::{InvalidAttribute, ResponseItem, StoredItem, ValueError, WireItem, WireValue};

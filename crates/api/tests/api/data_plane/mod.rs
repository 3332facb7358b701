//! The operations on items: what they answer, and in which words and order they refuse.
//!
//! The texts and orders are those that DynamoDB gave in eu-west-2 in October 2026; a test that
//! asserts something nobody has measured says so.

mod support;

mod batch_limits;
mod capacity_reads;
mod capacity_writes;
mod expression_messages;
mod idempotency;
mod index_key_messages;
mod item_collection_limit;
mod item_collection_metrics;
mod item_size_gate;
mod key_messages;
mod member_constraints;
mod nesting_gate;
mod number_forms;
mod observations;
mod page_limits;
mod projections;
mod query_key_conditions;
mod query_key_sizes;
mod query_start_key;
mod request_order;
mod return_values;
mod scan_segments;
mod select_rules;
mod serialization_messages;
mod set_rules;
mod table_name_messages;
mod transact_cancellation;
mod transaction_order;
mod update_messages;
mod update_size_gate;
mod value_messages;

//! A file for each operation: its checks in DynamoDB's order, its call, its response. Those that
//! belong together and are small lie in folders.

mod auto_scaling;
mod backups;
pub(crate) mod batch_execute_statement;
pub(crate) mod batch_get_item;
pub(crate) mod batch_write_item;
mod bulk_operations;
mod continuous_backups;
pub(crate) mod create_table;
pub(crate) mod delete_item;
pub(crate) mod delete_resource_policy;
pub(crate) mod delete_table;
pub(crate) mod describe_contributor_insights;
pub(crate) mod describe_endpoints;
pub(crate) mod describe_limits;
pub(crate) mod describe_stream;
pub(crate) mod describe_table;
pub(crate) mod describe_time_to_live;
pub(crate) mod execute_statement;
pub(crate) mod execute_transaction;
mod exports;
pub(crate) mod get_item;
pub(crate) mod get_records;
pub(crate) mod get_resource_policy;
pub(crate) mod get_shard_iterator;
mod global_tables;
mod imports;
mod kinesis_destinations;
pub(crate) mod list_contributor_insights;
pub(crate) mod list_streams;
pub(crate) mod list_tables;
pub(crate) mod list_tags_of_resource;
pub(crate) mod page;
pub(crate) mod put_item;
pub(crate) mod put_resource_policy;
pub(crate) mod query;
pub(crate) mod scan;
pub(crate) mod search_vectors;
pub(crate) mod tag_resource;
pub(crate) mod transact_get_items;
pub(crate) mod transact_write_items;
pub(crate) mod untag_resource;
pub(crate) mod update_contributor_insights;
pub(crate) mod update_item;
pub(crate) mod update_table;
pub(crate) mod update_time_to_live;

pub(crate) use auto_scaling::{
    describe_table_replica_auto_scaling, update_table_replica_auto_scaling,
};
pub(crate) use backups::{
    create_backup, delete_backup, describe_backup, list_backups, restore_table_from_backup,
};
pub(crate) use bulk_operations::{
    cancel_bulk_operation, describe_bulk_operation, list_bulk_operations, start_bulk_put_items,
};
pub(crate) use continuous_backups::{
    describe_continuous_backups, restore_table_to_point_in_time, update_continuous_backups,
};
pub(crate) use exports::{describe_export, export_table_to_point_in_time, list_exports};
pub(crate) use global_tables::{
    create_global_table, describe_global_table, describe_global_table_settings, list_global_tables,
    update_global_table, update_global_table_settings,
};
pub(crate) use imports::{describe_import, import_table, list_imports};
pub(crate) use kinesis_destinations::{
    describe_kinesis_streaming_destination, disable_kinesis_streaming_destination,
    enable_kinesis_streaming_destination, update_kinesis_streaming_destination,
};

//! Exports to Amazon S3. There are none: an export needs point-in-time recovery.

pub(crate) mod describe_export;
pub(crate) mod export_table_to_point_in_time;
pub(crate) mod list_exports;

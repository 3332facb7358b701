//! Bulk operations. There are none: none is run yet.

pub(crate) mod cancel_bulk_operation;
pub(crate) mod describe_bulk_operation;
pub(crate) mod list_bulk_operations;
pub(crate) mod start_bulk_put_items;

//! Backups that are made on demand. There are none: none is made yet.

pub(crate) mod create_backup;
pub(crate) mod delete_backup;
pub(crate) mod describe_backup;
pub(crate) mod list_backups;
pub(crate) mod restore_table_from_backup;

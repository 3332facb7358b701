//! Imports from Amazon S3. There are none: none is made yet.

pub(crate) mod describe_import;
pub(crate) mod import_table;
pub(crate) mod list_imports;

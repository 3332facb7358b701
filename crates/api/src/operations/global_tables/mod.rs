//! Global tables of version 2017.11.29, of which AWS makes none any more and there are none here.

pub(crate) mod create_global_table;
pub(crate) mod describe_global_table;
pub(crate) mod describe_global_table_settings;
pub(crate) mod list_global_tables;
pub(crate) mod update_global_table;
pub(crate) mod update_global_table_settings;

use crate::error::ApiError;

/// The answer to whoever wants to make one, in AWS's words.
fn version_not_supported() -> ApiError {
    ApiError::parameter(
        "DynamoDB global tables version 2017.11.29 is not supported. We recommend using DynamoDB \
         global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).",
    )
}

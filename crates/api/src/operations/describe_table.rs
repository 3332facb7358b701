//! `DescribeTable`: tells what a table is and how it is doing.

use monotable_protocol::describe_table::{DescribeTableRequest, DescribeTableResponse};
use monotable_storage::Engine;

use crate::context::Api;
use crate::error::ApiError;
use crate::observation;
use crate::render::table_description;
use crate::validate::table_name;

/// Runs `DescribeTable`.
pub(crate) async fn describe_table<E: Engine>(
    api: &Api<E>,
    request: DescribeTableRequest,
) -> Result<DescribeTableResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    let described = api.database.describe(name).await?;
    let described = described.ok_or_else(|| ApiError::table_not_found(name))?;
    observation::note_table(described.table.schema());
    let description =
        table_description::describe(api, described.table.schema(), &described.statistics);
    Ok(DescribeTableResponse { table: Some(description) })
}

//! `DescribeTable`: tells what a table is and how it is doing.

use monotable_protocol::describe_table::{DescribeTableRequest, DescribeTableResponse};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::render::table_description;
use crate::session::Session;
use crate::validate::table_name;

/// Runs `DescribeTable`.
pub(crate) async fn describe_table<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeTableRequest,
) -> Result<DescribeTableResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    let described = api.described(name, || Wish::new("DescribeTable")).await?;
    let (schema, now_millis) = (described.table.schema(), api.database.now_millis());
    let description = table_description::describe(schema, &described.statistics, now_millis);
    Ok(DescribeTableResponse { table: Some(description) })
}

//! `DescribeKinesisStreamingDestination`: names the streams of Amazon Kinesis that changes are
//! written to.

use monotable_protocol::kinesis_destination::{
    DescribeKinesisStreamingDestinationRequest, DescribeKinesisStreamingDestinationResponse,
};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::table_name;

/// Runs `DescribeKinesisStreamingDestination`.
pub(crate) async fn describe_kinesis_streaming_destination<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeKinesisStreamingDestinationRequest,
) -> Result<DescribeKinesisStreamingDestinationResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    let wish = || Wish::new("DescribeKinesisStreamingDestination");
    let table = api.named_table(name, wish).await?;
    Ok(DescribeKinesisStreamingDestinationResponse {
        table_name: Some(table.schema().name.clone()),
        kinesis_data_stream_destinations: Some(Vec::new()),
    })
}

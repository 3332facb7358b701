//! `UpdateKinesisStreamingDestination`: changes how changes are written to a stream of Amazon
//! Kinesis.

use std::convert::Infallible;

use monotable_protocol::kinesis_destination::{
    UpdateKinesisStreamingConfiguration, UpdateKinesisStreamingDestinationRequest,
};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{model, table_name};

/// Runs `UpdateKinesisStreamingDestination`, in the words for a stream that was never enabled.
pub(crate) async fn update_kinesis_streaming_destination<E: Engine>(
    api: &Session<'_, E>,
    request: UpdateKinesisStreamingDestinationRequest,
) -> Result<Infallible, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    model::check(&request)?;
    let configuration = request.update_kinesis_streaming_configuration.unwrap_or_default();
    if configuration == UpdateKinesisStreamingConfiguration::default() {
        return Err(ApiError::validation(
            "Streaming destination cannot be updated with given parameters: \
             UpdateKinesisStreamingConfiguration cannot be null or contain only null values",
        ));
    }
    let wish = || Wish::new("UpdateKinesisStreamingDestination");
    let table = api.named_table(name, wish).await?;
    Err(ApiError::validation(format!(
        "Table is not in a valid state to enable Kinesis Streaming Destination: No streaming \
         destination with streamArn: {} found for table with tableName: {}",
        request.stream_arn.unwrap_or_default(),
        table.schema().name
    )))
}

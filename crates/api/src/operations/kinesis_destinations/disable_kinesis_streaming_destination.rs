//! `DisableKinesisStreamingDestination`: no longer writes changes to a stream of Amazon Kinesis.

use std::convert::Infallible;

use monotable_protocol::kinesis_destination::DisableKinesisStreamingDestinationRequest;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{model, table_name};

/// Runs `DisableKinesisStreamingDestination`, in the words for a stream that was never enabled.
pub(crate) async fn disable_kinesis_streaming_destination<E: Engine>(
    api: &Session<'_, E>,
    request: DisableKinesisStreamingDestinationRequest,
) -> Result<Infallible, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    model::check(&request)?;
    if request.enable_kinesis_streaming_configuration.is_some() {
        return Err(ApiError::validation(
            "Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters",
        ));
    }
    api.named_table(name, || Wish::new("DisableKinesisStreamingDestination")).await?;
    Err(ApiError::validation(
        "Table is not in a valid state to enable Kinesis Streaming Destination: \
         KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.",
    ))
}

//! `EnableKinesisStreamingDestination`: writes changes to a stream of Amazon Kinesis, which this
//! server cannot do.

use std::convert::Infallible;

use monotable_protocol::kinesis_destination::EnableKinesisStreamingDestinationRequest;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{model, table_name};

/// Runs `EnableKinesisStreamingDestination`. AWS accepts any stream and says later that it cannot
/// be written to; we know at once.
pub(crate) async fn enable_kinesis_streaming_destination<E: Engine>(
    api: &Session<'_, E>,
    request: EnableKinesisStreamingDestinationRequest,
) -> Result<Infallible, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    model::check(&request)?;
    api.named_table(name, || Wish::new("EnableKinesisStreamingDestination")).await?;
    Err(ApiError::validation("This server does not write to Kinesis data streams"))
}

//! `UpdateTableReplicaAutoScaling`: changes how the units of replicas follow the load.

use std::convert::Infallible;

use monotable_protocol::auto_scaling::UpdateTableReplicaAutoScalingRequest;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{model, table_name};

/// Runs `UpdateTableReplicaAutoScaling`. A table without replicas is to AWS as good as none.
pub(crate) async fn update_table_replica_auto_scaling<E: Engine>(
    api: &Session<'_, E>,
    request: UpdateTableReplicaAutoScalingRequest,
) -> Result<Infallible, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    model::check(&request)?;
    let not_found = || ApiError::replicas_not_found(name.name());
    api.table_or(name, || Wish::new("UpdateTableReplicaAutoScaling"), not_found).await?;
    Err(not_found())
}

//! `UpdateContinuousBackups`: lets a table be recoverable to a point in time, or no longer.

use monotable_protocol::continuous_backups::{
    PointInTimeRecoverySpecification, UpdateContinuousBackupsRequest,
    UpdateContinuousBackupsResponse,
};
use monotable_storage::Engine;

use super::description;
use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{model, table_name};

/// Runs `UpdateContinuousBackups`. To disable what is disabled changes nothing, and to enable it
/// is refused: AWS has an error for tables of which there are no backups.
pub(crate) async fn update_continuous_backups<E: Engine>(
    api: &Session<'_, E>,
    request: UpdateContinuousBackupsRequest,
) -> Result<UpdateContinuousBackupsResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    model::check(&request)?;
    let specification = request.point_in_time_recovery_specification.unwrap_or_default();
    let is_enabled = is_enabled(&specification)?;
    let unknown = || ApiError::unknown_table(name.name());
    api.table_or(name, || Wish::new("UpdateContinuousBackups"), unknown).await?;
    if is_enabled {
        return Err(ApiError::backups_unavailable(
            "This server does not support point in time recovery yet",
        ));
    }
    Ok(UpdateContinuousBackupsResponse { continuous_backups_description: Some(description()) })
}

fn is_enabled(specification: &PointInTimeRecoverySpecification) -> Result<bool, ApiError> {
    let is_enabled = specification.point_in_time_recovery_enabled.unwrap_or_default();
    match specification.recovery_period_in_days {
        Some(_) if !is_enabled => Err(ApiError::invalid_request(
            "Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.",
        )),
        Some(_) | None => Ok(is_enabled),
    }
}

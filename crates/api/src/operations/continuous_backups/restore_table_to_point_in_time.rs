//! `RestoreTableToPointInTime`. Refused: no earlier states of tables are kept.

use std::convert::Infallible;

use monotable_protocol::continuous_backups::RestoreTableToPointInTimeRequest;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::model;
use crate::validate::table_name::{self, TableName};

const ACTION: &str = "RestoreTableToPointInTime";

/// Runs `RestoreTableToPointInTime`. That recovery is not enabled is said before anything about
/// the time or the target, as AWS does.
pub(crate) async fn restore_table_to_point_in_time<E: Engine>(
    api: &Session<'_, E>,
    request: RestoreTableToPointInTimeRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let source = source(&request)?;
    check_time(&request)?;
    let target = request.target_table_name.as_deref().unwrap_or_default();
    api.authorize_new_table(target, || Wish::new(ACTION))?;
    let table =
        api.table_or(source, || Wish::new(ACTION), || ApiError::unknown_table(source.name()));
    let table = table.await?;
    Err(ApiError::point_in_time_recovery_unavailable(&table.schema().name))
}

/// The table to recover, which is given by its name or by its ARN.
fn source(request: &RestoreTableToPointInTimeRequest) -> Result<TableName<'_>, ApiError> {
    match (&request.source_table_arn, &request.source_table_name) {
        (Some(_), Some(_)) => Err(ApiError::validation(
            "Must provide exactly one of: sourceTableArn, sourceTableName",
        )),
        (Some(arn), None) => table_name::of_arn(arn, "sourceTableArn"),
        (None, name) => table_name::of_table(name),
    }
}

fn check_time(request: &RestoreTableToPointInTimeRequest) -> Result<(), ApiError> {
    let is_latest = request.use_latest_restorable_time.unwrap_or_default();
    match (is_latest, request.restore_date_time.is_some()) {
        (true, true) => Err(ApiError::invalid_request(
            "Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time \
             restore request. Please specify either RestoreDateTime time or \
             UseLatestRestorableTime",
        )),
        (false, false) => Err(ApiError::invalid_request(
            "Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not \
             both",
        )),
        (true, false) | (false, true) => Ok(()),
    }
}

//! `ListBackups`: names the backups, of which there is none.

use monotable_protocol::backup::{ListBackupsRequest, ListBackupsResponse};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::table_part::{PartKind, TablePart};
use crate::validate::model;

/// Runs `ListBackups`. As on AWS, the table need not exist.
pub(crate) async fn list_backups<E: Engine>(
    api: &Session<'_, E>,
    request: ListBackupsRequest,
) -> Result<ListBackupsResponse, ApiError> {
    model::check(&request)?;
    check_time_range(&request)?;
    if let Some(start) = &request.exclusive_start_backup_arn {
        TablePart::read(PartKind::Backup, Some(start))?;
    }
    api.authorize_all_tables("ListBackups")?;
    Ok(ListBackupsResponse { backup_summaries: Some(Vec::new()) })
}

fn check_time_range(request: &ListBackupsRequest) -> Result<(), ApiError> {
    let range = request.time_range_lower_bound.zip(request.time_range_upper_bound);
    if range.is_some_and(|(lower, upper)| lower > upper) {
        Err(ApiError::parameter("Time range lower bound must be less than or equal to upper bound"))
    } else {
        Ok(())
    }
}

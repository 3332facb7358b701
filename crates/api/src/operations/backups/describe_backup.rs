//! `DescribeBackup`: tells what a backup holds, of which there is none.

use std::convert::Infallible;

use monotable_protocol::backup::DescribeBackupRequest;
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::table_part::{PartKind, TablePart};
use crate::validate::model;

/// Runs `DescribeBackup`.
pub(crate) async fn describe_backup<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeBackupRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let backup = TablePart::read(PartKind::Backup, request.backup_arn.as_deref())?;
    api.authorize_part(&backup, "DescribeBackup")?;
    Err(ApiError::backup_not_found(backup.as_sent()))
}

//! `DeleteBackup`: removes a backup, of which there is none.

use std::convert::Infallible;

use monotable_protocol::backup::DeleteBackupRequest;
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::table_part::{PartKind, TablePart};
use crate::validate::model;

/// Runs `DeleteBackup`.
pub(crate) async fn delete_backup<E: Engine>(
    api: &Session<'_, E>,
    request: DeleteBackupRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let backup = TablePart::read(PartKind::Backup, request.backup_arn.as_deref())?;
    api.authorize_part(&backup, "DeleteBackup")?;
    Err(ApiError::backup_not_found(backup.as_sent()))
}

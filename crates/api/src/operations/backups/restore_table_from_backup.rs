//! `RestoreTableFromBackup`: makes a table from a backup, of which there is none.

use std::convert::Infallible;

use monotable_protocol::backup::RestoreTableFromBackupRequest;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::table_part::{PartKind, TablePart};
use crate::validate::model;

/// Runs `RestoreTableFromBackup`.
pub(crate) async fn restore_table_from_backup<E: Engine>(
    api: &Session<'_, E>,
    request: RestoreTableFromBackupRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    let backup = TablePart::read(PartKind::Backup, request.backup_arn.as_deref())?;
    api.authorize_part(&backup, "RestoreTableFromBackup")?;
    let target = request.target_table_name.as_deref().unwrap_or_default();
    api.authorize_new_table(target, || Wish::new("RestoreTableFromBackup"))?;
    Err(ApiError::backup_not_found(backup.as_sent()))
}

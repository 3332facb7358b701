//! `CreateBackup`: makes a backup of a table, which this server does not do yet.

use std::convert::Infallible;

use monotable_protocol::backup::CreateBackupRequest;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{model, table_name};

/// Runs `CreateBackup`, which is refused with the error for a table that has no backups.
pub(crate) async fn create_backup<E: Engine>(
    api: &Session<'_, E>,
    request: CreateBackupRequest,
) -> Result<Infallible, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    model::check(&request)?;
    let unknown = || ApiError::unknown_table(name.name());
    api.table_or(name, || Wish::new("CreateBackup"), unknown).await?;
    Err(ApiError::backups_unavailable("This server does not make backups yet"))
}

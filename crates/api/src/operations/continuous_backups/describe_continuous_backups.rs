//! `DescribeContinuousBackups`: tells whether a table can be recovered to a point in time.

use monotable_protocol::continuous_backups::{
    DescribeContinuousBackupsRequest, DescribeContinuousBackupsResponse,
};
use monotable_storage::Engine;

use super::description;
use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::table_name;

/// Runs `DescribeContinuousBackups`.
pub(crate) async fn describe_continuous_backups<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeContinuousBackupsRequest,
) -> Result<DescribeContinuousBackupsResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    let unknown = || ApiError::unknown_table(name.name());
    api.table_or(name, || Wish::new("DescribeContinuousBackups"), unknown).await?;
    Ok(DescribeContinuousBackupsResponse { continuous_backups_description: Some(description()) })
}

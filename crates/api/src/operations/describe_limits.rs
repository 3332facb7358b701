//! `DescribeLimits`: tells how much an account may ask for.

use monotable_protocol::describe_limits::{DescribeLimitsRequest, DescribeLimitsResponse};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;

/// The units of all tables of an account together, as AWS grants them at first.
const ACCOUNT_UNITS_MAX: i64 = 80_000;
/// The units of one table.
const TABLE_UNITS_MAX: i64 = 40_000;

/// Runs `DescribeLimits`. The limits are those of a new account on AWS; here nobody is held to
/// them.
pub(crate) async fn describe_limits<E: Engine>(
    api: &Session<'_, E>,
    _: DescribeLimitsRequest,
) -> Result<DescribeLimitsResponse, ApiError> {
    api.authorize_anything("DescribeLimits")?;
    Ok(DescribeLimitsResponse {
        account_max_read_capacity_units: Some(ACCOUNT_UNITS_MAX),
        account_max_write_capacity_units: Some(ACCOUNT_UNITS_MAX),
        table_max_read_capacity_units: Some(TABLE_UNITS_MAX),
        table_max_write_capacity_units: Some(TABLE_UNITS_MAX),
    })
}

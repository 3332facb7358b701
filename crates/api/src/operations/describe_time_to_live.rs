//! `DescribeTimeToLive`: tells how the items of a table expire.

use monotable_database::schema::TimeToLive;
use monotable_protocol::describe_time_to_live::{
    DescribeTimeToLiveRequest, DescribeTimeToLiveResponse,
};
use monotable_protocol::shapes::TimeToLiveDescription;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{admission, table_name};

/// Runs `DescribeTimeToLive`.
pub(crate) async fn describe_time_to_live<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeTimeToLiveRequest,
) -> Result<DescribeTimeToLiveResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    let described = api.described(name, || Wish::new("DescribeTimeToLive")).await?;
    let schema = described.table.schema();
    admission::check_time_to_live_is_known(schema, api.database.now_millis())?;
    let description = describe(schema.time_to_live.as_ref());
    Ok(DescribeTimeToLiveResponse { time_to_live_description: Some(description) })
}

/// A table whose items do not expire any more is like one whose items never did.
fn describe(time_to_live: Option<&TimeToLive>) -> TimeToLiveDescription {
    let status = match time_to_live.map(|time_to_live| time_to_live.is_active) {
        None => "DISABLED",
        Some(false) => "ENABLING",
        Some(true) => "ENABLED",
    };
    TimeToLiveDescription {
        time_to_live_status: Some(status.to_owned()),
        attribute_name: time_to_live.map(|time_to_live| time_to_live.attribute.clone()),
    }
}

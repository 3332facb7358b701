//! `DescribeEndpoints`: tells where calls are to be sent.

use monotable_protocol::describe_endpoints::{
    DescribeEndpointsRequest, DescribeEndpointsResponse, Endpoint,
};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;

/// How long clients may remember the address, as on AWS.
const CACHE_PERIOD_MINUTES: i64 = 1440;

/// Runs `DescribeEndpoints`. Calls are to be sent to where this one was.
pub(crate) async fn describe_endpoints<E: Engine>(
    api: &Session<'_, E>,
    _: DescribeEndpointsRequest,
) -> Result<DescribeEndpointsResponse, ApiError> {
    api.authorize_anything("DescribeEndpoints")?;
    let aws = || format!("dynamodb.{}.amazonaws.com", api.home().region());
    let endpoint = Endpoint {
        address: Some(api.host().map_or_else(aws, str::to_owned)),
        cache_period_in_minutes: Some(CACHE_PERIOD_MINUTES),
    };
    Ok(DescribeEndpointsResponse { endpoints: Some(vec![endpoint]) })
}

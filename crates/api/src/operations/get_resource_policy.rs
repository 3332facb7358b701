//! `GetResourcePolicy`: tells who may use a table or stream.

use monotable_protocol::get_resource_policy::{
    GetResourcePolicyRequest, GetResourcePolicyResponse,
};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::resource_arn::ResourceArn;
use crate::validate::resource_policy::revision_id;

/// Runs `GetResourcePolicy`. The document comes in the one form that all spellings of it share.
pub(crate) async fn get_resource_policy<E: Engine>(
    api: &Session<'_, E>,
    request: GetResourcePolicyRequest,
) -> Result<GetResourcePolicyResponse, ApiError> {
    let arn = ResourceArn::read(&request.resource_arn)?;
    let holder = api.policy_holder(arn, "GetResourcePolicy").await?;
    let known = holder.policy();
    let document = known.document.as_deref();
    let document = document.ok_or_else(|| ApiError::policy_not_found(arn.as_sent()))?;
    Ok(GetResourcePolicyResponse {
        policy: Some(document.to_owned()),
        revision_id: revision_id(known),
    })
}

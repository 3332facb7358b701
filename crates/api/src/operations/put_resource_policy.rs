//! `PutResourcePolicy`: says who may use a table or stream.

use monotable_database::AttachedPolicy;
use monotable_protocol::put_resource_policy::{
    PutResourcePolicyRequest, PutResourcePolicyResponse,
};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::policy_holder::PolicyHolder;
use crate::session::Session;
use crate::validate::constraint::Violations;
use crate::validate::resource_arn::ResourceArn;
use crate::validate::resource_policy::{self, CheckedPolicy, revision_id};
use crate::wording;

/// Runs `PutResourcePolicy`. Another spelling of the policy that is there is no change.
pub(crate) async fn put_resource_policy<E: Engine>(
    api: &Session<'_, E>,
    request: PutResourcePolicyRequest,
) -> Result<PutResourcePolicyResponse, ApiError> {
    let arn = ResourceArn::read(&request.resource_arn)?;
    let mut violations = Violations::default();
    violations.require(&request.policy, "policy");
    resource_policy::check_revision_member(&mut violations, &request.expected_revision_id);
    violations.finish()?;
    let json = request.policy.as_deref().unwrap_or_default();
    let checked = resource_policy::read(json, arn.subject())?;
    let holder = api.policy_holder(arn, "PutResourcePolicy").await?;
    let known = holder.policy();
    resource_policy::check_revision(known, &request.expected_revision_id, holder.owner())?;
    if request.confirm_remove_self_resource_access != Some(true) {
        api.check_may_put_policy(&holder, &checked.policy)?;
    }
    let put = put(api, &holder, checked).await?;
    Ok(PutResourcePolicyResponse { revision_id: revision_id(&put) })
}

async fn put<E: Engine>(
    api: &Session<'_, E>,
    holder: &PolicyHolder,
    checked: CheckedPolicy,
) -> Result<AttachedPolicy, ApiError> {
    let known = holder.policy();
    if known.document.as_ref() == Some(&checked.document) {
        return Ok(known.clone());
    }
    holder.check_changeable(api.database.now_millis())?;
    let put = api.set_policy(holder, Some(checked.document)).await;
    put.map_err(|error| wording::table::word(error, holder.table_name()))
}

//! `DeleteResourcePolicy`: removes the policy of a table or stream.

use monotable_protocol::delete_resource_policy::{
    DeleteResourcePolicyRequest, DeleteResourcePolicyResponse,
};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::validate::constraint::Violations;
use crate::validate::resource_arn::ResourceArn;
use crate::validate::resource_policy::{self, revision_id};
use crate::wording;

/// Runs `DeleteResourcePolicy`. To remove what is not there is no mistake; the answer then tells
/// since when it is not, if it ever was.
pub(crate) async fn delete_resource_policy<E: Engine>(
    api: &Session<'_, E>,
    request: DeleteResourcePolicyRequest,
) -> Result<DeleteResourcePolicyResponse, ApiError> {
    let arn = ResourceArn::read(&request.resource_arn)?;
    let mut violations = Violations::default();
    resource_policy::check_revision_member(&mut violations, &request.expected_revision_id);
    violations.finish()?;
    let holder = api.policy_holder(arn, "DeleteResourcePolicy").await?;
    let known = holder.policy();
    resource_policy::check_revision(known, &request.expected_revision_id, holder.owner())?;
    if known.document.is_some() {
        holder.check_changeable(api.database.now_millis())?;
        let removed = api.set_policy(&holder, None).await;
        removed.map_err(|error| wording::table::word(error, holder.table_name()))?;
    }
    Ok(DeleteResourcePolicyResponse { revision_id: revision_id(known) })
}

//! `UntagResource`: removes tags from a table.

use monotable_protocol::untag_resource::{UntagResourceRequest, UntagResourceResponse};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::constraint::Violations;
use crate::validate::resource_arn::ResourceArn;
use crate::validate::{admission, tags};
use crate::wording;

/// Runs `UntagResource`. Tags that the table does not have are no mistake.
pub(crate) async fn untag_resource<E: Engine>(
    api: &Session<'_, E>,
    request: UntagResourceRequest,
) -> Result<UntagResourceResponse, ApiError> {
    let arn = ResourceArn::read(&request.resource_arn)?;
    let mut violations = Violations::default();
    violations.require(&request.tag_keys, "tagKeys");
    violations.finish()?;
    let keys = request.tag_keys.as_deref().unwrap_or_default();
    tags::check_keys(keys)?;
    let wish = || Wish {
        removed_tags: keys.iter().map(String::as_str).collect(),
        ..Wish::new("UntagResource")
    };
    let table = api.tagged_table(arn, wish).await?;
    let schema = table.schema();
    let mut left = schema.tags.clone();
    keys.iter().for_each(|key| drop(left.remove(key)));
    if left != schema.tags {
        admission::check_exists(schema, api.database.now_millis())?;
        let changed = api.database.set_tags(&table, left).await;
        changed.map_err(|error| wording::table::word(error, &schema.name))?;
    }
    Ok(UntagResourceResponse {})
}

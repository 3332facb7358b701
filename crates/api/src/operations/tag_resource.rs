//! `TagResource`: adds tags to a table, and changes those that it has.

use monotable_protocol::tag_resource::{TagResourceRequest, TagResourceResponse};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::constraint::Violations;
use crate::validate::resource_arn::ResourceArn;
use crate::validate::{admission, tags};
use crate::wording;

/// Runs `TagResource`. Tags that the table has already are no change.
pub(crate) async fn tag_resource<E: Engine>(
    api: &Session<'_, E>,
    request: TagResourceRequest,
) -> Result<TagResourceResponse, ApiError> {
    let arn = ResourceArn::read(&request.resource_arn)?;
    let mut violations = Violations::default();
    violations.require(&request.tags, "tags");
    violations.finish()?;
    let added = tags::read_some(request.tags.as_deref().unwrap_or_default())?;
    let table = api.tagged_table(arn, || wish(&request)).await?;
    let schema = table.schema();
    let merged = tags::merged(&schema.tags, added)?;
    if merged != schema.tags {
        admission::check_exists(schema, api.database.now_millis())?;
        let changed = api.database.set_tags(&table, merged).await;
        changed.map_err(|error| wording::table::word(error, &schema.name))?;
    }
    Ok(TagResourceResponse {})
}

fn wish(request: &TagResourceRequest) -> Wish<'_> {
    let tags = request.tags.iter().flatten();
    let tags = tags.filter_map(|tag| tag.key.as_deref().zip(tag.value.as_deref()));
    Wish { tags: tags.collect(), ..Wish::new("TagResource") }
}

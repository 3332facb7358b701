//! `ListTagsOfResource`: names the tags of a table.

use monotable_protocol::list_tags_of_resource::{
    ListTagsOfResourceRequest, ListTagsOfResourceResponse,
};
use monotable_protocol::shapes::Tag;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::resource_arn::ResourceArn;

/// Runs `ListTagsOfResource`. All tags that a table can have are one page, as on AWS, where a token
/// that leads nowhere leads to the first page.
pub(crate) async fn list_tags_of_resource<E: Engine>(
    api: &Session<'_, E>,
    request: ListTagsOfResourceRequest,
) -> Result<ListTagsOfResourceResponse, ApiError> {
    let arn = ResourceArn::read(&request.resource_arn)?;
    let table = api.tagged_table(arn, || Wish::new("ListTagsOfResource")).await?;
    let tag = |(key, value): (&String, &String)| Tag {
        key: Some(key.clone()),
        value: Some(value.clone()),
    };
    let tags = table.schema().tags.iter().map(tag).collect();
    Ok(ListTagsOfResourceResponse { tags: Some(tags), next_token: None })
}

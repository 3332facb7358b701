//! `DescribeStream`: tells what a stream is, and names its shards, a page at a time.

use monotable_database::stream::{ShardSchema, StreamSchema};
use monotable_item::limits::DESCRIBE_STREAM_PAGE_MAX;
use monotable_protocol::describe_stream::{DescribeStreamRequest, DescribeStreamResponse};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::render::stream_description;
use crate::session::Session;
use crate::stream::shard_id;
use crate::validate::constraint::Violations;
use crate::validate::stream_members::{
    self, EXCLUSIVE_START_SHARD_ID, FILTER_SHARD_ID, FilterType, SHARD_FILTER_TYPE, STREAM_ARN,
};

/// Runs `DescribeStream`.
pub(crate) async fn describe_stream<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeStreamRequest,
) -> Result<DescribeStreamResponse, ApiError> {
    let Members { arn, limit, children_of } = Members::read(&request)?;
    let stream = api.stream(arn, "DescribeStream").await?;
    let start = request.exclusive_start_shard_id.as_deref();
    let shards = page(&stream, children_of, start, limit + 1);
    let description = stream_description::describe(&stream, shards, limit);
    Ok(DescribeStreamResponse { stream_description: Some(description) })
}

/// The members that are well-formed.
struct Members<'a> {
    arn: &'a str,
    limit: usize,
    /// The shard whose children are wanted, if not all shards are.
    children_of: Option<&'a str>,
}

impl Members<'_> {
    fn read(request: &DescribeStreamRequest) -> Result<Members<'_>, ApiError> {
        let mut found = Violations::default();
        let violations = &mut found;
        let arn = STREAM_ARN.require(violations, &request.stream_arn);
        let limit = stream_members::limit(violations, request.limit, DESCRIBE_STREAM_PAGE_MAX);
        EXCLUSIVE_START_SHARD_ID.check(violations, &request.exclusive_start_shard_id);
        let children_of = children_of(violations, request);
        found.finish()?;
        Ok(Members { arn, limit, children_of })
    }
}

fn children_of<'a>(
    violations: &mut Violations,
    request: &'a DescribeStreamRequest,
) -> Option<&'a str> {
    let filter = request.shard_filter.as_ref()?;
    let kind = SHARD_FILTER_TYPE.read(&filter.kind);
    violations.extend(kind.as_ref().err().cloned());
    match kind.ok()?? {
        FilterType::ChildShards => Some(FILTER_SHARD_ID.require(violations, &filter.shard_id)),
    }
}

/// The shards in the order of their ids, those after `start`.
fn page<'a>(
    stream: &'a StreamSchema,
    children_of: Option<&str>,
    start: Option<&str>,
    limit: usize,
) -> Vec<&'a ShardSchema> {
    let parent = children_of.map(|id| shard_id::find(stream, id).map(|shard| shard.id));
    let is_wanted = |shard: &&ShardSchema| match parent {
        None => true,
        Some(parent) => parent.is_some() && shard.parent == parent,
    };
    let is_after =
        |shard: &&ShardSchema| start.is_none_or(|start| shard_id::shard_id(shard).as_str() > start);
    let mut shards: Vec<_> = stream.shards.iter().filter(is_wanted).filter(is_after).collect();
    shards.sort_by_key(|shard| shard_id::shard_id(shard));
    shards.truncate(limit);
    shards
}

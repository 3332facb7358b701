//! `ListStreams`: names the streams, a page at a time.

use monotable_database::Home;
use monotable_item::limits::LIST_STREAMS_PAGE_MAX;
use monotable_protocol::list_streams::{ListStreamsRequest, ListStreamsResponse, Stream};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::resource_name::stream_arn;
use crate::session::Session;
use crate::stream::arn::StreamName;
use crate::validate::constraint::Violations;
use crate::validate::stream_members::{self, EXCLUSIVE_START_STREAM_ARN};
use crate::validate::table_name;

/// Runs `ListStreams`. A stream stays in the list for a day after it was disabled, or its table
/// deleted.
pub(crate) async fn list_streams<E: Engine>(
    api: &Session<'_, E>,
    request: ListStreamsRequest,
) -> Result<ListStreamsResponse, ApiError> {
    let limit = check(&request)?;
    let start = start(&request)?;
    api.authorize_all_streams("ListStreams")?;
    let is_wanted = |name: &StreamName| {
        request.table_name.as_ref().is_none_or(|table| name.table == *table)
            && start.as_ref().is_none_or(|start| name > start)
    };
    let streams = match &request.table_name {
        Some(table) => api.database.streams_of(api.home(), table).await?,
        None => api.database.streams(api.home()).await?,
    };
    let names = streams.iter().map(StreamName::of).filter(is_wanted);
    let mut names: Vec<StreamName> = names.collect();
    names.sort();
    Ok(page(api.home(), names, limit))
}

fn check(request: &ListStreamsRequest) -> Result<usize, ApiError> {
    let mut violations = Violations::default();
    if let Some(table) = &request.table_name {
        violations.append(table_name::known_name_violations(table, &"tableName"));
    }
    let limit = stream_members::limit(&mut violations, request.limit, LIST_STREAMS_PAGE_MAX);
    EXCLUSIVE_START_STREAM_ARN.check(&mut violations, &request.exclusive_start_stream_arn);
    violations.finish()?;
    Ok(limit)
}

/// The name after which the page starts. The stream may be gone by now: names are in order without
/// it.
fn start(request: &ListStreamsRequest) -> Result<Option<StreamName>, ApiError> {
    let Some(arn) = &request.exclusive_start_stream_arn else { return Ok(None) };
    let name = StreamName::parse(arn);
    name.map(Some).ok_or_else(|| ApiError::validation("Invalid StreamArn"))
}

fn page(home: &Home, mut names: Vec<StreamName>, limit: usize) -> ListStreamsResponse {
    let has_more = names.len() > limit;
    names.truncate(limit);
    let last = names.last().filter(|_| has_more);
    let last_evaluated_stream_arn = last.map(|name| stream_arn(home, name));
    let streams = names.into_iter().map(|name| Stream {
        stream_arn: Some(stream_arn(home, &name)),
        table_name: Some(name.table),
        stream_label: Some(name.label),
    });
    ListStreamsResponse { streams: Some(streams.collect()), last_evaluated_stream_arn }
}

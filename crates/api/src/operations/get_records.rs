//! `GetRecords`: reads records of a shard.

use monotable_database::stream::{RecordsPage, ShardSchema, StreamSchema};
use monotable_item::limits::{GET_RECORDS_MAX, SHARD_ITERATOR_SECS};
use monotable_protocol::get_records::{GetRecordsRequest, GetRecordsResponse, Record};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::observation;
use crate::render::stream_record;
use crate::session::Session;
use crate::stream::iterator::{ShardIterator, ShardPosition};
use crate::validate::constraint::Violations;
use crate::validate::stream_members::{self, SHARD_ITERATOR};

/// Runs `GetRecords`. At the end of a closed shard the answer has no further iterator.
pub(crate) async fn get_records<E: Engine>(
    api: &Session<'_, E>,
    request: GetRecordsRequest,
) -> Result<GetRecordsResponse, ApiError> {
    let mut violations = Violations::default();
    let iterator = SHARD_ITERATOR.require(&mut violations, &request.shard_iterator);
    let limit = stream_members::limit(&mut violations, request.limit, GET_RECORDS_MAX);
    violations.finish()?;
    let iterator = ShardIterator::decode(iterator)
        .ok_or_else(|| ApiError::validation("Invalid ShardIterator"))?;
    let now_millis = api.database.now_millis();
    if now_millis.saturating_sub(iterator.issued_millis) > SHARD_ITERATOR_SECS * 1000 {
        return Err(ApiError::expired_iterator());
    }
    let stream = stream_of(api, &iterator).await?;
    let page = read(api, &stream, &iterator, limit).await?;
    observation::note_items(page.records.len());
    let next = next_iterator(&iterator, &page, now_millis);
    let shard = shard_of(&stream, &iterator)?;
    let render = |record| stream_record::render(&stream, shard, record);
    let records: Result<Vec<Record>, _> = page.records.into_iter().map(render).collect();
    Ok(GetRecordsResponse {
        records: Some(records?),
        next_shard_iterator: next.map(|next| next.encode()),
    })
}

/// The stream as it is now. Another one may have its name by now.
async fn stream_of<E: Engine>(
    api: &Session<'_, E>,
    iterator: &ShardIterator,
) -> Result<StreamSchema, ApiError> {
    let stream = api.stream(&iterator.stream_arn, "GetRecords").await?;
    if (stream.table, stream.id) == (iterator.table, iterator.stream) {
        Ok(stream)
    } else {
        Err(ApiError::stream_not_found(&iterator.stream_arn))
    }
}

/// Reads on from a place. Whether records of the shard were removed after it, and whether the shard
/// was closed, is looked at when the records have been read, because both can happen meanwhile:
/// what came after the end of the shard belongs to its child, which has it too.
async fn read<E: Engine>(
    api: &Session<'_, E>,
    stream: &StreamSchema,
    iterator: &ShardIterator,
    limit: usize,
) -> Result<RecordsPage, ApiError> {
    let shard = shard_of(stream, iterator)?;
    let after = match iterator.place {
        ShardPosition::After(position) => position,
        ShardPosition::Oldest => shard.trimmed_position,
    };
    let mut page = api.database.records(stream, shard, after, limit).await?;
    let now = stream_of(api, iterator).await?;
    let shard = shard_of(&now, iterator)?;
    let is_trimmed = after < shard.trimmed_position;
    let is_own = |position: u64| shard.last_position.is_none_or(|last| position <= last);
    page.records.retain(|record| is_own(record.position));
    match iterator.place {
        ShardPosition::After(_) if is_trimmed => Err(ApiError::trimmed_data_access()),
        ShardPosition::After(_) | ShardPosition::Oldest => Ok(page),
    }
}

/// The shard of an iterator. One that is gone has no records left.
fn shard_of<'s>(
    stream: &'s StreamSchema,
    iterator: &ShardIterator,
) -> Result<&'s ShardSchema, ApiError> {
    stream.shard(iterator.shard).ok_or_else(ApiError::trimmed_data_access)
}

fn next_iterator(
    iterator: &ShardIterator,
    page: &RecordsPage,
    issued_millis: u64,
) -> Option<ShardIterator> {
    let last = page.records.last();
    let place = last.map_or(iterator.place, |last| ShardPosition::After(last.position));
    (!page.is_last).then(|| ShardIterator { place, issued_millis, ..iterator.clone() })
}

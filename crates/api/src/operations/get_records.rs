//! `GetRecords`: reads records of a shard.

use std::sync::Arc;

use monotable_database::stream::{RecordsPage, StreamSchema};
use monotable_item::limits::{GET_RECORDS_MAX, SHARD_ITERATOR_SECS};
use monotable_protocol::get_records::{GetRecordsRequest, GetRecordsResponse, Record};
use monotable_storage::Engine;

use crate::context::Api;
use crate::error::ApiError;
use crate::render::stream_record;
use crate::stream::iterator::{Place, ShardIterator};
use crate::validate::constraint::Violations;
use crate::validate::stream_members::{self, SHARD_ITERATOR};

/// Runs `GetRecords`. At the end of a closed shard the answer has no further iterator.
pub(crate) async fn get_records<E: Engine>(
    api: &Api<E>,
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
    let stream = stream_of(api, &iterator)?;
    let page = read(api, &stream, &iterator, limit).await?;
    let next = next_iterator(&iterator, &page, now_millis);
    let render = |record| stream_record::render(api, &stream, record);
    let records: Result<Vec<Record>, _> = page.records.into_iter().map(render).collect();
    Ok(GetRecordsResponse {
        records: Some(records?),
        next_shard_iterator: next.map(|next| next.encode()),
    })
}

fn stream_of<E: Engine>(
    api: &Api<E>,
    iterator: &ShardIterator,
) -> Result<Arc<StreamSchema>, ApiError> {
    let stream = api.database.stream(iterator.table, iterator.stream);
    stream.ok_or_else(|| ApiError::stream_not_found(&iterator.stream_arn))
}

/// Reads on from a place. Whether records of the shard were removed after it is looked at when the records
/// have been read, because they can be removed meanwhile.
async fn read<E: Engine>(
    api: &Api<E>,
    stream: &StreamSchema,
    iterator: &ShardIterator,
    limit: usize,
) -> Result<RecordsPage, ApiError> {
    let after = match iterator.place {
        Place::After(position) => position,
        Place::Oldest => trimmed_position(stream, iterator)?,
    };
    let page = api.database.records(stream, iterator.shard, after, limit).await?;
    let is_trimmed = after < trimmed_position(&*stream_of(api, iterator)?, iterator)?;
    match iterator.place {
        Place::After(_) if is_trimmed => Err(ApiError::trimmed_data_access()),
        Place::After(_) | Place::Oldest => Ok(page),
    }
}

/// Up to where the records of the iterator's shard have been removed: a shard that is gone has none left.
fn trimmed_position(stream: &StreamSchema, iterator: &ShardIterator) -> Result<u64, ApiError> {
    let shard = stream.shard(iterator.shard).ok_or_else(ApiError::trimmed_data_access)?;
    Ok(shard.trimmed_position)
}

fn next_iterator(
    iterator: &ShardIterator,
    page: &RecordsPage,
    issued_millis: u64,
) -> Option<ShardIterator> {
    let last = page.records.last();
    let place = last.map_or(iterator.place, |last| Place::After(last.position));
    (!page.is_last).then(|| ShardIterator { place, issued_millis, ..iterator.clone() })
}

//! `GetShardIterator`: gives a place in a shard to read from.

use monotable_database::stream::{ShardSchema, StreamSchema};
use monotable_protocol::get_shard_iterator::{GetShardIteratorRequest, GetShardIteratorResponse};
use monotable_storage::Engine;

use crate::error::ApiError;
use crate::session::Session;
use crate::stream::iterator::{ShardIterator, ShardPosition};
use crate::stream::{sequence_number, shard_id};
use crate::validate::constraint::Violations;
use crate::validate::stream_members::{
    IteratorType, SEQUENCE_NUMBER, SHARD_ID, SHARD_ITERATOR_TYPE, STREAM_ARN,
};

const ACTION: &str = "GetShardIterator";

/// Runs `GetShardIterator`.
pub(crate) async fn get_shard_iterator<E: Engine>(
    api: &Session<'_, E>,
    request: GetShardIteratorRequest,
) -> Result<GetShardIteratorResponse, ApiError> {
    let Members { arn, shard, start } = Members::read(&request)?;
    let stream = api.stream(arn, ACTION).await?;
    let shard = shard_id::find(&stream, shard).ok_or_else(ApiError::shard_not_found)?;
    let iterator = ShardIterator {
        stream_arn: arn.to_owned(),
        table: stream.table,
        stream: stream.id,
        shard: shard.id,
        place: place(api, arn, &stream, shard, start).await?,
        issued_millis: api.database.now_millis(),
    };
    Ok(GetShardIteratorResponse { shard_iterator: Some(iterator.encode()) })
}

/// The members that are well-formed.
struct Members<'a> {
    arn: &'a str,
    shard: &'a str,
    start: Start,
}

/// Where the iterator is to stand.
enum Start {
    TrimHorizon,
    Latest,
    At(u64),
    After(u64),
    Since { millis: u64 },
}

impl Members<'_> {
    fn read(request: &GetShardIteratorRequest) -> Result<Members<'_>, ApiError> {
        let mut violations = Violations::default();
        let arn = STREAM_ARN.require(&mut violations, &request.stream_arn);
        let shard = SHARD_ID.require(&mut violations, &request.shard_id);
        violations.require(&request.shard_iterator_type, "shardIteratorType");
        let kind = SHARD_ITERATOR_TYPE.read(&request.shard_iterator_type);
        violations.extend(kind.as_ref().err().cloned());
        SEQUENCE_NUMBER.check(&mut violations, &request.sequence_number);
        violations.finish()?;
        let kind = kind.ok().flatten().unwrap_or(IteratorType::TrimHorizon);
        Ok(Members { arn, shard, start: start(kind, request)? })
    }
}

fn start(kind: IteratorType, request: &GetShardIteratorRequest) -> Result<Start, ApiError> {
    let number = request.sequence_number.as_deref().map(read_sequence_number).transpose()?;
    if kind != IteratorType::AtTimestamp && request.timestamp.is_some() {
        return Err(ApiError::parameter(
            "Timestamp must not be specified with a ShardIteratorType other than AT_TIMESTAMP",
        ));
    }
    match (kind, number) {
        (IteratorType::TrimHorizon, None) => Ok(Start::TrimHorizon),
        (IteratorType::Latest, None) => Ok(Start::Latest),
        (IteratorType::AtSequenceNumber, Some(number)) => Ok(Start::At(number)),
        (IteratorType::AfterSequenceNumber, Some(number)) => Ok(Start::After(number)),
        (IteratorType::TrimHorizon | IteratorType::Latest, Some(_)) => Err(ApiError::parameter(
            "SequenceNumber must not be specified with ShardIteratorType TRIM_HORIZON or LATEST",
        )),
        (IteratorType::AtTimestamp, Some(_)) => Err(ApiError::parameter(
            "SequenceNumber must not be specified with ShardIteratorType AT_TIMESTAMP",
        )),
        (IteratorType::AtTimestamp, None) => {
            let timestamp = request.timestamp.ok_or_else(|| {
                ApiError::parameter(
                    "Timestamp must be specified with ShardIteratorType AT_TIMESTAMP",
                )
            })?;
            // All records are later than a time before 1970.
            Ok(Start::Since { millis: u64::try_from(timestamp.epoch_millis).unwrap_or(0) })
        }
        (IteratorType::AtSequenceNumber | IteratorType::AfterSequenceNumber, None) => {
            Err(ApiError::parameter(
                "SequenceNumber must be specified with ShardIteratorType AT_SEQUENCE_NUMBER or \
                 AFTER_SEQUENCE_NUMBER",
            ))
        }
    }
}

fn read_sequence_number(text: &str) -> Result<u64, ApiError> {
    sequence_number::read(text).ok_or_else(invalid_sequence_number)
}

fn invalid_sequence_number() -> ApiError {
    ApiError::validation("Invalid SequenceNumber")
}

/// The place in a shard. How far its records were removed is looked at when its last record has
/// been read, because both can change meanwhile: a number that was the last one's would seem to lie
/// ahead of a shard that has no records any more.
async fn place<E: Engine>(
    api: &Session<'_, E>,
    arn: &str,
    stream: &StreamSchema,
    shard: &ShardSchema,
    start: Start,
) -> Result<ShardPosition, ApiError> {
    let last = api.database.last_record(stream, shard).await?;
    let now = api.stream(arn, ACTION).await?;
    let shard = now.shard(shard.id).ok_or_else(ApiError::shard_not_found)?;
    match start {
        Start::TrimHorizon => Ok(ShardPosition::Oldest),
        Start::Latest => Ok(ShardPosition::After(last.unwrap_or(shard.trimmed_position))),
        Start::At(number) => {
            check_number(shard, number, last)?;
            let is_start = number == shard.start();
            place_after(shard, shard.position(number).saturating_sub(u64::from(!is_start)))
        }
        Start::After(number) => {
            check_number(shard, number, last)?;
            place_after(shard, shard.position(number))
        }
        Start::Since { millis } => {
            if millis > api.database.now_millis() {
                return Err(ApiError::parameter("Timestamp must not be in the future"));
            }
            let older = api.database.last_record_before(stream, shard, millis).await?;
            Ok(older.map_or(ShardPosition::Oldest, ShardPosition::After))
        }
    }
}

/// A number beyond the last record is refused: what is written there later would be left out
/// without a word. The shard's start is its own, even without a record.
fn check_number(shard: &ShardSchema, number: u64, last: Option<u64>) -> Result<(), ApiError> {
    let last = shard.sequence_number(last.unwrap_or(shard.trimmed_position));
    if number > last { Err(invalid_sequence_number()) } else { Ok(()) }
}

fn place_after(shard: &ShardSchema, position: u64) -> Result<ShardPosition, ApiError> {
    if position < shard.trimmed_position {
        Err(ApiError::trimmed_data_access())
    } else {
        Ok(ShardPosition::After(position))
    }
}

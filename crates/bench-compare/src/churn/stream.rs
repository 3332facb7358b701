//! A stream that forgets: writes go on, and records older than a day are dropped all the time.
//!
//! A day would be too long to wait for, so the server has a clock that is moved: an hour of its
//! time in each second. A consumer begins at the oldest record that there is, again and again, and
//! so has to pass whatever the dropped ones left behind.

use std::time::Duration;

use anyhow::{Context, Result};
use monotable_bench::clock;
use monotable_bench::http::{Connection, frame_clock};
use monotable_bench::load::Histogram;
use serde_json::{Value, json};

use super::Situation;
use super::finding::{Finding, milliseconds};
use super::shapes::{item, plain_table, put};
use super::stage::Stage;

const TABLE: &str = "changes";
const ITEM_BYTES: usize = 200;
/// Where the clock starts, in seconds since 1970.
const START_SECS: u64 = 1_767_225_600;
/// How far the clock is moved in each second.
const HOUR_SECS: u64 = 3600;
/// How often the consumer starts again in each second.
const CONSUMER_PAUSE: Duration = Duration::from_millis(100);
/// How many items are written over and over.
const ITEMS: u64 = 10_000;

/// Writes with a stream on, moves the clock, and reads from the oldest record.
pub(super) async fn measure(situation: &Situation<'_>) -> Result<Finding> {
    let plan = situation.plan;
    let start = START_SECS.to_string();
    let options = ["--clock", "manual", "--clock-start", start.as_str()];
    let stage = Stage::start(situation.settings, &options).await?;
    let mut table = plain_table(TABLE);
    if let Some(members) = table.as_object_mut() {
        let stream = json!({ "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" });
        members.insert("StreamSpecification".to_owned(), stream);
    }
    stage.create_table(&table).await?;
    let body = put(TABLE, &item("CHANGES", 0, ITEM_BYTES));
    let puts = stage.requests_over("PutItem", &body, ITEMS);
    let flows = [stage.flow("PutItem", plan.rate, puts)];
    let (mut finding, (reads, moves)) = stage
        .during(&flows, async {
            let end = clock::now() + plan.length;
            tokio::try_join!(consume(&stage, end), move_clock(&stage, end, situation))
        })
        .await?;
    let tenth = (reads.len() / 10).max(1);
    let histogram = |waits: &[Duration]| {
        let mut all = Histogram::new();
        waits.iter().for_each(|wait| all.record(*wait));
        all
    };
    finding.add_latencies("the oldest record", &histogram(&reads));
    let [first, last] = [reads.get(..tenth), reads.get(reads.len().saturating_sub(tenth)..)]
        .map(|part| milliseconds(histogram(part.unwrap_or_default()).quantile(0.5)));
    finding.add("the oldest record, p50 of the first tenth", "ms", Some(first));
    finding.add("the oldest record, p50 of the last tenth", "ms", Some(last));
    finding.add_latencies("dropping an hour of records", &histogram(&moves));
    let all = finding.latencies("PutItem", 0..usize::MAX);
    finding.add_latencies("PutItem", &all);
    finding.add_resources();
    Ok(finding)
}

/// Moves the clock an hour each second; returns how long each move took, which ends when old
/// records are gone.
async fn move_clock(
    stage: &Stage,
    end: std::time::Instant,
    situation: &Situation<'_>,
) -> Result<Vec<Duration>> {
    let mut connection = Connection::open(stage.target()).await?;
    let mut moves = Vec::new();
    let begin = clock::now();
    while clock::now() < end {
        let left = end.saturating_duration_since(clock::now());
        situation.detail(&format!("{:.0} s left", left.as_secs_f64().ceil()));
        let hours = moves.len() as u64 + 1;
        let next = begin + Duration::from_secs(hours);
        clock::wait(next.min(end).saturating_duration_since(clock::now())).await;
        let epoch_secs = START_SECS + hours * HOUR_SECS;
        let request = frame_clock(&stage.target().host, epoch_secs * 1000);
        let started = clock::now();
        connection.exchange(&request).await?.success().context("moving the clock")?;
        moves.push(started.elapsed());
    }
    Ok(moves)
}

/// Reads the oldest record again and again; returns how long each took.
async fn consume(stage: &Stage, end: std::time::Instant) -> Result<Vec<Duration>> {
    let mut connection = Connection::open(stage.target()).await?;
    let answer = connection.call("DescribeTable", &json!({ "TableName": TABLE })).await?;
    let stream = answer.pointer("/Table/LatestStreamArn").cloned();
    let stream = stream.context("the table has no stream")?;
    let mut waits = Vec::new();
    while clock::now() < end {
        // A shard may go between two calls, with its last record.
        if let Ok(wait) = read_oldest(&mut connection, &stream).await {
            waits.push(wait);
        }
        clock::wait(CONSUMER_PAUSE).await;
    }
    anyhow::ensure!(!waits.is_empty(), "the oldest record was never read");
    Ok(waits)
}

async fn read_oldest(connection: &mut Connection, stream: &Value) -> Result<Duration> {
    let started = clock::now();
    let description = connection.call("DescribeStream", &json!({ "StreamArn": stream })).await?;
    let shard = description.pointer("/StreamDescription/Shards/0/ShardId");
    let body = json!({
        "StreamArn": stream,
        "ShardId": shard.context("the stream has no shard")?,
        "ShardIteratorType": "TRIM_HORIZON",
    });
    let iterator = connection.call("GetShardIterator", &body).await?;
    let iterator = iterator.get("ShardIterator").context("there is no iterator")?;
    let body = json!({ "ShardIterator": iterator, "Limit": 1 });
    connection.call("GetRecords", &body).await?;
    Ok(started.elapsed())
}

//! All records of a table's stream, from the beginning.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::replay::{member, text};
use crate::client::Client;

/// Reads every shard from its oldest record until no more turn up. Records of one item are in
/// order; those of different shards follow each other.
///
/// Nothing is kept between two reads, so a clock that was moved cannot have expired an iterator.
pub(super) fn read_stream(client: &mut Client, table: &str) -> Result<Vec<Value>> {
    let table = client.must("DescribeTable", &json!({ "TableName": table }))?;
    let arn = text(member(&table, "Table")?, "LatestStreamArn")?;
    let mut records = Vec::new();
    for shard in shards(client, arn)? {
        records.extend(read_shard(client, arn, &shard)?);
    }
    Ok(records)
}

/// What tells a record from every other.
pub(super) fn record_id(record: &Value) -> Result<String> {
    Ok(text(record, "eventID")?.to_owned())
}

fn shards(client: &mut Client, arn: &str) -> Result<Vec<String>> {
    let mut ids: Vec<String> = Vec::new();
    let mut request = json!({ "StreamArn": arn });
    loop {
        let response = client.must("DescribeStream", &request)?;
        let description = member(&response, "StreamDescription")?;
        for shard in member(description, "Shards")?.as_array().context("Shards is no list")? {
            ids.push(text(shard, "ShardId")?.to_owned());
        }
        let Some(last) = description.get("LastEvaluatedShardId") else { return Ok(ids) };
        request = json!({ "StreamArn": arn, "ExclusiveStartShardId": last });
    }
}

fn read_shard(client: &mut Client, arn: &str, shard: &str) -> Result<Vec<Value>> {
    let request =
        json!({ "StreamArn": arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON" });
    let mut next = client.must("GetShardIterator", &request)?.get("ShardIterator").cloned();
    let mut records = Vec::new();
    while let Some(iterator) = next.filter(Value::is_string) {
        let page = client.must("GetRecords", &json!({ "ShardIterator": iterator }))?;
        let found = member(&page, "Records")?.as_array().context("Records is no list")?;
        if found.is_empty() {
            break;
        }
        records.extend(found.iter().cloned());
        next = page.get("NextShardIterator").cloned();
    }
    Ok(records)
}

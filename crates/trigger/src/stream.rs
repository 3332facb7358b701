//! The stream of a table, and the shards of a stream.

use std::fmt;

use monotable_remote::Endpoint;
use serde_json::{Value, json};

use crate::error::Error;
use crate::request::with;

/// The name of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamArn(pub(crate) String);

impl From<String> for StreamArn {
    fn from(arn: String) -> StreamArn {
        StreamArn(arn)
    }
}

impl fmt::Display for StreamArn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A part of a stream. All records of one item are in one shard, and after it in its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// Its name.
    pub id: String,
    /// The shard whose records come before, if there is one.
    pub parent: Option<String>,
}

/// The shards of a stream at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShardList {
    pub(crate) shards: Vec<Shard>,
    /// Whether the stream takes no more records.
    pub(crate) is_disabled: bool,
}

/// The stream that a table writes to.
pub async fn find_stream(endpoint: &Endpoint, table: &str) -> Result<StreamArn, Error> {
    let request = json!({ "TableName": table });
    let answer = endpoint.call("DescribeTable", &request).await?;
    let is_enabled = answer.pointer("/Table/StreamSpecification/StreamEnabled");
    let arn = answer.pointer("/Table/LatestStreamArn").and_then(Value::as_str);
    arn.filter(|_| is_enabled == Some(&Value::Bool(true)))
        .map(|arn| StreamArn(arn.to_owned()))
        .ok_or_else(|| Error::NoStream { table: table.to_owned() })
}

/// All shards of a stream, page by page.
pub(crate) async fn list_shards(
    endpoint: &Endpoint,
    stream: &StreamArn,
) -> Result<ShardList, Error> {
    let mut list = ShardList { shards: Vec::new(), is_disabled: false };
    let mut last = None;
    loop {
        let request = json!({ "StreamArn": stream.0 });
        let request = with(request, "ExclusiveStartShardId", last.map(Value::String));
        let answer = endpoint.call_streams_patiently("DescribeStream", &request).await?;
        let description = answer.get("StreamDescription").ok_or(malformed("StreamDescription"))?;
        let shards = description.get("Shards").and_then(Value::as_array);
        for shard in shards.ok_or(malformed("Shards"))? {
            list.shards.push(read_shard(shard)?);
        }
        list.is_disabled = text(description, "StreamStatus").as_deref() == Some("DISABLED");
        last = text(description, "LastEvaluatedShardId");
        if last.is_none() {
            return Ok(list);
        }
    }
}

fn read_shard(shard: &Value) -> Result<Shard, Error> {
    let id = text(shard, "ShardId").ok_or(malformed("ShardId"))?;
    Ok(Shard { id, parent: text(shard, "ParentShardId") })
}

fn text(value: &Value, member: &str) -> Option<String> {
    value.get(member).and_then(Value::as_str).map(str::to_owned)
}

fn malformed(member: &'static str) -> Error {
    Error::malformed("DescribeStream", member)
}

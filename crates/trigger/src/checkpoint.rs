//! What has been delivered, kept in a table beside the data.
//!
//! One item per trigger and shard. A process that begins with a shard writes its own name as the
//! owner, and every later write of it asks whether that name is still there. So when two processes
//! run the same trigger, the one that began later goes on, and the other one notices at its next
//! checkpoint and ends.
//!
//! ```text
//! trigger  the name of the trigger            partition key
//! shard    the stream's ARN / the shard's id  sort key
//! owner    the process that reads the shard
//! position the sequence number up to which all is delivered; not there before the first
//! finished whether the shard has been read to its end
//! expires  for finished shards: when nobody needs the item any more, in seconds since 1970
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use monotable_remote::Endpoint;
use serde_json::{Value, json};

use crate::error::Error;
use crate::request::with;
use crate::stream::StreamArn;

/// The table of all checkpoints.
pub(crate) const TABLE: &str = "monotable-checkpoints";
/// How long the item of a finished shard is kept: well over the day for which records are.
const FINISHED_SECS: u64 = 7 * 24 * 60 * 60;
/// How long to wait before looking again whether the table is there.
const CREATE_POLL: Duration = Duration::from_millis(50);

/// How far a shard has been delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    pub(crate) position: Option<String>,
    pub(crate) is_finished: bool,
}

/// The checkpoints of one trigger on one stream.
pub(crate) struct Checkpoints {
    endpoint: Arc<Endpoint>,
    trigger: String,
    owner: String,
    stream: StreamArn,
}

impl Checkpoints {
    /// Opens the checkpoints, and makes the table when nobody has done so yet.
    pub(crate) async fn open(
        endpoint: Arc<Endpoint>,
        trigger: String,
        owner: String,
        stream: StreamArn,
    ) -> Result<Checkpoints, Error> {
        let checkpoints = Checkpoints { endpoint, trigger, owner, stream };
        checkpoints.create_table().await?;
        Ok(checkpoints)
    }

    /// All checkpoints, by shard.
    pub(crate) async fn load(&self) -> Result<BTreeMap<String, Checkpoint>, Error> {
        let prefix = self.sort_key("");
        let mut found = BTreeMap::new();
        let mut start = None;
        loop {
            let request = with(self.query(&prefix), "ExclusiveStartKey", start);
            let mut answer = self.call("Query", &request).await?;
            let items = answer.get("Items").and_then(Value::as_array);
            let items = items.ok_or(Error::malformed("Query", "Items"))?;
            found.extend(items.iter().filter_map(|item| read_item(item, &prefix)));
            start = answer.get_mut("LastEvaluatedKey").map(Value::take);
            if start.is_none() {
                return Ok(found);
            }
        }
    }

    fn query(&self, prefix: &str) -> Value {
        json!({
            "TableName": TABLE, "ConsistentRead": true,
            "KeyConditionExpression": "#trigger = :trigger AND begins_with(#shard, :stream)",
            "ExpressionAttributeNames": { "#trigger": "trigger", "#shard": "shard" },
            "ExpressionAttributeValues": {
                ":trigger": { "S": self.trigger }, ":stream": { "S": prefix },
            },
        })
    }

    /// Takes over a shard from whoever had it.
    pub(crate) async fn claim(&self, shard: &str) -> Result<(), Error> {
        let request = json!({
            "TableName": TABLE, "Key": self.key(shard),
            "UpdateExpression": "SET #owner = :owner",
            "ExpressionAttributeNames": { "#owner": "owner" },
            "ExpressionAttributeValues": { ":owner": { "S": self.owner } },
        });
        self.call("UpdateItem", &request).await.map(drop)
    }

    /// Notes that everything up to a sequence number is delivered.
    pub(crate) async fn save(&self, shard: &str, position: &str) -> Result<(), Error> {
        let names = json!({ "#owner": "owner", "#position": "position" });
        let values = json!({ ":owner": { "S": self.owner }, ":position": { "S": position } });
        self.update_owned(shard, "SET #position = :position", &names, &values).await
    }

    /// Notes that a shard has been delivered to its end.
    pub(crate) async fn finish(&self, shard: &str) -> Result<(), Error> {
        let expires = self.endpoint.clock().now_millis() / 1000 + FINISHED_SECS;
        let names = json!({ "#owner": "owner", "#finished": "finished", "#expires": "expires" });
        let values = json!({
            ":owner": { "S": self.owner }, ":finished": { "BOOL": true },
            ":expires": { "N": expires.to_string() },
        });
        let update = "SET #finished = :finished, #expires = :expires";
        self.update_owned(shard, update, &names, &values).await
    }

    /// Updates the item of a shard if it is still ours.
    async fn update_owned(
        &self,
        shard: &str,
        update: &str,
        names: &Value,
        values: &Value,
    ) -> Result<(), Error> {
        let request = json!({
            "TableName": TABLE, "Key": self.key(shard),
            "UpdateExpression": update, "ConditionExpression": "#owner = :owner",
            "ExpressionAttributeNames": names, "ExpressionAttributeValues": values,
        });
        match self.call("UpdateItem", &request).await {
            Ok(_) => Ok(()),
            Err(error) if error.is_refusal("ConditionalCheckFailedException") => {
                let (trigger, shard) = (self.trigger.clone(), shard.to_owned());
                Err(Error::TakenOver { trigger, shard })
            }
            Err(error) => Err(error),
        }
    }

    async fn create_table(&self) -> Result<(), Error> {
        let request = json!({
            "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [
                { "AttributeName": "trigger", "AttributeType": "S" },
                { "AttributeName": "shard", "AttributeType": "S" },
            ],
            "KeySchema": [
                { "AttributeName": "trigger", "KeyType": "HASH" },
                { "AttributeName": "shard", "KeyType": "RANGE" },
            ],
        });
        match self.call("CreateTable", &request).await {
            Ok(_) => {}
            Err(error) if error.is_refusal("ResourceInUseException") => {}
            Err(error) => return Err(error),
        }
        while !self.is_active().await? {
            self.endpoint.clock().sleep(CREATE_POLL).await;
        }
        self.let_finished_shards_expire().await;
        Ok(())
    }

    async fn is_active(&self) -> Result<bool, Error> {
        let answer = self.call("DescribeTable", &json!({ "TableName": TABLE })).await?;
        let status = answer.pointer("/Table/TableStatus").and_then(Value::as_str);
        Ok(status == Some("ACTIVE"))
    }

    /// Checkpoints do their work without this; the items just stay.
    async fn let_finished_shards_expire(&self) {
        let specification = json!({ "Enabled": true, "AttributeName": "expires" });
        let request = json!({ "TableName": TABLE, "TimeToLiveSpecification": specification });
        // It is refused when it was done before, which is as good.
        if let Err(error) = self.endpoint.call("UpdateTimeToLive", &request).await {
            tracing::debug!(%error, "finished shards do not expire, or do so already");
        }
    }

    fn key(&self, shard: &str) -> Value {
        json!({ "trigger": { "S": self.trigger }, "shard": { "S": self.sort_key(shard) } })
    }

    fn sort_key(&self, shard: &str) -> String {
        format!("{}/{shard}", self.stream)
    }

    async fn call(&self, operation: &'static str, request: &Value) -> Result<Value, Error> {
        Ok(self.endpoint.call_patiently(operation, request).await?)
    }
}

fn read_item(item: &Value, prefix: &str) -> Option<(String, Checkpoint)> {
    let text = |pointer| item.pointer(pointer).and_then(Value::as_str);
    let shard = text("/shard/S")?.strip_prefix(prefix)?.to_owned();
    let position = text("/position/S").map(str::to_owned);
    let is_finished = item.pointer("/finished/BOOL") == Some(&Value::Bool(true));
    Some((shard, Checkpoint { position, is_finished }))
}

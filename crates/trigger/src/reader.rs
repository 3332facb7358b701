//! Reading one shard in order.
//!
//! An iterator is a loan: it expires after minutes, and at once when somebody moves the server's
//! clock far enough. So the reader keeps the sequence number of the last record it gave out, and
//! asks for an iterator after that one whenever it needs a new one.

use std::sync::Arc;
use std::time::Duration;

use monotable_remote::{Backoff, Endpoint};
use serde_json::{Value, json};

use crate::error::Error;
use crate::record::LambdaRecord;
use crate::request::with;
use crate::stream::{Shard, StreamArn};

/// How long to wait for records in a shard that has none.
const POLL_FIRST: Duration = Duration::from_millis(20);
const POLL_LONGEST: Duration = Duration::from_millis(500);

/// A place in a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// Before the oldest record that is still kept.
    Start,
    /// After the record with this sequence number.
    After(String),
}

/// Some records of a shard, in order.
#[derive(Debug, Clone)]
pub struct Page {
    /// The records; there may be none.
    pub records: Vec<LambdaRecord>,
    /// Whether nothing comes after them, ever.
    pub is_end: bool,
}

/// Reads the records of one shard.
pub struct ShardReader {
    endpoint: Arc<Endpoint>,
    stream: StreamArn,
    shard: Shard,
    position: Position,
    iterator: Option<String>,
    poll: Backoff,
}

impl ShardReader {
    pub(crate) fn new(endpoint: Arc<Endpoint>, stream: StreamArn, shard: Shard) -> ShardReader {
        let poll = Backoff::new(POLL_FIRST, POLL_LONGEST);
        ShardReader { endpoint, stream, shard, position: Position::Start, iterator: None, poll }
    }

    /// The shard.
    pub fn shard(&self) -> &Shard {
        &self.shard
    }

    /// Where the next page begins.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Goes to a place in the shard.
    pub fn seek(&mut self, position: Position) {
        self.position = position;
        self.iterator = None;
    }

    /// Goes behind the last record there is. Gives `true` if no more can come.
    ///
    /// It reads the records to get there. An iterator of type LATEST would be cheaper, but when it
    /// expires before the first record has come, nobody knows any more where it was.
    pub async fn seek_end(&mut self) -> Result<bool, Error> {
        loop {
            let page = self.read().await?;
            if page.is_end || page.records.is_empty() {
                return Ok(page.is_end);
            }
        }
    }

    /// Waits until there are records, or until the shard has ended.
    pub async fn next(&mut self) -> Result<Page, Error> {
        loop {
            let page = self.read().await?;
            if page.is_end || !page.records.is_empty() {
                return Ok(page);
            }
            self.pause().await;
        }
    }

    /// Waits before the next look at a shard without records: longer each time.
    pub(crate) async fn pause(&mut self) {
        let pause = self.poll.pause();
        self.endpoint.clock().sleep(pause).await;
    }

    /// Reads the next records, if there are some by now.
    pub async fn read(&mut self) -> Result<Page, Error> {
        loop {
            match self.read_page().await {
                Ok(page) => return Ok(page),
                Err(error) if error.is_refusal("ExpiredIteratorException") => self.iterator = None,
                Err(error) if error.is_refusal("TrimmedDataAccessException") => {
                    let shard = &self.shard.id;
                    tracing::warn!(shard, "records were dropped before they were read");
                    self.seek(Position::Start);
                }
                // Shards are forgotten a day after their last record.
                Err(error) if error.is_refusal("ResourceNotFoundException") => {
                    return Ok(Page { records: Vec::new(), is_end: true });
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn read_page(&mut self) -> Result<Page, Error> {
        let iterator = match self.iterator.take() {
            Some(iterator) => iterator,
            None => self.ask_iterator().await?,
        };
        let request = json!({ "ShardIterator": iterator });
        let mut answer = self.call("GetRecords", &request).await?;
        let records = answer.get_mut("Records").map(Value::take);
        let Some(Value::Array(records)) = records else {
            return Err(Error::malformed("GetRecords", "Records"));
        };
        let records: Result<Vec<LambdaRecord>, Error> = records
            .into_iter()
            .map(|record| LambdaRecord::from_stream(record, &self.stream))
            .collect();
        let records = records?;
        if let Some(last) = records.last() {
            self.position = Position::After(last.sequence_number().to_owned());
            self.poll.reset();
        }
        self.iterator = text(&answer, "NextShardIterator");
        Ok(Page { is_end: self.iterator.is_none(), records })
    }

    async fn ask_iterator(&self) -> Result<String, Error> {
        let request = json!({ "StreamArn": self.stream.0, "ShardId": self.shard.id });
        let (iterator_type, sequence_number) = match &self.position {
            Position::Start => ("TRIM_HORIZON", None),
            Position::After(number) => ("AFTER_SEQUENCE_NUMBER", Some(json!(number))),
        };
        let request = with(request, "ShardIteratorType", Some(json!(iterator_type)));
        let request = with(request, "SequenceNumber", sequence_number);
        let answer = self.call("GetShardIterator", &request).await?;
        text(&answer, "ShardIterator").ok_or(Error::malformed("GetShardIterator", "ShardIterator"))
    }

    async fn call(&self, operation: &'static str, request: &Value) -> Result<Value, Error> {
        Ok(self.endpoint.call_streams_patiently(operation, request).await?)
    }
}

fn text(value: &Value, member: &str) -> Option<String> {
    value.get(member).and_then(Value::as_str).map(str::to_owned)
}

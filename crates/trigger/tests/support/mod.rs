//! An endpoint that serves made-up shards, badly.

use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use monotable_remote::Clock;
use serde_json::{Value, json};

const ARN: &str = "arn:aws:dynamodb:us-east-1:000000000000:table/likes/stream/now";
/// Few records a page, so that shards take several.
const PAGE_RECORDS: usize = 2;

/// A clock on which no wait takes any time.
pub(crate) struct ImpatientClock;

impl Clock for ImpatientClock {
    fn now_millis(&self) -> u64 {
        0
    }

    fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::task::yield_now())
    }
}

/// A closed shard with records of these sequence numbers.
pub(crate) struct FakeShard {
    id: &'static str,
    parent: Option<&'static str>,
    numbers: Vec<u32>,
    /// Whether it is still listed but its records are not there any more.
    pub(crate) is_gone: bool,
}

impl FakeShard {
    pub(crate) fn new(
        id: &'static str,
        parent: Option<&'static str>,
        numbers: Range<u32>,
    ) -> FakeShard {
        FakeShard { id, parent, numbers: numbers.collect(), is_gone: false }
    }
}

/// How calls fail.
#[derive(Clone, Copy)]
pub(crate) struct Failure {
    /// The operation, or none for all of the streams service.
    pub(crate) operation: Option<&'static str>,
    /// Every how many calls fail.
    pub(crate) every: usize,
    pub(crate) status: u16,
    pub(crate) code: &'static str,
}

struct State {
    shards: Vec<FakeShard>,
    has_stream: bool,
    calls: usize,
    failure: Option<Failure>,
}

/// The endpoint.
pub(crate) struct FakeEndpoint {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl FakeEndpoint {
    pub(crate) fn start(shards: Vec<FakeShard>) -> FakeEndpoint {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = State { shards, has_stream: true, calls: 0, failure: None };
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let state = shared.clone();
                thread::spawn(move || answer_all(stream, &state));
            }
        });
        FakeEndpoint { address, state }
    }

    pub(crate) fn without_stream() -> FakeEndpoint {
        let fake = FakeEndpoint::start(Vec::new());
        fake.state.lock().unwrap().has_stream = false;
        fake
    }

    /// Lets calls fail.
    pub(crate) fn failing(self, failure: Failure) -> FakeEndpoint {
        self.state.lock().unwrap().failure = Some(failure);
        self
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl State {
    fn answer(&mut self, destination: &str, request: &Value) -> (u16, Value) {
        if destination == "DynamoDB_20120810.DescribeTable" {
            let specification = json!({ "StreamEnabled": self.has_stream });
            return (
                200,
                json!({ "Table": { "StreamSpecification": specification,
                    "LatestStreamArn": ARN } }),
            );
        }
        self.calls += 1;
        if let Some(Failure { operation, every, status, code }) = self.failure
            && operation.is_none_or(|operation| destination.ends_with(operation))
            && self.calls.is_multiple_of(every)
        {
            return (status, json!({ "__type": format!("com.amazonaws#{code}") }));
        }
        match destination {
            "DynamoDBStreams_20120810.DescribeStream" => (200, self.describe(request)),
            "DynamoDBStreams_20120810.GetShardIterator" => (200, self.iterator(request)),
            "DynamoDBStreams_20120810.GetRecords" => self.records(request),
            other => panic!("{other} is not expected"),
        }
    }

    /// One shard a page.
    fn describe(&self, request: &Value) -> Value {
        let last = request["ExclusiveStartShardId"].as_str();
        let index = match last {
            Some(last) => self.shards.iter().position(|shard| shard.id == last).unwrap() + 1,
            None => 0,
        };
        let shard = &self.shards[index];
        let mut listed = json!({ "ShardId": shard.id });
        if let Some(parent) = shard.parent {
            listed["ParentShardId"] = json!(parent);
        }
        let mut description =
            json!({ "StreamArn": ARN, "StreamStatus": "DISABLED", "Shards": [listed] });
        if index + 1 < self.shards.len() {
            description["LastEvaluatedShardId"] = json!(shard.id);
        }
        json!({ "StreamDescription": description })
    }

    /// An iterator is the shard and how many of its records come before.
    fn iterator(&self, request: &Value) -> Value {
        let shard = request["ShardId"].as_str().unwrap();
        let before = match request["ShardIteratorType"].as_str().unwrap() {
            "TRIM_HORIZON" => 0,
            "AFTER_SEQUENCE_NUMBER" => {
                let number: u32 = request["SequenceNumber"].as_str().unwrap().parse().unwrap();
                self.shard(shard).numbers.iter().filter(|other| **other <= number).count()
            }
            other => panic!("{other} is not expected"),
        };
        json!({ "ShardIterator": format!("{shard}:{before}") })
    }

    fn records(&self, request: &Value) -> (u16, Value) {
        let (shard, before) = request["ShardIterator"].as_str().unwrap().split_once(':').unwrap();
        let (fake, before) = (self.shard(shard), before.parse::<usize>().unwrap());
        if fake.is_gone {
            return (400, json!({ "__type": "com.amazonaws#ResourceNotFoundException" }));
        }
        let record = |number: &u32| {
            let change = json!({ "SequenceNumber": number.to_string() });
            json!({ "eventName": "INSERT", "dynamodb": change })
        };
        let page = fake.numbers.iter().skip(before).take(PAGE_RECORDS);
        let mut answer = json!({ "Records": page.map(record).collect::<Vec<_>>() });
        let after = before + PAGE_RECORDS;
        if after < fake.numbers.len() {
            answer["NextShardIterator"] = json!(format!("{shard}:{after}"));
        }
        (200, answer)
    }

    fn shard(&self, id: &str) -> &FakeShard {
        self.shards.iter().find(|shard| shard.id == id).unwrap()
    }
}

fn answer_all(stream: TcpStream, state: &Mutex<State>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let (destination, body) = read_request(&mut stream)?;
        let request: Value = serde_json::from_slice(&body).ok()?;
        let (status, answer) = state.lock().unwrap().answer(&destination, &request);
        let answer = answer.to_string();
        let length = answer.len();
        let head = format!("HTTP/1.1 {status} Answer\r\ncontent-length: {length}\r\n\r\n");
        stream.get_mut().write_all(format!("{head}{answer}").as_bytes()).ok()?;
    }
}

fn read_request(stream: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let (mut destination, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let Some((name, value)) = line.trim().split_once(": ") else {
            if line.trim().is_empty() {
                break;
            }
            continue;
        };
        match name.to_ascii_lowercase().as_str() {
            "x-amz-target" => value.clone_into(&mut destination),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some((destination, body))
}

//! Ten kinds of clients that mean no good, and one beside them that does.
//!
//! [`measure`] runs an attack and the good client at the same time, and says how long the good
//! one's requests took. Each of them must be answered, whatever the others do. [`measure_floor`]
//! has the attack go to somebody who does nothing about it, so that what is left is what the
//! attacker itself takes of the machine.

mod floods;
mod held;
mod http2;
mod sink;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::client::Client;
use crate::time;
use sink::Least;

/// The table that attacks and the good client use.
const TABLE: &str = "abuse";

/// How many large items it has: together they are the largest answer of BatchGetItem.
const LARGE_ITEMS: usize = 40;

/// The size of each.
const LARGE_ITEM_BYTES: usize = 398_000;

/// How long an attacker waits for a server that does not answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long a server may be busy with what an attack has left behind.
const AFTERMATH: Duration = Duration::from_secs(8);

/// A kind of abuse.
#[derive(Debug, Clone, Copy)]
pub struct Attack {
    /// What it does, in a few words.
    pub name: &'static str,
    run: fn(&Attacked<'_>),
    /// The least that any server does about it.
    least: Least,
}

/// All kinds.
pub const ATTACKS: &[Attack] = &[
    Attack { name: "headers that come byte by byte", run: held::slow_headers, least: Least::Hold },
    Attack { name: "bodies that come byte by byte", run: held::slow_bodies, least: Least::Hold },
    Attack { name: "idle connections", run: held::idle, least: Least::Hold },
    Attack {
        name: "large answers that nobody reads",
        run: held::unread_answers,
        least: Least::Hold,
    },
    Attack { name: "headers of a megabyte", run: floods::giant_headers, least: Least::Answer },
    Attack { name: "bad chunks", run: floods::bad_chunks, least: Least::Answer },
    Attack { name: "requests within requests", run: floods::smuggling, least: Least::Answer },
    Attack {
        name: "HTTP/2 requests that are called off",
        run: http2::rapid_resets,
        least: Least::Hold,
    },
    Attack { name: "connections that come and go", run: floods::churn, least: Least::Hold },
    Attack { name: "the largest batches", run: floods::large_batches, least: Least::ReadAll },
];

/// How much of everything.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Connections of an attack that holds them.
    pub connections: usize,
    /// How long an attack rests between two blows.
    pub rest: Duration,
    /// Requests of the good client.
    pub requests: usize,
}

/// What is attacked, and for how long.
struct Attacked<'a> {
    address: SocketAddr,
    size: Size,
    is_over: &'a AtomicBool,
}

/// How long the requests of the good client took.
#[derive(Debug, Clone)]
pub struct Latencies {
    sorted: Vec<Duration>,
}

impl Latencies {
    /// The time within which this share of the requests was answered, such as 0.99.
    pub fn quantile(&self, share: f64) -> Duration {
        let last = self.sorted.len().saturating_sub(1);
        let index = (last as f64 * share).round() as usize;
        self.sorted.get(index).copied().unwrap_or_default()
    }

    /// How many requests were answered.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }
}

/// Makes the table that the attacks need.
pub fn prepare(endpoint: &str) -> Result<()> {
    let mut client = Client::new(endpoint);
    let table = json!({
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "S" }],
        "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
    });
    client.must("CreateTable", &table)?;
    let text = "x".repeat(LARGE_ITEM_BYTES);
    for number in 0..LARGE_ITEMS {
        let item = json!({ "id": { "S": large_id(number) }, "text": { "S": text } });
        client.must("PutItem", &json!({ "TableName": TABLE, "Item": item }))?;
    }
    Ok(())
}

/// Has the good client served while the server is attacked, or while it is not.
pub fn measure(endpoint: &str, attack: Option<&Attack>, size: Size) -> Result<Latencies> {
    let address = endpoint.trim_start_matches("http://").parse().context("the endpoint")?;
    measure_beside(endpoint, address, attack, size)
}

/// Has the good client served while somebody else on this machine is attacked, who does the least.
pub fn measure_floor(endpoint: &str, attack: &Attack, size: Size) -> Result<Latencies> {
    let sink = sink::start(attack.least)?;
    measure_beside(endpoint, sink, Some(attack), size)
}

/// Waits until what an attack has left behind is done: a server may go on for as long as it lets
/// requests wait.
pub fn settle() {
    time::rest(AFTERMATH);
}

fn measure_beside(
    endpoint: &str,
    address: SocketAddr,
    attack: Option<&Attack>,
    size: Size,
) -> Result<Latencies> {
    let is_over = AtomicBool::new(false);
    let target = Attacked { address, size, is_over: &is_over };
    thread::scope(|scope| {
        if let Some(attack) = attack {
            scope.spawn(|| (attack.run)(&target));
        }
        let result = be_good(endpoint, size);
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

/// Writes and reads small items in turn.
fn be_good(endpoint: &str, size: Size) -> Result<Latencies> {
    let mut client = Client::new(endpoint);
    let mut sorted = Vec::with_capacity(size.requests);
    for number in 0..size.requests {
        let id = json!({ "S": format!("good-{}", number % 100) });
        let request = if number % 2 == 0 {
            ("PutItem", json!({ "TableName": TABLE, "Item": { "id": id, "n": { "N": "1" } } }))
        } else {
            ("GetItem", json!({ "TableName": TABLE, "Key": { "id": id } }))
        };
        let (answer, took) = time::measure(|| client.must(request.0, &request.1));
        answer.with_context(|| format!("request {number} of the good client"))?;
        sorted.push(took);
        if !size.rest.is_zero() {
            time::rest(Duration::from_millis(1));
        }
    }
    sorted.sort_unstable();
    Ok(Latencies { sorted })
}

fn large_id(number: usize) -> String {
    format!("large-{number}")
}

impl Attacked<'_> {
    /// Whether the attack goes on; rests first.
    fn goes_on(&self) -> bool {
        time::rest(self.size.rest);
        !self.is_over.load(Ordering::Relaxed)
    }

    /// A connection, if the server takes one.
    fn connect(&self) -> Option<TcpStream> {
        let stream = TcpStream::connect(self.address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.set_write_timeout(Some(PATIENCE)).ok()?;
        stream.set_nodelay(true).ok()?;
        Some(stream)
    }

    /// Sends bytes on a connection of their own, and reads some of the answer, if there is any.
    fn strike(&self, bytes: &[u8]) {
        if let Some(mut stream) = self.connect()
            && stream.write_all(bytes).is_ok()
        {
            // Whatever the server says or does not say, the next strike follows.
            let _ = stream.read(&mut [0; 4096]);
        }
    }
}

/// The head of a call, without anything about its body.
fn head(operation: &str) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n\
         Content-Type: application/x-amz-json-1.0\r\n"
    )
}

/// A whole call.
fn call(operation: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!("{}Content-Length: {}\r\n\r\n{body}", head(operation), body.len()).into_bytes()
}

/// The call with the largest answer.
fn largest_read() -> Vec<u8> {
    let keys: Vec<Value> =
        (0..LARGE_ITEMS).map(|number| json!({ "id": { "S": large_id(number) } })).collect();
    call("BatchGetItem", &json!({ "RequestItems": { TABLE: { "Keys": keys } } }))
}

//! Whole requests over a connection, from the bytes that a client sends to those that it gets.
//!
//! The client has a thread of its own, which is not counted.

use std::future::pending;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::ops::Range;
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result, ensure};
use monotable_server::{
    Access, DatabaseClock, HealthProbe, Limits, Listener, Monitoring, Options, Server,
};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::store::{CountingIds, LoadedStore, StoppedClock};
use crate::{repeat, requests};

/// Larger than any answer of a scenario.
const ANSWER_BYTES_MAX: usize = 16 * 1024;

/// One order by its key.
pub(crate) fn get_item(iterations: u64) -> Result<()> {
    count_requests(iterations, "GetItem", &requests::gets())
}

/// A whole order over one that is there.
pub(crate) fn put_item(iterations: u64) -> Result<()> {
    count_requests(iterations, "PutItem", &requests::puts())
}

fn count_requests(iterations: u64, operation: &str, requests: &[Value]) -> Result<()> {
    let (runtime, api) = LoadedStore::with_orders()?.into_parts();
    let server = Server::new(api, options(), Arc::new(StoppedClock), &CountingIds::new());
    let listener = runtime.block_on(Listener::bind("127.0.0.1", 0))?;
    let mut stream = TcpStream::connect(listener.address())?;
    runtime.spawn(server.serve(listener, pending()));
    let texts: Vec<String> = requests.iter().map(|body| text(operation, body)).collect();
    repeat::batches(iterations, |numbers| {
        let (done, is_done) = oneshot::channel();
        thread::scope(|scope| {
            scope.spawn(|| done.send(send(&mut stream, &texts, numbers)));
            runtime.block_on(is_done)?
        })
    })
}

/// Sends the requests of these numbers, each when the one before it has been answered.
fn send(stream: &mut TcpStream, texts: &[String], numbers: Range<u64>) -> Result<()> {
    let mut answer = vec![0; ANSWER_BYTES_MAX];
    let start = usize::try_from(numbers.start)? % texts.len();
    for (_, text) in numbers.zip(texts.iter().cycle().skip(start)) {
        stream.write_all(text.as_bytes())?;
        read_answer(stream, &mut answer)?;
    }
    Ok(())
}

fn options() -> Options {
    Options {
        region: "us-east-1".to_owned(),
        limits: Limits::default(),
        clock: DatabaseClock::System,
        access: Access::default(),
        health: HealthProbe::default(),
        monitoring: Monitoring::default(),
        keyring: None,
        pages: None,
    }
}

/// A request as an SDK sends it.
fn text(operation: &str, body: &Value) -> String {
    let body = body.to_string();
    let bytes = body.len();
    format!(
        "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/x-amz-json-1.0\r\n\
         x-amz-target: DynamoDB_20120810.{operation}\r\ncontent-length: {bytes}\r\n\
         user-agent: aws-sdk-rust/1.3.3 ua/2.1 api/dynamodb#1.60.0 os/linux lang/rust#1.95.0\r\n\
         x-amz-user-agent: aws-sdk-rust/1.3.3 ua/2.1 api/dynamodb#1.60.0 os/linux\r\n\
         x-amz-date: 20261115T120000Z\r\nauthorization: AWS4-HMAC-SHA256 Credential=example\
         /20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=content-type;host;x-amz-date, \
         Signature=0000000000000000000000000000000000000000000000000000000000000000\r\n\
         amz-sdk-invocation-id: 8b3d1d3b-5e4c-4d0a-9d0e-2a1f6f0f5c11\r\n\
         amz-sdk-request: attempt=1; max=3\r\n\r\n{body}"
    )
}

/// Reads one answer.
fn read_answer(stream: &mut TcpStream, answer: &mut [u8]) -> Result<()> {
    let mut bytes = 0;
    loop {
        let room = answer.get_mut(bytes..).context("the answer is too long")?;
        let count = stream.read(room)?;
        ensure!(count > 0, "the server closed the connection");
        bytes += count;
        let arrived = answer.get(..bytes).unwrap_or_default();
        if end_of(arrived)?.is_some_and(|end| end <= bytes) {
            ensure!(arrived.starts_with(b"HTTP/1.1 200 "), "the request was refused");
            return Ok(());
        }
    }
}

/// How long an answer is that has begun to arrive, if its head has arrived.
fn end_of(arrived: &[u8]) -> Result<Option<usize>> {
    const LENGTH: &[u8] = b"content-length: ";
    let Some(head) = arrived.windows(4).position(|end| end == b"\r\n\r\n") else {
        return Ok(None);
    };
    let lines = arrived.get(..head).unwrap_or_default().split(|byte| *byte == b'\n');
    let length = { lines }.find_map(|line| line.strip_prefix(LENGTH));
    let length = length.context("the answer does not say how long it is")?;
    Ok(Some(head + 4 + str::from_utf8(length)?.trim_end().parse::<usize>()?))
}

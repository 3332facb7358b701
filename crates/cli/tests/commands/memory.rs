//! The memory of the real process, while clients send what they do not finish and ask for what they
//! do not read.
//!
//! `MONOTABLE_FULL_SIZE=1` makes the attacks as large as they were when they took gigabytes.
use std::convert::Infallible;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use crate::support::{Server, monotable};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::body::{Body, Frame};
use hyper_util::rt::{TokioExecutor, TokioIo};
use monotable_conformance::abuse;
use serde_json::{Value, json};

const MB: u64 = 1 << 20;

/// The largest body.
const BODY_BYTES: usize = 16 << 20;

/// How large an attack is, and how much memory it may come to.
struct Size {
    memory_max_mb: u64,
    connections: usize,
}

impl Size {
    fn of(connections: usize) -> Size {
        if std::env::var_os("MONOTABLE_FULL_SIZE").is_some() {
            return Size { memory_max_mb: 512, connections };
        }
        // An unbounded server would take three times what this one may.
        Size { memory_max_mb: 64, connections: 40 }
    }

    fn start(&self) -> Server {
        let memory_max = format!("{}MB", self.memory_max_mb);
        Server::start(monotable(&[
            "serve",
            "--port",
            "0",
            "--in-memory",
            "--log",
            "error",
            "--memory-max",
            &memory_max,
            "--queue-timeout",
            "1s",
            "--stall-timeout",
            "5s",
        ]))
    }

    /// Asserts that the process has never taken more than it may: what it has at its beginning, the
    /// budget, and something for connections and for what the allocator keeps.
    #[track_caller]
    fn assert_kept(&self, server: &Server, before_bytes: u64) {
        let peak_bytes = server.peak_memory_bytes();
        let allowed_bytes = before_bytes + self.memory_max_mb * MB * 5 / 4 + 64 * MB;
        println!("peak {} MB, allowed {} MB", peak_bytes / MB, allowed_bytes / MB);
        assert!(peak_bytes < allowed_bytes, "{peak_bytes} bytes, over {allowed_bytes}");
    }
}

impl Server {
    /// The most memory that the process has had.
    fn peak_memory_bytes(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process_id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    #[track_caller]
    fn assert_serves(&self) {
        self.call("ListTables", &json!({}));
    }
}

/// A call that keeps its connection, as SDKs send it.
fn call(operation: &str, body: &str) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n\
         Content-Type: application/x-amz-json-1.0\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Sends as much as the server takes, on connections of their own, and keeps them until the server
/// closes them or all are done.
fn send_on_many(server: &Server, count: usize, request: &[u8]) -> Vec<TcpStream> {
    thread::scope(|scope| {
        let address = server.address();
        let senders: Vec<_> = (0..count)
            .map(|_| {
                scope.spawn(move || {
                    let mut stream = TcpStream::connect(address).unwrap();
                    stream.set_write_timeout(Some(Duration::from_secs(3))).unwrap();
                    // A server that has no room does not read on, or closes.
                    let _ = stream.write_all(request);
                    stream
                })
            })
            .collect();
        senders.into_iter().map(|sender| sender.join().unwrap()).collect()
    })
}

/// A body that comes to a stop.
struct Unfinished {
    left_bytes: usize,
}

impl Body for Unfinished {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        static PIECE: [u8; 64 << 10] = [b' '; 64 << 10];
        let piece = &PIECE[..self.left_bytes.min(PIECE.len())];
        if piece.is_empty() {
            return Poll::Pending;
        }
        self.left_bytes -= piece.len();
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(piece)))))
    }
}

#[test]
fn unfinished_bodies_take_a_bounded_amount_of_memory() {
    let size = Size::of(150);
    let server = size.start();
    server.assert_serves();
    let before_bytes = server.peak_memory_bytes();
    let mut request = call("PutItem", &" ".repeat(BODY_BYTES)).into_bytes();
    request.pop();
    let clients = send_on_many(&server, size.connections, &request);
    server.assert_serves();
    size.assert_kept(&server, before_bytes);
    drop(clients);
    server.assert_serves();
}

/// Asks for large answers on many connections, which nobody reads.
fn check_answers(operation: &str, body: &str) {
    let size = Size::of(200);
    let server = size.start();
    abuse::prepare(&format!("http://{}", server.address())).unwrap();
    let before_bytes = server.peak_memory_bytes();
    let request = call(operation, body).repeat(3);
    let mut clients = send_on_many(&server, size.connections, request.as_bytes());
    // Everybody has been answered, turned away or cut off when the last one has heard something.
    for client in &mut clients {
        let _ = client.read(&mut [0; 1]);
    }
    server.assert_serves();
    size.assert_kept(&server, before_bytes);
}

/// The key of a large item.
fn large(number: usize) -> Value {
    json!({ "id": { "S": format!("large-{number}") } })
}

#[test]
fn answers_that_nobody_reads_take_a_bounded_amount_of_memory() {
    let keys: Vec<_> = (0..40).map(large).collect();
    let body = json!({ "RequestItems": { "abuse": { "Keys": keys } } });
    check_answers("BatchGetItem", &body.to_string());
}

#[test]
fn transactions_that_say_which_large_items_were_in_the_way_take_a_bounded_amount_of_memory() {
    let delete = |number| {
        json!({ "Delete": {
            "TableName": "abuse",
            "Key": large(number),
            "ConditionExpression": "attribute_not_exists(id)",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        } })
    };
    let body = json!({ "TransactItems": (0..40).map(delete).collect::<Vec<_>>() }).to_string();
    // The request itself is small.
    assert!(body.len() < 16 << 10);
    check_answers("TransactWriteItems", &body);
}

#[tokio::test]
async fn the_streams_of_one_connection_take_a_bounded_amount_of_memory() {
    let size = Size::of(100);
    let server = size.start();
    server.assert_serves();
    let before_bytes = server.peak_memory_bytes();
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    let (sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    tokio::spawn(connection);
    let calls: Vec<_> = (0..size.connections)
        .map(|_| {
            let mut sender = sender.clone();
            let request = Request::post(format!("http://{}/", server.address()))
                .header("content-type", "application/x-amz-json-1.0")
                .header("x-amz-target", "DynamoDB_20120810.PutItem")
                .body(Unfinished { left_bytes: BODY_BYTES - 1 })
                .unwrap();
            tokio::spawn(async move {
                let response = sender.send_request(request).await.ok()?;
                response.into_body().collect().await.ok()
            })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    server.assert_serves();
    size.assert_kept(&server, before_bytes);
}

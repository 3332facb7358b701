//! Attacks that send much, or much that is wrong.

use serde_json::{Value, json};

use super::{Attacked, TABLE, call, head, largest_read};

/// Strikes with one after the other.
fn strike_in_turn(target: &Attacked<'_>, requests: &[Vec<u8>]) {
    for request in requests.iter().cycle() {
        if !target.goes_on() {
            return;
        }
        target.strike(request);
    }
}

pub(super) fn giant_headers(target: &Attacked<'_>) {
    let one = format!("{}X-Padding: {}\r\n\r\n", head("GetItem"), "x".repeat(1 << 20));
    let many = format!("{}{}\r\n", head("GetItem"), "X-Padding: x\r\n".repeat(60_000));
    let line = format!("POST /{} HTTP/1.1\r\n\r\n", "x".repeat(1 << 20));
    strike_in_turn(target, &[one, many, line].map(String::into_bytes));
}

pub(super) fn bad_chunks(target: &Attacked<'_>) {
    let request = |chunks: &str| {
        format!("{}Transfer-Encoding: chunked\r\n\r\n{chunks}", head("GetItem")).into_bytes()
    };
    let requests = [
        request("ZZ\r\n{}\r\n0\r\n\r\n"),
        request("-2\r\n{}\r\n0\r\n\r\n"),
        request("FFFFFFFFFFFFFFFFF\r\n{}"),
        request("7fffffffffffffff\r\n{}"),
        request("2\r\n{}XX0\r\n\r\n"),
        request(&format!("2;{}\r\n{{}}\r\n0\r\n\r\n", "x".repeat(100_000))),
        request(&format!("2\r\n{{}}\r\n0\r\n{}", "X: y\r\n".repeat(30_000))),
    ];
    strike_in_turn(target, &requests);
}

/// Requests that two servers in a row might read differently.
pub(super) fn smuggling(target: &Attacked<'_>) {
    let inner = format!("{}Content-Length: 2\r\n\r\n{{}}", head("ListTables"));
    let requests: Vec<Vec<u8>> = [
        format!(
            "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n{inner}"
        ),
        format!("Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n{inner}"),
        format!("Content-Length: 2\r\nContent-Length: {}\r\n\r\n{{}}{inner}", inner.len()),
        format!("Content-Length: 2, 2\r\n\r\n{{}}{inner}"),
        format!("Content-Length:\r\n 2\r\n\r\n{{}}{inner}"),
        format!("Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{{}}{inner}"),
        format!("Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n\r\n{{}}{inner}"),
        format!("X: a\rContent-Length: 99\r\nContent-Length: 2\r\n\r\n{{}}{inner}"),
        format!("X: a\0b\r\nContent-Length: 2\r\n\r\n{{}}{inner}"),
        format!("Content-Length: 2\n\n{{}}{inner}"),
    ]
    .into_iter()
    .map(|rest| (head("ListTables") + &rest).into_bytes())
    .collect();
    strike_in_turn(target, &requests);
}

pub(super) fn churn(target: &Attacked<'_>) {
    while target.goes_on() {
        for _ in 0..10 {
            drop(target.connect());
        }
    }
}

/// Writes and reads that are as large as they may be.
pub(super) fn large_batches(target: &Attacked<'_>) {
    let text = "y".repeat(390_000);
    let puts: Vec<Value> = (0..25)
        .map(|number| {
            let item = json!({ "id": { "S": format!("batch-{number}") }, "text": { "S": text } });
            json!({ "PutRequest": { "Item": item } })
        })
        .collect();
    let write = call("BatchWriteItem", &json!({ "RequestItems": { TABLE: puts } }));
    strike_in_turn(target, &[write, largest_read()]);
}

//! Requests that ask for far too much, and what somebody waits who has nothing to do with them.
//!
//! A request within all limits of its length can still make work that grows with the product of its
//! parts. How long each takes is its own affair; how long others wait meanwhile is not.

use std::time::Duration;

use anyhow::{Result, ensure};
use monotable_bench::clock;
use serde_json::{Map, Value, json};

use super::Situation;
use super::finding::Finding;
use super::shapes::{filler, get, plain_table, put_calm};
use super::stage::Stage;

const TABLE: &str = "requests";
const GETS: &str = "GetItem of a small item";
const PROBES: f64 = 1000.0;
/// How many times each request is sent, and the pause between two.
const TIMES: usize = 5;
const PAUSE: Duration = Duration::from_millis(200);
/// What makes the requests bad.
const LIST_NUMBERS: usize = 50_000;
const COPIES: usize = 300;
const ATTRIBUTES: usize = 30_000;
const INDEXES: usize = 80_000;

/// A number that differs each time, since a write of what is there already may cost nothing.
const SEVEN: &str = "7777777777";

/// A request, and whether it must be refused.
struct BadRequest {
    title: String,
    operation: &'static str,
    body: String,
    is_refused: bool,
}

/// Sends each request some times beside reads of a small item.
pub(super) async fn measure(situation: &Situation<'_>) -> Result<Finding> {
    let stage = Stage::start(situation.settings, &[]).await?;
    stage.create_table(&plain_table(TABLE)).await?;
    stage.call("PutItem", &put_calm(TABLE, "CALM", 200)).await?;
    let divisor = situation.plan.bad_divisor;
    prepare(&stage, divisor).await?;
    let flows = [stage.flow(GETS, PROBES, stage.requests("GetItem", &get(TABLE, "CALM")))];
    situation.detail("the small item alone");
    let length = situation.plan.length.min(Duration::from_secs(5));
    let (alone, ()) = stage.during(&flows, situation.wait(length)).await?;
    let mut all = Finding::default();
    all.add_latencies(&format!("{GETS} alone"), &alone.latencies(GETS, 0..usize::MAX));
    for bad in requests(divisor) {
        situation.detail(&bad.title);
        let (mut finding, times) = stage.during(&flows, send(&stage, &bad)).await?;
        let felt = finding.latencies(GETS, 0..usize::MAX);
        let longest = times.iter().max().copied();
        all.add_time(format!("{}, median", bad.title), median(times));
        all.add_time(format!("{}, longest", bad.title), longest);
        all.add_time(
            "  a small GetItem meanwhile, p99".to_owned() + &of(&bad),
            Some(felt.quantile(0.99)),
        );
        all.add_time("  its longest wait".to_owned() + &of(&bad), Some(felt.quantile(1.0)));
        all.disturbance = finding.disturbance.or(all.disturbance);
        all.timeline.moments.append(&mut finding.timeline.moments);
    }
    all.add_resources();
    Ok(all)
}

/// Figures are distinguished by their names.
fn of(bad: &BadRequest) -> String {
    format!(" ({})", bad.operation)
}

/// Puts the items that the requests are about.
async fn prepare(stage: &Stage, divisor: usize) -> Result<()> {
    let numbers: Vec<Value> = (0..LIST_NUMBERS / divisor).map(|_| json!({ "N": "7" })).collect();
    let list = json!({ "x": { "L": numbers } });
    let attribute = |number| (format!("a{number}"), json!({ "N": "1" }));
    let attributes: Map<String, Value> = (0..ATTRIBUTES / divisor).map(attribute).collect();
    for (sort, attributes) in [("LIST", list), ("WIDE", Value::Object(attributes))] {
        let mut item = key(sort);
        if let Some((item, more)) = item.as_object_mut().zip(attributes.as_object()) {
            item.extend(more.clone());
        }
        stage.call("PutItem", &json!({ "TableName": TABLE, "Item": item })).await?;
    }
    Ok(())
}

fn key(sort: &str) -> Value {
    json!({ "pk": { "S": "BAD" }, "sk": { "S": sort } })
}

fn requests(divisor: usize) -> Vec<BadRequest> {
    let copies: Vec<String> = (0..COPIES).map(|number| format!("y{number} = x")).collect();
    let copies = format!("SET {}", copies.join(", "));
    let multiply = json!({ "TableName": TABLE, "Key": key("LIST"), "UpdateExpression": copies });
    let wide = json!({
        "TableName": TABLE,
        "Key": key("WIDE"),
        "UpdateExpression": "SET a7 = :seven",
        "ExpressionAttributeValues": { ":seven": { "N": SEVEN } },
    });
    let index = |number| {
        json!({
            "IndexName": format!("i{number}"),
            "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
            "Projection": { "ProjectionType": "ALL" },
        })
    };
    let mut table = plain_table("never");
    if let Some(members) = table.as_object_mut() {
        let indexes: Vec<Value> = (0..INDEXES / divisor).map(index).collect();
        members.insert("GlobalSecondaryIndexes".to_owned(), Value::from(indexes));
    }
    vec![
        BadRequest {
            title: "a list of 50,000 numbers copied 300 times".to_owned(),
            operation: "UpdateItem",
            body: multiply.to_string(),
            is_refused: true,
        },
        BadRequest {
            title: "one attribute of 30,000 changed".to_owned(),
            operation: "UpdateItem, wide",
            body: wide.to_string(),
            is_refused: false,
        },
        BadRequest {
            title: "a table with 80,000 indexes".to_owned(),
            operation: "CreateTable",
            body: table.to_string(),
            is_refused: true,
        },
        BadRequest {
            title: "an item of 1 MB".to_owned(),
            operation: "PutItem",
            body: large_put().to_string(),
            is_refused: true,
        },
    ]
}

fn large_put() -> Value {
    let mut item = key("HUGE");
    if let Some(attributes) = item.as_object_mut() {
        attributes.insert("text".to_owned(), filler(1_000_000));
    }
    json!({ "TableName": TABLE, "Item": item })
}

async fn send(stage: &Stage, bad: &BadRequest) -> Result<Vec<Duration>> {
    let operation = bad.operation.split(',').next().unwrap_or_default();
    let mut times = Vec::new();
    for number in 0..TIMES {
        clock::wait(PAUSE).await;
        let body = bad.body.replace(SEVEN, &number.to_string());
        let (status, text, time) = stage.try_call(operation, &body).await?;
        let expected = if bad.is_refused { 400 } else { 200 };
        let text: String = text.chars().take(200).collect();
        ensure!(status == expected, "{}: HTTP {status}: {text}", bad.title);
        times.push(time);
    }
    clock::wait(PAUSE).await;
    Ok(times)
}

fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_are_within_the_limits_of_their_length() {
        for bad in requests(1) {
            assert!(bad.body.len() < 16 * 1024 * 1024, "{}: {}", bad.title, bad.body.len());
        }
        let first = requests(20).remove(0);
        let body: Value = serde_json::from_str(&first.body).unwrap();
        assert!(body["UpdateExpression"].as_str().unwrap().len() < 4096);
    }
}

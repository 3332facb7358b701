//! Parallel scans.

use serde_json::{Value, json};

use super::support::{ABSENT, PLAIN, tables, with};
use crate::harness::Harness;

#[tokio::test]
async fn a_segment_and_their_number_go_together() {
    let harness = Harness::new().await;
    let cases = [
        (
            json!({"Segment": 0}),
            "The TotalSegments parameter is required but was not present in the request when \
             Segment parameter is present",
        ),
        (
            json!({"TotalSegments": 2}),
            "The Segment parameter is required but was not present in the request when parameter \
             TotalSegments is present",
        ),
        (
            json!({"Segment": 5, "TotalSegments": 5}),
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: \
             Segment: 5 is not less than TotalSegments: 5",
        ),
    ];
    for (members, text) in cases {
        let request = with(json!({"TableName": ABSENT}), members);
        harness.refuses("Scan", request.clone(), text).await;
        let request = with(request, json!({"FilterExpression": "!"}));
        harness.refuses("Scan", request, text).await;
    }
}

#[tokio::test]
async fn segments_share_the_items_without_gap_or_overlap() {
    let harness = tables().await;
    for number in 0..40 {
        harness.put(PLAIN, json!({"pk": {"S": format!("k{number}")}})).await;
    }
    for total in [1, 3, 1_000_000] {
        let mut count = 0;
        for segment in (0..total).step_by(if total > 3 { 250_000 } else { 1 }) {
            let request = json!({"TableName": PLAIN, "Segment": segment, "TotalSegments": total});
            count += harness.call("Scan", request).await["Count"].as_u64().unwrap();
        }
        assert!(if total > 3 { count < 40 } else { count == 40 }, "{total} segments: {count}");
    }
}

#[tokio::test]
async fn a_start_key_lies_in_its_segment() {
    let harness = tables().await;
    for number in 0..8 {
        harness.put(PLAIN, json!({"pk": {"S": format!("k{number}")}})).await;
    }
    let scan = |segment: u64, more: Value| {
        let base = json!({"TableName": PLAIN, "Segment": segment, "TotalSegments": 2});
        with(base, more)
    };
    let page = harness.call("Scan", scan(0, json!({"Limit": 1}))).await;
    let start = json!({"ExclusiveStartKey": page["LastEvaluatedKey"]});
    harness.call("Scan", scan(0, start.clone())).await;
    let text = "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use \
                ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 1";
    harness.refuses("Scan", scan(1, start), text).await;
}

#[tokio::test]
async fn a_start_key_has_the_keys_of_what_is_scanned() {
    let harness = tables().await;
    let invalid = "The provided starting key is invalid";
    let mismatch = "The provided key element does not match the schema";
    let scan = |index: Value, start: Value| {
        json!({"TableName": "pairs", "IndexName": index,
            "ExclusiveStartKey": start})
    };
    let s = |value: &str| json!({"S": value});
    let cases = [
        (Value::Null, json!({"pk": s("a")}), format!("{invalid}: {mismatch}")),
        (Value::Null, json!({"pk": s("a"), "sk": {"N": "1"}}), format!("{invalid}: {mismatch}")),
        (json!("by-gsi"), json!({"pk": s("a"), "sk": s("b")}), invalid.to_owned()),
        (
            json!("by-gsi"),
            json!({"pk": s("a"), "sk": s("b"), "gsiPk": {"N": "1"}}),
            mismatch.to_owned(),
        ),
        (
            json!("by-gsi"),
            json!({"pk": s("a"), "sk": {"N": "1"}, "gsiPk": s("g")}),
            format!("{invalid}: {mismatch}"),
        ),
    ];
    for (index, start, text) in cases {
        harness.refuses("Scan", scan(index, start), &text).await;
    }
}

//! Numbers: which forms are taken, and how they read back.

use serde_json::json;

use super::support::{ABSENT, PLAIN, one, tables};
use crate::harness::Harness;

#[tokio::test]
async fn numbers_read_back_as_plain_decimals_without_needless_zeros() {
    let harness = tables().await;
    let largest = "9".repeat(38) + &"0".repeat(88);
    let smallest = format!("0.{}1", "0".repeat(129));
    let forms = [
        ("+5", "5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1.e5", "100000"),
        ("0042.1200", "42.12"),
        ("00042", "42"),
        ("1.0", "1"),
        ("1.5E2", "150"),
        ("-0", "0"),
        ("0e125", "0"),
        ("1e-3", "0.001"),
        ("99999999999999999999999999999999999999e88", largest.as_str()),
        ("1e-130", smallest.as_str()),
    ];
    for (sent, read) in forms {
        harness.put(PLAIN, json!({"pk": {"S": "a"}, "n": {"N": sent}})).await;
        let item = harness.get(PLAIN, json!({"pk": {"S": "a"}})).await;
        assert_eq!(item["n"], json!({"N": read}), "{sent}");
    }
}

#[tokio::test]
async fn what_is_no_number_is_refused_as_it_was_sent() {
    let harness = Harness::new().await;
    let forms =
        ["1+2", "1.2.3", "+e2", "1e", "1e+", ".", "-", "NaN", "Infinity", "1 ", "\t1", "0x1"];
    for form in forms {
        let request = json!({"TableName": ABSENT, "Item": {"pk": {"S": "a"}, "n": {"N": form}}});
        let text = format!("The parameter cannot be converted to a numeric value: {form}");
        harness.refuses("PutItem", request, &one(&text)).await;
    }
}

#[tokio::test]
async fn exponents_are_read_to_64_bits_and_even_zero_is_within_the_range() {
    let harness = Harness::new().await;
    let overflow = "Number overflow. Attempting to store a number with magnitude larger than \
                    supported range";
    let underflow = "Number underflow. Attempting to store a number with magnitude smaller than \
                     supported range";
    let huge = "1e9223372036854775808";
    let not_a_number = format!("The parameter cannot be converted to a numeric value: {huge}");
    let forms = [
        ("1e99999999999", overflow),
        ("1e-99999999999", underflow),
        ("1e2147483648", overflow),
        ("0e126", overflow),
        ("0e-131", underflow),
        (huge, &not_a_number),
    ];
    for (form, text) in forms {
        let request = json!({"TableName": ABSENT, "Item": {"pk": {"S": "a"}, "n": {"N": form}}});
        harness.refuses("PutItem", request, &one(text)).await;
    }
}

#[tokio::test]
async fn numbers_of_one_value_are_one_key() {
    let harness = Harness::new().await;
    let table = json!({"TableName": "numbers", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]});
    harness.call("CreateTable", table).await;
    harness.put("numbers", json!({"pk": {"N": "1.0"}, "v": {"S": "x"}})).await;
    for form in ["1", "1.00", "1E0", "10e-1"] {
        let item = harness.get("numbers", json!({"pk": {"N": form}})).await;
        assert_eq!(item, json!({"pk": {"N": "1"}, "v": {"S": "x"}}), "{form}");
    }
}

#[tokio::test]
async fn sums_beyond_the_range_or_the_digits_overflow_and_tiny_ones_underflow() {
    let harness = tables().await;
    let overflow = "Number overflow. Attempting to store a number with magnitude larger than \
                    supported range";
    let underflow = "Number underflow. Attempting to store a number with magnitude smaller than \
                     supported range";
    let sums =
        [("9e125", "9e125", overflow), ("1e50", "1", overflow), ("1.1e-130", "-1e-130", underflow)];
    for (stored, added, text) in sums {
        harness.put(PLAIN, json!({"pk": {"S": "a"}, "n": {"N": stored}})).await;
        for expression in ["SET n = n + :d", "ADD n :d"] {
            let request = json!({"TableName": PLAIN, "Key": {"pk": {"S": "a"}},
                "UpdateExpression": expression, "ExpressionAttributeValues": {":d": {"N": added}}});
            harness.refuses("UpdateItem", request, text).await;
        }
    }
}

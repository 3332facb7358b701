//! What calls that fail are answered with.
//!
//! The texts of throttles are those of AWS's answers, as its users report them; the names of
//! reasons and the members that hold them are from AWS's reference of `ThrottlingReason`, and from
//! botocore, where only `ThrottlingException` spells its member `throttlingReasons`.

use monotable_api::Code;
use serde_json::{Value, json};

use super::world::{ON_DEMAND, PROVISIONED, World, put, transaction};

const TABLE: &str = "arn:aws:dynamodb:us-east-1:000000000000:table/";
const PROVISIONED_TEXT: &str = "The level of configured provisioned throughput for the table was \
    exceeded. Consider increasing your provisioning level with the UpdateTable API.";
const ON_DEMAND_TEXT: &str = "Throughput exceeds the current capacity of your table or index. \
    DynamoDB is automatically scaling your table or index so please try again shortly. If \
    exceptions persist, check if you have a hot key: \
    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";

fn get(table: &str) -> Value {
    json!({"TableName": table, "Key": {"pk": {"S": "a"}}})
}

fn query(table: &str) -> Value {
    json!({"TableName": table, "IndexName": "by-owner", "KeyConditionExpression": "#o = :o",
        "ExpressionAttributeNames": {"#o": "owner"},
        "ExpressionAttributeValues": {":o": {"S": "a"}}})
}

#[tokio::test]
async fn a_provisioned_table_is_throttled_with_the_reason_and_its_name() {
    let world = World::new().await;
    world.fault(&["throttle"]);
    let expected = json!({
        "__type": "ProvisionedThroughputExceededException",
        "message": PROVISIONED_TEXT,
        "ThrottlingReasons": [{"reason": "TableWriteProvisionedThroughputExceeded",
            "resource": format!("{TABLE}provisioned")}],
    });
    assert_eq!(world.error("PutItem", put(PROVISIONED, "a")).await, expected);
    let read = world.error("GetItem", get(PROVISIONED)).await;
    assert_eq!(read["ThrottlingReasons"][0]["reason"], "TableReadProvisionedThroughputExceeded");
}

#[tokio::test]
async fn an_on_demand_table_is_throttled_with_another_error() {
    let world = World::new().await;
    world.fault(&["throttle"]);
    let expected = json!({
        "__type": "ThrottlingException",
        "message": ON_DEMAND_TEXT,
        "throttlingReasons": [{"reason": "TableReadKeyRangeThroughputExceeded",
            "resource": format!("{TABLE}on-demand")}],
    });
    assert_eq!(world.error("GetItem", get(ON_DEMAND)).await, expected);
}

#[tokio::test]
async fn limits_are_named_for_tables_and_indexes() {
    let world = World::new().await;
    for (fault, table, code, reason) in [
        (
            "throttle limit=key-range",
            PROVISIONED,
            "ProvisionedThroughputExceededException",
            "IndexReadKeyRangeThroughputExceeded",
        ),
        (
            "throttle limit=provisioned",
            PROVISIONED,
            "ProvisionedThroughputExceededException",
            "IndexReadProvisionedThroughputExceeded",
        ),
        (
            "throttle limit=max-on-demand",
            ON_DEMAND,
            "ThrottlingException",
            "IndexReadMaxOnDemandThroughputExceeded",
        ),
        (
            "throttle limit=account",
            ON_DEMAND,
            "RequestLimitExceeded",
            "IndexReadAccountLimitExceeded",
        ),
    ] {
        world.fault(&[fault]);
        let error = world.error("Query", query(table)).await;
        assert_eq!(error["__type"], code, "{fault}");
        let reasons = error.get("ThrottlingReasons").or(error.get("throttlingReasons")).unwrap();
        assert_eq!(reasons[0]["reason"], reason, "{fault}");
        assert_eq!(reasons[0]["resource"], format!("{TABLE}{table}/index/by-owner"), "{fault}");
    }
}

#[tokio::test]
async fn an_invalid_call_is_refused_before_it_is_throttled() {
    let world = World::new().await;
    world.fault(&["throttle"]);
    let error = world.error("GetItem", json!({"TableName": PROVISIONED, "Key": {}})).await;
    assert_eq!(error["__type"], "ValidationException");
    let error = world.error("GetItem", get("absent")).await;
    assert_eq!(error["__type"], "ResourceNotFoundException");
}

#[tokio::test]
async fn a_transaction_is_cancelled_with_a_reason_for_each_member() {
    let world = World::new().await;
    world.fault(&["throttle key=b"]);
    let error = world.error("TransactWriteItems", transaction(PROVISIONED, &["a", "b"])).await;
    assert_eq!(error["__type"], "TransactionCanceledException");
    let reasons = json!([{"Code": "None"},
        {"Code": "ProvisionedThroughputExceeded", "Message": PROVISIONED_TEXT}]);
    assert_eq!(error["CancellationReasons"], reasons);
    let error = world.error("TransactWriteItems", transaction(ON_DEMAND, &["b"])).await;
    assert_eq!(
        error["CancellationReasons"],
        json!([{"Code": "ThrottlingError", "Message": ON_DEMAND_TEXT}])
    );
}

#[tokio::test]
async fn a_conflict_refuses_a_write_and_cancels_a_transaction() {
    let world = World::new().await;
    world.fault(&["conflict"]);
    let text = "Transaction is ongoing for the item";
    let expected = json!({"__type": "TransactionConflictException", "message": text});
    assert_eq!(world.error("PutItem", put(ON_DEMAND, "a")).await, expected);
    let error = world.error("TransactWriteItems", transaction(ON_DEMAND, &["a", "b"])).await;
    assert_eq!(
        error,
        json!({"__type": "TransactionCanceledException",
            "Message": "Transaction cancelled, please refer cancellation reasons for specific \
                reasons [TransactionConflict, None]",
            "CancellationReasons":
                [{"Code": "TransactionConflict", "Message": text}, {"Code": "None"}]})
    );
    let gets = json!({"TransactItems": [{"Get": get(ON_DEMAND)}]});
    let error = world.error("TransactGetItems", gets).await;
    assert_eq!(error["CancellationReasons"][0]["Code"], "TransactionConflict");
    assert!(world.call("GetItem", get(ON_DEMAND)).await.is_ok());
}

#[tokio::test]
async fn a_transaction_can_be_in_progress() {
    let world = World::new().await;
    world.fault(&["in-progress first=1"]);
    let error = world.error("TransactWriteItems", transaction(ON_DEMAND, &["a"])).await;
    assert_eq!(error["__type"], "TransactionInProgressException");
    // botocore's model spells this one's text with a capital letter.
    assert!(error["Message"].is_string());
    assert!(world.call("TransactWriteItems", transaction(ON_DEMAND, &["a"])).await.is_ok());
}

#[tokio::test]
async fn an_error_before_the_write_prevents_it_and_one_after_it_does_not() {
    let world = World::new().await;
    for (fault, is_written) in [("error", false), ("error when=after", true)] {
        world.fault(&[fault]);
        let error = world.error("PutItem", put(ON_DEMAND, fault)).await;
        let expected = json!({"__type": "InternalServerError", "message": "Internal server error"});
        assert_eq!(error, expected);
        world.fault(&[]);
        let key = json!({"TableName": ON_DEMAND, "Key": {"pk": {"S": fault}}});
        let answer = world.ok("GetItem", key).await;
        assert_eq!(answer.get("Item").is_some(), is_written, "{fault}");
    }
}

#[tokio::test]
async fn a_dropped_call_has_no_answer_and_may_have_been_carried_out() {
    let world = World::new().await;
    for (fault, is_written) in [("drop", false), ("drop when=after", true)] {
        world.fault(&[fault]);
        let error = world.put(ON_DEMAND, fault).await.unwrap_err();
        assert!(error.is_unanswered());
        world.fault(&[]);
        let key = json!({"TableName": ON_DEMAND, "Key": {"pk": {"S": fault}}});
        let answer = world.ok("GetItem", key).await;
        assert_eq!(answer.get("Item").is_some(), is_written, "{fault}");
    }
}

#[tokio::test]
async fn calls_on_tables_fail_if_they_are_meant() {
    let world = World::new().await;
    let describe = |table: &str| json!({ "TableName": table });
    world.fault(&["throttle"]);
    assert!(world.call("DescribeTable", describe(ON_DEMAND)).await.is_ok());
    world
        .fault(&["throttle operation=DescribeTable table=on-demand", "error operation=ListTables"]);
    let error = world.error("DescribeTable", describe(ON_DEMAND)).await;
    assert_eq!(error["__type"], "ThrottlingException");
    assert!(world.call("DescribeTable", describe(PROVISIONED)).await.is_ok());
    let error = world.call("ListTables", json!({})).await.unwrap_err();
    assert_eq!(error.code(), Code::InternalServerError);
}

#[tokio::test]
async fn the_same_seed_and_calls_fail_alike() {
    let mut histories = Vec::new();
    for seed in [7, 7, 8] {
        let world = World::new().await;
        world.fault_by_seed(seed, &["throttle rate=0.3 operation=PutItem", "error rate=0.2"]);
        let mut history = Vec::new();
        for number in 0..60 {
            let answer = world.put(ON_DEMAND, &number.to_string()).await;
            history.push(answer.err().map(|error| error.code()));
        }
        histories.push(history);
    }
    assert_eq!(histories[0], histories[1]);
    assert_ne!(histories[0], histories[2]);
    let is_throttled = |code: &Option<Code>| *code == Some(Code::Throttling);
    assert!((10..30).contains(&histories[0].iter().filter(|code| is_throttled(code)).count()));
}

#[tokio::test]
async fn keys_are_selected_by_their_text_in_writes_reads_and_queries() {
    let world = World::new().await;
    world.fault(&["error key-prefix=user#"]);
    assert!(world.put(ON_DEMAND, "user#1").await.is_err());
    assert!(world.put(ON_DEMAND, "order#1").await.is_ok());
    let query = |owner: &str| {
        json!({"TableName": ON_DEMAND, "IndexName": "by-owner",
            "KeyConditionExpression": "#o = :o", "ExpressionAttributeNames": {"#o": "owner"},
            "ExpressionAttributeValues": {":o": {"S": owner}}})
    };
    assert!(world.call("Query", query("user#1")).await.is_err());
    assert!(world.call("Query", query("x")).await.is_ok());
    assert!(world.call("Scan", json!({"TableName": ON_DEMAND})).await.is_ok());
}

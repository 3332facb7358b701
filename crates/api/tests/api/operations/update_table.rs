//! UpdateTable answers with a table that is being changed; the change is there from then on.

use crate::harness::Harness;
use serde_json::{Value, json};

fn units(read: i64, write: i64) -> Value {
    json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write})
}

fn by_state(throughput: Option<Value>) -> Value {
    let mut index = json!({
        "IndexName": "by-state",
        "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    });
    if let Some(throughput) = throughput {
        index["ProvisionedThroughput"] = throughput;
    }
    index
}

async fn with_table(mut changes: Value) -> Harness {
    let harness = Harness::new().await;
    let mut request = json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    });
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    harness.call("CreateTable", request).await;
    harness
}

async fn with_provisioned_table() -> Harness {
    let attributes =
        ["pk", "state"].map(|name| json!({"AttributeName": name, "AttributeType": "S"}));
    with_table(json!({
        "AttributeDefinitions": attributes,
        "ProvisionedThroughput": units(5, 5),
        "GlobalSecondaryIndexes": [by_state(Some(units(2, 2)))],
    }))
    .await
}

async fn with_on_demand_table() -> Harness {
    with_table(json!({"BillingMode": "PAY_PER_REQUEST"})).await
}

async fn update(harness: &Harness, mut changes: Value) -> Value {
    changes["TableName"] = json!("shop");
    harness.call("UpdateTable", changes).await["TableDescription"].clone()
}

async fn describe(harness: &Harness) -> Value {
    harness.call("DescribeTable", json!({"TableName": "shop"})).await["Table"].clone()
}

/// Describes the table again and again, until it is as it should be.
async fn describe_until(harness: &Harness, is_done: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..10_000 {
        let table = describe(harness).await;
        if is_done(&table) {
            return table;
        }
        tokio::task::yield_now().await;
    }
    panic!("the table never changed: {}", describe(harness).await);
}

const NOW: f64 = 1794744000.25;

#[tokio::test]
async fn throughput_is_answered_with_the_old_units_and_the_dates_of_the_change() {
    let harness = with_provisioned_table().await;
    let answer = update(&harness, json!({"ProvisionedThroughput": units(7, 3)})).await;
    assert_eq!(answer["TableStatus"], "UPDATING");
    let mut throughput = json!({
        "LastIncreaseDateTime": NOW,
        "LastDecreaseDateTime": NOW,
        "NumberOfDecreasesToday": 0,
        "ReadCapacityUnits": 5,
        "WriteCapacityUnits": 5,
    });
    assert_eq!(answer["ProvisionedThroughput"], throughput);
    throughput["NumberOfDecreasesToday"] = json!(1);
    throughput["ReadCapacityUnits"] = json!(7);
    throughput["WriteCapacityUnits"] = json!(3);
    let table = describe(&harness).await;
    assert_eq!(table["TableStatus"], "ACTIVE");
    assert_eq!(table["ProvisionedThroughput"], throughput);
}

/// AWS allows 40,000 units of a table and 27 decreases a day, unless it is asked for more.
#[tokio::test]
async fn units_and_their_decreases_are_not_limited() {
    const DECREASES: i64 = 30;
    let harness = with_provisioned_table().await;
    update(&harness, json!({"ProvisionedThroughput": units(1_000_000, 1_000_000)})).await;
    for decrease in 1..=DECREASES {
        let throughput = units(1_000_000 - decrease, 1_000_000);
        update(&harness, json!({"ProvisionedThroughput": throughput})).await;
    }
    let throughput = &describe(&harness).await["ProvisionedThroughput"];
    assert_eq!(throughput["NumberOfDecreasesToday"], DECREASES);
    assert_eq!(throughput["ReadCapacityUnits"], 1_000_000 - DECREASES);
}

#[tokio::test]
async fn throughput_of_an_index_leaves_the_table_active() {
    let harness = with_provisioned_table().await;
    let changes = json!({"GlobalSecondaryIndexUpdates": [
        {"Update": {"IndexName": "by-state", "ProvisionedThroughput": units(1, 2)}},
    ]});
    let answer = update(&harness, changes).await;
    assert_eq!(answer["TableStatus"], "ACTIVE");
    let index = &answer["GlobalSecondaryIndexes"][0];
    assert_eq!(index["IndexStatus"], "UPDATING");
    assert_eq!(index["ProvisionedThroughput"]["ReadCapacityUnits"], 2);
    let table = describe(&harness).await;
    let index = &table["GlobalSecondaryIndexes"][0];
    assert_eq!(index["IndexStatus"], "ACTIVE");
    assert_eq!(
        index["ProvisionedThroughput"],
        json!({
            "LastDecreaseDateTime": NOW,
            "NumberOfDecreasesToday": 1,
            "ReadCapacityUnits": 1,
            "WriteCapacityUnits": 2,
        })
    );
}

#[tokio::test]
async fn billing_can_change_there_and_back() {
    let harness = with_provisioned_table().await;
    let answer = update(&harness, json!({"BillingMode": "PAY_PER_REQUEST"})).await;
    assert_eq!(answer["TableStatus"], "UPDATING");
    assert_eq!(answer["ProvisionedThroughput"]["ReadCapacityUnits"], 5);
    let table = describe(&harness).await;
    let summary =
        |mode: &str| json!({"BillingMode": mode, "LastUpdateToPayPerRequestDateTime": NOW});
    assert_eq!(table["BillingModeSummary"], summary("PAY_PER_REQUEST"));
    assert_eq!(table["ProvisionedThroughput"]["ReadCapacityUnits"], 0);
    assert_eq!(table["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["ReadCapacityUnits"], 0);
    assert_eq!(table["WarmThroughput"]["ReadUnitsPerSecond"], 12000);
    update(
        &harness,
        json!({
            "BillingMode": "PROVISIONED",
            "ProvisionedThroughput": units(3, 4),
            "GlobalSecondaryIndexUpdates": [
                {"Update": {"IndexName": "by-state", "ProvisionedThroughput": units(5, 6)}},
            ],
        }),
    )
    .await;
    let table = describe(&harness).await;
    assert_eq!(table["BillingModeSummary"], summary("PROVISIONED"));
    assert_eq!(table["ProvisionedThroughput"]["WriteCapacityUnits"], 4);
    assert_eq!(
        table["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["WriteCapacityUnits"],
        6
    );
}

#[tokio::test]
async fn the_same_billing_again_is_accepted() {
    let harness = with_on_demand_table().await;
    let before = describe(&harness).await;
    let answer = update(&harness, json!({"BillingMode": "PAY_PER_REQUEST"})).await;
    assert_eq!(answer["TableStatus"], "UPDATING");
    assert_eq!(describe(&harness).await, before);
}

#[tokio::test]
async fn ceilings_come_and_go() {
    let harness = with_on_demand_table().await;
    let ceiling = |members: Value| json!({"OnDemandThroughput": members});
    update(&harness, ceiling(json!({"MaxReadRequestUnits": 5, "MaxWriteRequestUnits": 6}))).await;
    update(&harness, ceiling(json!({"MaxReadRequestUnits": 7}))).await;
    assert_eq!(
        describe(&harness).await["OnDemandThroughput"],
        json!({"MaxReadRequestUnits": 7, "MaxWriteRequestUnits": 6})
    );
    update(&harness, ceiling(json!({"MaxReadRequestUnits": -1, "MaxWriteRequestUnits": -1}))).await;
    assert_eq!(describe(&harness).await.get("OnDemandThroughput"), None);
}

#[tokio::test]
async fn an_index_is_created_and_filled_with_what_was_there() {
    let harness = with_on_demand_table().await;
    for item in [
        json!({"pk": {"S": "a"}, "state": {"S": "paid"}}),
        json!({"pk": {"S": "b"}, "state": {"N": "1"}}),
        json!({"pk": {"S": "c"}}),
    ] {
        harness.call("PutItem", json!({"TableName": "shop", "Item": item})).await;
    }
    let state = json!({"AttributeName": "state", "AttributeType": "S"});
    let unused = json!({"AttributeName": "unused", "AttributeType": "S"});
    let answer = update(
        &harness,
        json!({
            "AttributeDefinitions": [state, unused],
            "GlobalSecondaryIndexUpdates": [{"Create": by_state(None)}],
        }),
    )
    .await;
    assert_eq!(answer["TableStatus"], "UPDATING");
    assert_eq!(answer["GlobalSecondaryIndexes"][0]["IndexStatus"], "CREATING");
    assert_eq!(answer["GlobalSecondaryIndexes"][0]["Backfilling"], false);
    let is_active = |table: &Value| table["GlobalSecondaryIndexes"][0]["IndexStatus"] == "ACTIVE";
    let table = describe_until(&harness, is_active).await;
    assert_eq!(table["TableStatus"], "ACTIVE");
    assert_eq!(
        table["AttributeDefinitions"],
        json!([{"AttributeName": "pk", "AttributeType": "S"}, state])
    );
    let index = &table["GlobalSecondaryIndexes"][0];
    assert_eq!(index.get("Backfilling"), None);
    assert_eq!(index["ItemCount"], 1);
}

#[tokio::test]
async fn a_deleted_index_goes_with_the_definitions_that_only_it_used() {
    let harness = with_provisioned_table().await;
    let changes = json!({"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by-state"}}]});
    let answer = update(&harness, changes).await;
    assert_eq!(answer["TableStatus"], "UPDATING");
    assert_eq!(answer["GlobalSecondaryIndexes"][0]["IndexStatus"], "DELETING");
    let is_gone = |table: &Value| table.get("GlobalSecondaryIndexes").is_none();
    let table = describe_until(&harness, is_gone).await;
    assert_eq!(table["TableStatus"], "ACTIVE");
    assert_eq!(
        table["AttributeDefinitions"],
        json!([{"AttributeName": "pk", "AttributeType": "S"}])
    );
}

#[tokio::test]
async fn a_stream_leaves_its_name_behind() {
    let harness = with_on_demand_table().await;
    let specification = json!({"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"});
    let answer = update(&harness, json!({"StreamSpecification": specification})).await;
    assert_eq!(answer["StreamSpecification"], specification);
    assert_eq!(answer["LatestStreamLabel"], "2026-11-15T12:00:00.250");
    update(&harness, json!({"StreamSpecification": {"StreamEnabled": false}})).await;
    let table = describe(&harness).await;
    assert_eq!(table.get("StreamSpecification"), None);
    assert_eq!(
        table["LatestStreamArn"],
        "arn:aws:dynamodb:us-east-1:000000000000:table/shop/stream/2026-11-15T12:00:00.250"
    );
}

#[tokio::test]
async fn class_and_protection_change() {
    let harness = with_on_demand_table().await;
    update(&harness, json!({"TableClass": "STANDARD_INFREQUENT_ACCESS"})).await;
    update(&harness, json!({"DeletionProtectionEnabled": true})).await;
    let table = describe(&harness).await;
    assert_eq!(table["TableClassSummary"]["TableClass"], "STANDARD_INFREQUENT_ACCESS");
    assert_eq!(table["DeletionProtectionEnabled"], true);
    let error = harness.error("DeleteTable", json!({"TableName": "shop"})).await;
    assert_eq!(error.0, "ValidationException");
}

/// AWS takes ENABLED and DISABLED on a table without replicas and shows them, and shows nothing
/// before. Recorded in October 2026; of CreateTable it is not known.
#[tokio::test]
async fn the_replication_of_settings_is_kept_and_shown() {
    let member = "GlobalTableSettingsReplicationMode";
    let mode = |mode: &str| Value::Object([(member.to_owned(), json!(mode))].into_iter().collect());
    let harness = with_on_demand_table().await;
    assert_eq!(describe(&harness).await[member], Value::Null);
    for value in ["ENABLED", "ENABLED", "DISABLED"] {
        let answer = update(&harness, mode(value)).await;
        assert_eq!((&answer[member], &answer["TableStatus"]), (&json!(value), &json!("ACTIVE")));
        assert_eq!(describe(&harness).await[member], json!(value));
    }
    let mut request = mode("ENABLED_WITH_OVERRIDES");
    request["TableName"] = json!("shop");
    assert_eq!(
        harness.error("UpdateTable", request).await,
        (
            "ValidationException".to_owned(),
            "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to \
             satisfy constraint: Only ENABLED and DISABLED settings replication are supported for \
             a Regional Table."
                .to_owned()
        )
    );
    let mut changes = mode("ENABLED");
    changes["BillingMode"] = json!("PAY_PER_REQUEST");
    assert_eq!(describe(&with_table(changes).await).await[member], json!("ENABLED"));
}

/// AWS takes the switch to paying by request together with a stream or a new index, and does both.
/// Recorded in October 2026.
#[tokio::test]
async fn a_switch_to_on_demand_goes_with_a_stream_or_a_new_index() {
    let harness = with_provisioned_table().await;
    let stream = json!({"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"});
    update(
        &harness,
        json!({"BillingMode": "PAY_PER_REQUEST", "StreamSpecification": stream.clone()}),
    )
    .await;
    let table = describe(&harness).await;
    assert_eq!(table["BillingModeSummary"]["BillingMode"], json!("PAY_PER_REQUEST"));
    assert_eq!(table["StreamSpecification"], stream);
    let harness = with_table(json!({"ProvisionedThroughput": units(5, 5)})).await;
    update(
        &harness,
        json!({
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "state", "AttributeType": "S"}],
            "GlobalSecondaryIndexUpdates": [{"Create": by_state(None)}],
        }),
    )
    .await;
    let table = describe(&harness).await;
    assert_eq!(table["BillingModeSummary"]["BillingMode"], json!("PAY_PER_REQUEST"));
    assert_eq!(table["GlobalSecondaryIndexes"][0]["IndexName"], json!("by-state"));
}

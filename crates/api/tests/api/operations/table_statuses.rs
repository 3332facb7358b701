//! Tables and indexes while changes of them are shown as under way: `--control-plane-delay`. The
//! refusals were measured in October 2026.

use std::sync::Arc;
use std::time::Duration;

use monotable_database::{DatabaseOptions, ManualClock};
use serde_json::{Value, json};

use crate::harness::Harness;

const DELAY: Duration = Duration::from_secs(10);
const START_MILLIS: u64 = 1_794_744_000_250;

struct World {
    harness: Harness,
    clock: Arc<ManualClock>,
}

impl World {
    async fn new() -> World {
        let clock = Arc::new(ManualClock::new(START_MILLIS));
        let options = DatabaseOptions { control_plane_delay: DELAY, ..DatabaseOptions::default() };
        World { harness: Harness::with(clock.clone(), options).await, clock }
    }

    /// A world with the table `shop`, at rest.
    async fn with_shop() -> World {
        let world = World::new().await;
        world.harness.call("CreateTable", shop()).await;
        world.clock.advance(DELAY);
        world
    }

    async fn table(&self) -> Value {
        self.harness.call("DescribeTable", json!({"TableName": "shop"})).await["Table"].clone()
    }

    async fn update(&self, mut change: Value) -> Value {
        change["TableName"] = json!("shop");
        self.harness.call("UpdateTable", change).await["TableDescription"].clone()
    }

    /// Why a resource is said to be in use.
    async fn in_use(&self, operation: &str, mut request: Value) -> String {
        request["TableName"] = json!("shop");
        let (code, text) = self.harness.error(operation, request).await;
        assert_eq!(code, "ResourceInUseException", "{text}");
        text.replace("Attempt to change a resource which is still in use: ", "")
    }
}

fn shop() -> Value {
    json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    })
}

fn by_state() -> Value {
    json!({
        "AttributeDefinitions": [{"AttributeName": "state", "AttributeType": "S"}],
        "GlobalSecondaryIndexUpdates": [{"Create": {
            "IndexName": "by_state",
            "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }}],
    })
}

#[tokio::test]
async fn without_a_delay_a_table_is_active_at_once_and_gone_at_once() {
    let harness = Harness::new().await;
    harness.call("CreateTable", shop()).await;
    let described = harness.call("DescribeTable", json!({"TableName": "shop"})).await;
    assert_eq!(described["Table"]["TableStatus"], "ACTIVE");
    harness.call("DeleteTable", json!({"TableName": "shop"})).await;
    harness.call("CreateTable", shop()).await;
}

#[tokio::test]
async fn a_table_that_is_being_created_takes_neither_items_nor_changes() {
    let world = World::new().await;
    world.harness.call("CreateTable", shop()).await;
    assert_eq!(world.table().await["TableStatus"], "CREATING");
    let put = json!({"TableName": "shop", "Item": {"pk": {"S": "a"}}});
    let (code, text) = world.harness.error("PutItem", put.clone()).await;
    let expected = ("ResourceNotFoundException", "Requested resource not found");
    assert_eq!((code.as_str(), text.as_str()), expected);
    let protect = json!({"DeletionProtectionEnabled": true});
    assert_eq!(world.in_use("UpdateTable", protect).await, "Table is being created: shop");
    assert_eq!(world.in_use("DeleteTable", json!({})).await, "Table is being created: shop");
    assert_eq!(world.in_use("CreateTable", shop()).await, "Table is being created: shop");
    let specification = json!({"Enabled": true, "AttributeName": "ttl"});
    let expire = json!({"TimeToLiveSpecification": specification});
    assert_eq!(world.in_use("UpdateTimeToLive", expire).await, "Table shop is being created");
    let (_, text) = world.harness.error("DescribeTimeToLive", json!({"TableName": "shop"})).await;
    assert_eq!(
        text,
        "Cannot describe time to live while table is in CREATING state: Current table state is \
         CREATING"
    );
    world.clock.advance(DELAY);
    assert_eq!(world.table().await["TableStatus"], "ACTIVE");
    world.harness.call("PutItem", put).await;
}

#[tokio::test]
async fn a_table_whose_stream_changes_takes_what_does_not_concern_it() {
    let world = World::with_shop().await;
    let enable =
        json!({"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}});
    assert_eq!(world.update(enable.clone()).await["TableStatus"], "UPDATING");
    assert_eq!(world.table().await["TableStatus"], "UPDATING");
    let place = "Table: shop Stream: 2026-11-15T12:00:10.250 Operation: ENABLE";
    assert_eq!(
        world.in_use("UpdateTable", enable).await,
        format!("A stream status change is currently in progress. {place}")
    );
    let class = json!({"TableClass": "STANDARD_INFREQUENT_ACCESS"});
    assert_eq!(
        world.in_use("UpdateTable", class.clone()).await,
        format!("Can't update table class when stream status is being updated. {place}")
    );
    assert_eq!(
        world.in_use("DeleteTable", json!({})).await,
        "Cannot delete table while stream is being enabled/disabled."
    );
    world.update(json!({"DeletionProtectionEnabled": true})).await;
    world.harness.call("PutItem", json!({"TableName": "shop", "Item": {"pk": {"S": "a"}}})).await;
    world.clock.advance(DELAY);
    assert_eq!(world.table().await["TableStatus"], "ACTIVE");
    world.update(class).await;
}

#[tokio::test]
async fn units_and_classes_are_changed_one_after_the_other() {
    let world = World::with_shop().await;
    let units = json!({"ReadCapacityUnits": 5, "WriteCapacityUnits": 5});
    let provision = json!({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units});
    world.update(provision).await;
    assert_eq!(
        world.in_use("UpdateTable", json!({"BillingMode": "PAY_PER_REQUEST"})).await,
        "Table IOPS are currently being updated. Table: shop"
    );
    assert_eq!(
        world.in_use("DeleteTable", json!({})).await,
        "Table: shop is in the process of being updated."
    );
    world.clock.advance(DELAY);
    world.update(json!({"TableClass": "STANDARD_INFREQUENT_ACCESS"})).await;
    assert_eq!(
        world.in_use("UpdateTable", json!({"TableClass": "STANDARD"})).await,
        "Can't update table class when a table class update is in progress. Table: shop \
         TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS"
    );
}

#[tokio::test]
async fn encryption_and_warm_throughput_change_while_the_table_is_active() {
    let world = World::with_shop().await;
    let answer = world.update(json!({"SSESpecification": {"Enabled": true}})).await;
    assert_eq!(answer["TableStatus"], "ACTIVE");
    assert_eq!(answer["SSEDescription"], json!({"Status": "UPDATING"}));
    assert_eq!(world.table().await["SSEDescription"]["Status"], "UPDATING");
    assert_eq!(
        world.in_use("UpdateTable", json!({"SSESpecification": {"Enabled": false}})).await,
        "Server-Side Encryption is still being updated"
    );
    world.clock.advance(DELAY);
    assert_eq!(
        world.table().await["SSEDescription"],
        json!({
            "Status": "ENABLED",
            "SSEType": "KMS",
            "KMSMasterKeyArn": "arn:aws:kms:us-east-1:000000000000:alias/aws/dynamodb",
        })
    );
    let warm = json!({"WarmThroughput": {"ReadUnitsPerSecond": 13_000}});
    world.update(warm).await;
    let units = |read: i64, status: &str| {
        json!({
            "ReadUnitsPerSecond": read, "WriteUnitsPerSecond": 4_000, "Status": status,
        })
    };
    assert_eq!(world.table().await["WarmThroughput"], units(12_000, "UPDATING"));
    world.clock.advance(DELAY);
    assert_eq!(world.table().await["WarmThroughput"], units(13_000, "ACTIVE"));
}

/// The two phases are those that AWS's guide describes for adding an index.
#[tokio::test]
async fn an_index_waits_for_its_resources_and_is_filled_then() {
    let world = World::with_shop().await;
    world.update(by_state()).await;
    let state = async || {
        let table = world.table().await;
        let index = table["GlobalSecondaryIndexes"][0].clone();
        json!([table["TableStatus"], index["IndexStatus"], index["Backfilling"]])
    };
    assert_eq!(state().await, json!(["UPDATING", "CREATING", false]));
    let delete = json!({"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by_state"}}]});
    assert!(world.in_use("UpdateTable", delete.clone()).await.starts_with("Index creation is in"));
    world.clock.advance(DELAY);
    assert_eq!(state().await, json!(["ACTIVE", "CREATING", true]));
    let scan = json!({"TableName": "shop", "IndexName": "by_state"});
    let (_, text) = world.harness.error("Scan", scan.clone()).await;
    assert_eq!(text, "Cannot read from backfilling global secondary index: by_state");
    // A Query and a statement are refused as a Scan is.
    let query = json!({
        "TableName": "shop", "IndexName": "by_state", "KeyConditionExpression": "#s = :s",
        "ExpressionAttributeNames": {"#s": "state"},
        "ExpressionAttributeValues": {":s": {"S": "paid"}},
    });
    assert_eq!(world.harness.error("Query", query).await.1, text);
    for statement in [
        "SELECT * FROM \"shop\".\"by_state\"",
        "SELECT * FROM \"shop\".\"by_state\" WHERE \"state\" = 'paid'",
    ] {
        let refused = world.harness.error("ExecuteStatement", json!({"Statement": statement}));
        assert_eq!(refused.await.1, text, "{statement}");
    }
    world.clock.advance(DELAY);
    while state().await != json!(["ACTIVE", "ACTIVE", null]) {
        tokio::task::yield_now().await;
    }
    world.harness.call("Scan", scan).await;
    world.update(delete).await;
    assert_eq!(state().await, json!(["UPDATING", "DELETING", null]));
    world.clock.advance(DELAY);
    while world.table().await.get("GlobalSecondaryIndexes").is_some() {
        tokio::task::yield_now().await;
    }
    assert_eq!(world.table().await["TableStatus"], "ACTIVE");
}

fn nearest() -> Value {
    json!({
        "IndexName": "nearest",
        "VectorAttribute": {"AttributeName": "embedding"},
        "Dimensions": 2,
        "DistanceFunction": "COSINE",
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    })
}

impl World {
    /// The statuses of the table and of its vector index.
    async fn vector_state(&self) -> Value {
        let table = self.table().await;
        let index = table["VectorIndexes"][0].clone();
        json!([table["TableStatus"], index["IndexStatus"], index["Backfilling"]])
    }

    async fn await_vector_state(&self, expected: Value) {
        while self.vector_state().await != expected {
            tokio::task::yield_now().await;
        }
    }
}

/// Measured on AWS by Parity Suite: the two phases are those of global indexes, and a search is
/// refused in both. How the removal of an index is shown is taken over from global ones.
#[tokio::test]
async fn a_vector_index_waits_for_its_resources_and_is_filled_then() {
    let world = World::with_shop().await;
    let vector = json!({"L": [{"N": "1"}, {"N": "0"}]});
    let put = json!({"TableName": "shop", "Item": {"pk": {"S": "a"}, "embedding": vector}});
    world.harness.call("PutItem", put).await;
    let create = json!({"VectorIndexUpdates": [{"Create": nearest()}]});
    world.update(create.clone()).await;
    assert_eq!(world.vector_state().await, json!(["UPDATING", "CREATING", false]));
    let search = json!({
        "TableName": "shop", "IndexName": "nearest", "TopK": 1,
        "SearchVector": [{"N": "1"}, {"N": "0"}],
    });
    let unfilled = "Cannot search backfilling vector index: nearest";
    assert_eq!(world.harness.error("SearchVectors", search.clone()).await.1, unfilled);
    let delete = json!({"VectorIndexUpdates": [{"Delete": {"IndexName": "nearest"}}]});
    let being_created = "Index is being created.  Table: shop Index: nearest";
    assert_eq!(world.in_use("UpdateTable", create).await, being_created);
    world.in_use("UpdateTable", delete.clone()).await;
    world.in_use("DeleteTable", json!({})).await;
    world.clock.advance(DELAY);
    assert_eq!(world.vector_state().await, json!(["ACTIVE", "CREATING", true]));
    assert_eq!(world.harness.error("SearchVectors", search.clone()).await.1, unfilled);
    world.in_use("DeleteTable", json!({})).await;
    world.clock.advance(DELAY);
    world.await_vector_state(json!(["ACTIVE", "ACTIVE", null])).await;
    let found = world.harness.call("SearchVectors", search.clone()).await;
    assert_eq!(found["SearchResults"][0]["Item"], json!({"pk": {"S": "a"}}));
    world.update(delete).await;
    assert_eq!(world.vector_state().await, json!(["UPDATING", "DELETING", null]));
    let unknown = "The table does not have the specified index: nearest";
    assert_eq!(world.harness.error("SearchVectors", search).await.1, unknown);
    world.clock.advance(DELAY);
    world.await_vector_state(json!(["ACTIVE", null, null])).await;
}

/// Measured on AWS by Parity Suite: an index can be given up while it is being filled.
#[tokio::test]
async fn a_vector_index_is_given_up_while_it_is_filled() {
    let world = World::with_shop().await;
    world.update(json!({"VectorIndexUpdates": [{"Create": nearest()}]})).await;
    world.clock.advance(DELAY);
    assert_eq!(world.vector_state().await, json!(["ACTIVE", "CREATING", true]));
    world.update(json!({"VectorIndexUpdates": [{"Delete": {"IndexName": "nearest"}}]})).await;
    assert_eq!(world.vector_state().await, json!(["UPDATING", "DELETING", null]));
    world.clock.advance(DELAY);
    world.await_vector_state(json!(["ACTIVE", null, null])).await;
}

/// A vector index that comes with its table is created with it, as global ones are.
#[tokio::test]
async fn a_vector_index_that_comes_with_its_table_is_there_when_the_table_is() {
    let world = World::new().await;
    let mut request = shop();
    request["VectorIndexes"] = json!([nearest()]);
    let answer = world.harness.call("CreateTable", request).await;
    let shown = &answer["TableDescription"];
    assert_eq!(shown["TableStatus"], "CREATING");
    assert_eq!(shown["VectorIndexes"][0]["IndexStatus"], "CREATING");
    world.clock.advance(DELAY);
    assert_eq!(world.vector_state().await, json!(["ACTIVE", "ACTIVE", null]));
}

#[tokio::test]
async fn a_deleted_table_is_shown_until_its_time_is_over_and_its_name_is_free_then() {
    let world = World::with_shop().await;
    let put = json!({"TableName": "shop", "Item": {"pk": {"S": "a"}}});
    world.harness.call("PutItem", put.clone()).await;
    world.harness.call("DeleteTable", json!({"TableName": "shop"})).await;
    assert_eq!(world.table().await["TableStatus"], "DELETING");
    assert_eq!(world.harness.error("PutItem", put).await.0, "ResourceNotFoundException");
    assert_eq!(world.in_use("DeleteTable", json!({})).await, "Table is being deleted: shop");
    let protect = json!({"DeletionProtectionEnabled": true});
    assert_eq!(world.in_use("UpdateTable", protect).await, "Table is being deleted: shop");
    let (_, text) = world.harness.error("CreateTable", shop()).await;
    assert_eq!(text, "Table already exists: shop");
    world.clock.advance(DELAY);
    let gone = world.harness.error("DescribeTable", json!({"TableName": "shop"})).await;
    assert_eq!(gone.1, "Requested resource not found: Table: shop not found");
    world.harness.call("CreateTable", shop()).await;
    world.clock.advance(DELAY);
    let scan = world.harness.call("Scan", json!({"TableName": "shop"})).await;
    assert_eq!(scan["Count"], 0);
}

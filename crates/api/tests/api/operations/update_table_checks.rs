//! UpdateTable checks its members by themselves, against one another, and against the table.
//!
//! The texts are AWS's, most of them recorded in 2026 by public test suites, some (units out of
//! bounds or unchanged) in 2021, but where a test says otherwise. Where several checks fail at
//! once, only the order of the large groups (members, request, table, limits) was measured.

use crate::harness::Harness;
use serde_json::{Value, json};

fn units(read: i64, write: i64) -> Value {
    json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write})
}

fn definition(name: &str, kind: &str) -> Value {
    json!({"AttributeName": name, "AttributeType": kind})
}

fn index(name: &str, attribute: &str) -> Value {
    json!({
        "IndexName": name,
        "KeySchema": [{"AttributeName": attribute, "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    })
}

fn provisioned_index(name: &str, attribute: &str) -> Value {
    let mut index = index(name, attribute);
    index["ProvisionedThroughput"] = units(2, 2);
    index
}

/// A table with a local index `local` and a global index `gsi1`.
fn table(mut changes: Value) -> Value {
    let mut request = json!({
        "TableName": "shop",
        "AttributeDefinitions": [definition("a", "S"), definition("b", "S")],
        "KeySchema": [
            {"AttributeName": "a", "KeyType": "HASH"},
            {"AttributeName": "b", "KeyType": "RANGE"},
        ],
        "LocalSecondaryIndexes": [{
            "IndexName": "local",
            "KeySchema": [
                {"AttributeName": "a", "KeyType": "HASH"},
                {"AttributeName": "b", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }],
    });
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    request
}

async fn on_demand() -> Harness {
    let harness = Harness::new().await;
    let changes =
        json!({"BillingMode": "PAY_PER_REQUEST", "GlobalSecondaryIndexes": [index("gsi1", "b")]});
    harness.call("CreateTable", table(changes)).await;
    harness
}

async fn provisioned() -> Harness {
    let harness = Harness::new().await;
    let changes = json!({
        "ProvisionedThroughput": units(5, 5),
        "GlobalSecondaryIndexes": [provisioned_index("gsi1", "b")],
    });
    harness.call("CreateTable", table(changes)).await;
    harness
}

async fn error(harness: &Harness, mut changes: Value) -> (String, String) {
    let mut request = json!({"TableName": "shop"});
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    harness.error("UpdateTable", request).await
}

/// Checks the text of a refusal. Most start alike: `…` stands for that.
async fn check(harness: &Harness, changes: Value, text: &str) {
    let text = text.replace('…', "One or more parameter values were invalid: ");
    assert_eq!(error(harness, changes).await, ("ValidationException".to_owned(), text));
}

fn index_updates(updates: Value) -> Value {
    Value::Object([("GlobalSecondaryIndexUpdates".to_owned(), updates)].into_iter().collect())
}

fn update_index(name: &str, mut members: Value) -> Value {
    let mut update = json!({"IndexName": name});
    update.as_object_mut().unwrap().append(members.as_object_mut().unwrap());
    index_updates(json!([{"Update": update}]))
}

#[tokio::test]
async fn members_are_checked_together() {
    let harness = Harness::new().await;
    check(
        &harness,
        json!({"TableName": "ab", "BillingMode": "FREE"}),
        "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: \
         Member must have length greater than or equal to 3",
    )
    .await;
    let missing = |path: &str| {
        format!("Value null at '{path}' failed to satisfy constraint: Member must not be null")
    };
    let updates = "globalSecondaryIndexUpdates";
    check(
        &harness,
        index_updates(json!([
            {"Update": {"ProvisionedThroughput": {"WriteCapacityUnits": 0}}},
            {"Delete": {}},
            {"Create": {"IndexName": "abc"}},
        ])),
        &format!(
            "6 validation errors detected: {}; Value '0' at '{updates}.1.member.update.\
             provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must \
             have value greater than or equal to 1; {}; {}; {}; {}",
            missing("globalSecondaryIndexUpdates.1.member.update.indexName"),
            missing(
                "globalSecondaryIndexUpdates.1.member.update.\
                 provisionedThroughput.readCapacityUnits"
            ),
            missing("globalSecondaryIndexUpdates.2.member.delete.indexName"),
            missing("globalSecondaryIndexUpdates.3.member.create.keySchema"),
            missing("globalSecondaryIndexUpdates.3.member.create.projection"),
        ),
    )
    .await;
}

#[tokio::test]
async fn something_must_be_asked_for() {
    let harness = Harness::new().await;
    let nothing = "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, \
                   GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, \
                   MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, \
                   DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is \
                   required";
    for changes in [
        json!({}),
        json!({"AttributeDefinitions": [definition("a", "N")]}),
        index_updates(json!([])),
        json!({"OnDemandThroughput": {}}),
        json!({"GlobalTableWitnessUpdates": [{"Create": {"RegionName": "us-west-2"}}]}),
    ] {
        check(&harness, changes, nothing).await;
    }
    let consistency = json!({"MultiRegionConsistency": "EVENTUAL"});
    check(&harness, consistency, &nothing.replace(" MultiRegionConsistency,", "")).await;
}

#[tokio::test]
async fn units_must_fit_the_billing_and_the_bounds() {
    let harness = Harness::new().await;
    check(
        &harness,
        json!({"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": units(1, 1)}),
        "…Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is \
         PAY_PER_REQUEST",
    )
    .await;
    check(
        &harness,
        json!({"ProvisionedThroughput": units(1, 1_000_000_000_001)}),
        "Given value 1000000000001 for WriteCapacityUnits is out of bounds",
    )
    .await;
    check(
        &harness,
        update_index("abc", json!({"ProvisionedThroughput": units(1_000_000_000_001, 1)})),
        "Given value 1000000000001 for ReadCapacityUnits is out of bounds for index abc",
    )
    .await;
}

#[tokio::test]
async fn each_index_update_is_one_action_on_one_index() {
    let harness = Harness::new().await;
    let delete = json!({"IndexName": "abc"});
    check(
        &harness,
        index_updates(json!([{}])),
        "…One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, \
         GlobalSecondaryIndexUpdate.Delete must not be null",
    )
    .await;
    check(
        &harness,
        index_updates(json!([{"Update": delete, "Delete": delete}])),
        "…Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object",
    )
    .await;
    check(
        &harness,
        index_updates(json!([{"Delete": delete}, {"Update": delete}])),
        "…Only one global secondary index update per index is allowed simultaneously. Index: abc",
    )
    .await;
    check(
        &harness,
        json!({"TableClass": "STANDARD", "GlobalSecondaryIndexUpdates": []}),
        "…List of GlobalSecondaryIndexUpdates is empty",
    )
    .await;
    check(
        &harness,
        update_index("ghost", json!({"WarmThroughput": {}})),
        "…WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond \
         specified for index: ghost",
    )
    .await;
}

#[tokio::test]
async fn few_concerns_go_together() {
    let harness = Harness::new().await;
    let stream = json!({"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"});
    let create = json!([{"Create": index("abc", "b")}]);
    for (changes, text) in [
        (
            json!({"SSESpecification": {"Enabled": true}, "TableClass": "STANDARD"}),
            "…Server-Side Encryption modification must be the only operation in the request",
        ),
        (
            json!({"TableClass": "STANDARD", "DeletionProtectionEnabled": true}),
            "…TableClass modification must be the only operation in the request",
        ),
        (
            json!({"DeletionProtectionEnabled": true, "BillingMode": "PAY_PER_REQUEST"}),
            "…DeletionProtection modification must be the only operation in the request",
        ),
        (
            json!({"ReplicaUpdates": [{}], "BillingMode": "PAY_PER_REQUEST"}),
            "…Replica modification must be the only operation in the request",
        ),
        (
            json!({"WarmThroughput": {"ReadUnitsPerSecond": 1}, "BillingMode": "PAY_PER_REQUEST"}),
            "…WarmThroughput must be the only operation in the request",
        ),
        (
            json!({"WarmThroughput": {"ReadUnitsPerSecond": 1},
                "GlobalSecondaryIndexUpdates": create}),
            "…Create global secondary index cannot be specified when updating WarmThroughput",
        ),
        (
            json!({
                "WarmThroughput": {"ReadUnitsPerSecond": 1},
                "OnDemandThroughput": {"MaxReadRequestUnits": 1},
            }),
            "…OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
        ),
        (
            json!({"BillingMode": "PROVISIONED", "StreamSpecification": stream}),
            "…You cannot modify stream status while updating table IOPS",
        ),
        (
            json!({"OnDemandThroughput": {"MaxReadRequestUnits": 1},
                "StreamSpecification": stream}),
            "…OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
        ),
        (
            json!({"ProvisionedThroughput": units(1, 1), "StreamSpecification": stream}),
            "…You cannot modify stream status while updating table IOPS",
        ),
        (
            json!({"ProvisionedThroughput": units(1, 1), "GlobalSecondaryIndexUpdates": create}),
            "…You cannot create or delete index while updating table IOPS",
        ),
        (
            json!({"StreamSpecification": stream, "GlobalSecondaryIndexUpdates": create}),
            "…You cannot create or delete index while changing stream status",
        ),
    ] {
        check(&harness, changes, text).await;
    }
}

#[tokio::test]
async fn the_table_must_exist() {
    let harness = Harness::new().await;
    assert_eq!(
        error(&harness, json!({"DeletionProtectionEnabled": true})).await,
        (
            "ResourceNotFoundException".to_owned(),
            "Requested resource not found: Table: shop not found".to_owned()
        )
    );
}

#[tokio::test]
async fn provisioned_billing_needs_all_units() {
    let harness = on_demand().await;
    check(
        &harness,
        json!({"BillingMode": "PROVISIONED"}),
        "…ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
    )
    .await;
    check(
        &harness,
        json!({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(1, 1)}),
        "…ProvisionedThroughput must be specified for index: gsi1",
    )
    .await;
}

#[tokio::test]
async fn an_on_demand_table_has_ceilings_and_no_units() {
    let harness = on_demand().await;
    check(
        &harness,
        json!({"ProvisionedThroughput": units(1, 1)}),
        "…Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is \
         PAY_PER_REQUEST",
    )
    .await;
    check(
        &harness,
        update_index("gsi1", json!({"ProvisionedThroughput": units(1, 1)})),
        "…Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: gsi1 when \
         BillingMode is PAY_PER_REQUEST",
    )
    .await;
    check(
        &harness,
        update_index("gsi1", json!({})),
        "…The only Updates for index: gsi1 when TableThroughputMode is PAY_PER_REQUEST can be to \
         OnDemandThroughput, WarmThroughput",
    )
    .await;
    for units in [0, -2] {
        check(
            &harness,
            json!({"OnDemandThroughput": {"MaxWriteRequestUnits": units}}),
            "…Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid \
             range",
        )
        .await;
    }
    check(
        &harness,
        json!({"WarmThroughput": {"ReadUnitsPerSecond": 1}}),
        "…Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current \
         WarmThroughput, decreasing WarmThroughput is not supported",
    )
    .await;
    check(
        &harness,
        update_index("gsi1", json!({"WarmThroughput": {"ReadUnitsPerSecond": -1}})),
        "…Requested ReadUnitsPerSecond for WarmThroughput for index gsi1 is lower than current \
         WarmThroughput, decreasing WarmThroughput is not supported",
    )
    .await;
}

#[tokio::test]
async fn a_provisioned_table_has_units_and_no_ceilings() {
    let harness = provisioned().await;
    check(
        &harness,
        json!({"OnDemandThroughput": {"MaxReadRequestUnits": 5}}),
        "…MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table \
         BillingMode is PROVISIONED",
    )
    .await;
    check(
        &harness,
        json!({"ProvisionedThroughput": units(5, 5)}),
        "The provisioned throughput for the table will not change. The requested value equals the \
         current value. Current ReadCapacityUnits provisioned for the table: 5. Requested \
         ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 5. Requested \
         WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits \
         and how to request higher limits.",
    )
    .await;
    check(
        &harness,
        update_index("gsi1", json!({"ProvisionedThroughput": units(2, 2)})),
        "The provisioned throughput for the index gsi1 will not change. The requested value equals \
         the current value. Current ReadCapacityUnits provisioned for index gsi1: 2. Requested \
         ReadCapacityUnits: 2. Current WriteCapacityUnits provisioned for index gsi1: 2. Requested \
         WriteCapacityUnits: 2. Refer to the Amazon DynamoDB Developer Guide for current limits \
         and how to request higher limits.",
    )
    .await;
}

#[tokio::test]
async fn one_index_is_created_or_deleted_at_a_time() {
    let harness = on_demand().await;
    let one = (
        "LimitExceededException".to_owned(),
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously \
         per table"
            .to_owned(),
    );
    let updates = json!([{"Create": index("gsi2", "b")}, {"Delete": {"IndexName": "gsi1"}}]);
    assert_eq!(error(&harness, index_updates(updates)).await, one);
    let delete = json!({
        "TableName": "shop",
        "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "gsi1"}}],
    });
    harness.call("UpdateTable", delete.clone()).await;
    let create = json!({
        "AttributeDefinitions": [definition("b", "S")],
        "GlobalSecondaryIndexUpdates": [{"Create": index("gsi2", "b")}],
    });
    assert_eq!(error(&harness, create).await, one);
    let being_deleted = (
        "ResourceInUseException".to_owned(),
        "Attempt to change a resource which is still in use: Index is being deleted. Table: shop \
         Index: gsi1"
            .to_owned(),
    );
    assert_eq!(error(&harness, delete).await, being_deleted);
}

#[tokio::test]
async fn units_stay_while_an_index_is_created() {
    let harness = provisioned().await;
    let create = json!({
        "TableName": "shop",
        "AttributeDefinitions": [definition("b", "S")],
        "GlobalSecondaryIndexUpdates": [{"Create": provisioned_index("gsi2", "b")}],
    });
    harness.call("UpdateTable", create).await;
    assert_eq!(
        error(&harness, json!({"ProvisionedThroughput": units(6, 6)})).await,
        (
            "ResourceInUseException".to_owned(),
            "Attempt to change a resource which is still in use: Can't change table IOPS when an \
             index is being created. Table: shop Indexes: [gsi2]"
                .to_owned()
        )
    );
    let delete = index_updates(json!([{"Delete": {"IndexName": "gsi2"}}]));
    assert_eq!(
        error(&harness, delete).await,
        (
            "ResourceInUseException".to_owned(),
            "Attempt to change a resource which is still in use: Index creation is in resource \
             allocation phase. Retry deletion during backfilling phase or when the index is \
             active. Table: shop Index: gsi2"
                .to_owned()
        )
    );
}

#[tokio::test]
async fn a_table_has_at_most_twenty_global_indexes() {
    let harness = Harness::new().await;
    let globals: Vec<Value> = (1..=20).map(|number| index(&format!("gsi{number}"), "b")).collect();
    let changes = json!({"BillingMode": "PAY_PER_REQUEST", "GlobalSecondaryIndexes": globals});
    harness.call("CreateTable", table(changes)).await;
    assert_eq!(
        error(&harness, index_updates(json!([{"Create": index("gsi21", "b")}]))).await,
        (
            "LimitExceededException".to_owned(),
            "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit \
             of 20"
                .to_owned()
        )
    );
}

#[tokio::test]
async fn a_created_index_is_new_and_its_keys_are_defined_in_the_request() {
    let harness = on_demand().await;
    let create = |definitions: Value, index: Value| {
        json!({
            "AttributeDefinitions": definitions,
            "GlobalSecondaryIndexUpdates": [{"Create": index}],
        })
    };
    for name in ["gsi1", "local"] {
        check(
            &harness,
            create(json!([definition("b", "S")]), index(name, "b")),
            "Attempting to create an index which already exists",
        )
        .await;
    }
    check(
        &harness,
        create(Value::Null, index("gsi3", "b")),
        "…AttributeDefinitions is not specified for index: gsi3",
    )
    .await;
    check(
        &harness,
        create(json!([definition("x", "S")]), index("gsi3", "b")),
        "…Some index key attributes are not defined in AttributeDefinitions. Keys: [b], \
         AttributeDefinitions: [x]",
    )
    .await;
    check(
        &harness,
        create(json!([definition("b", "N")]), index("gsi3", "b")),
        "…Attributes cannot be redefined. Please check that your attribute has the same type as \
         previously defined. Existing schema: Schema:[SchemaElement: key{b:S:RANGE}] New schema: \
         Schema:[SchemaElement: key{b:N:HASH}]",
    )
    .await;
    check(
        &harness,
        create(json!([definition("b", "S")]), provisioned_index("gsi3", "b")),
        "…ProvisionedThroughput should not be specified for index: gsi3 when BillingMode is \
         PAY_PER_REQUEST",
    )
    .await;
}

#[tokio::test]
async fn a_changed_index_is_a_global_one_of_the_table() {
    let harness = provisioned().await;
    let unknown = (
        "ResourceNotFoundException".to_owned(),
        "Requested resource not found: Index ghost for table shop".to_owned(),
    );
    let update = |name: &str| update_index(name, json!({"ProvisionedThroughput": units(1, 1)}));
    let delete = |name: &str| index_updates(json!([{"Delete": {"IndexName": name}}]));
    assert_eq!(error(&harness, update("ghost")).await, unknown);
    assert_eq!(error(&harness, delete("ghost")).await, unknown);
    check(
        &harness,
        update("local"),
        "Cannot update an index that is not a GlobalSecondaryIndex: local",
    )
    .await;
    check(
        &harness,
        delete("local"),
        "Cannot delete an index that is not a GlobalSecondaryIndex: local",
    )
    .await;
}

#[tokio::test]
async fn streams_are_switched_and_not_repeated() {
    let harness = on_demand().await;
    let stream = |members: Value| json!({"StreamSpecification": members});
    check(
        &harness,
        stream(json!({"StreamEnabled": true})),
        "…If stream is being enabled then UpdateViewType is required",
    )
    .await;
    check(
        &harness,
        stream(json!({"StreamEnabled": false, "StreamViewType": "KEYS_ONLY"})),
        "…If stream is being disabled, then UpdateViewType must not be specified",
    )
    .await;
    check(
        &harness,
        stream(json!({"StreamEnabled": false})),
        "Table has no stream to disable: TableName: shop",
    )
    .await;
    let mut enable = stream(json!({"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}));
    enable["TableName"] = json!("shop");
    harness.call("UpdateTable", enable.clone()).await;
    check(&harness, enable, "Table already has an enabled stream: TableName: shop").await;
}

#[tokio::test]
async fn classes_and_encryption_are_of_a_kind() {
    let harness = on_demand().await;
    check(
        &harness,
        json!({"TableClass": "COLD"}),
        "Invalid table-class parameter provided. Please try again with a valid table-class value: \
         [STANDARD, STANDARD_INFREQUENT_ACCESS].",
    )
    .await;
    check(
        &harness,
        json!({"SSESpecification": {"Enabled": false}}),
        "…Table is already encrypted by default",
    )
    .await;
}

fn replicas(updates: Value) -> Value {
    Value::Object([("ReplicaUpdates".to_owned(), updates)].into_iter().collect())
}

fn strong(updates: Value, witness: Option<&str>) -> Value {
    let mut request = replicas(updates);
    request["MultiRegionConsistency"] = json!("STRONG");
    if let Some(region) = witness {
        request["GlobalTableWitnessUpdates"] = json!([{"Create": {"RegionName": region}}]);
    }
    request
}

/// AWS copies tables to other regions; this database has one place. The text is ours.
#[tokio::test]
async fn replicas_are_refused() {
    let harness = on_demand().await;
    let west = json!({"Create": {"RegionName": "us-west-2"}});
    let ohio = json!({"Create": {"RegionName": "us-east-2"}});
    let own = json!({"RegionName": "us-east-1", "DisassociationMode": "WAIT_FOR_REPLICATION"});
    for changes in [
        replicas(json!([west])),
        replicas(json!([west, west])),
        strong(json!([west, ohio]), None),
        strong(json!([west]), Some("us-east-2")),
        replicas(json!([{"Disassociate": own}])),
        json!({"DisassociationProtectionEnabled": false}),
    ] {
        check(&harness, changes, "…Global tables are not supported").await;
    }
    let table = harness.call("DescribeTable", json!({"TableName": "shop"})).await;
    assert_eq!(table["Table"]["Replicas"], Value::Null);
}

/// A table without replicas is told so as by AWS. The texts were recorded in October 2026.
#[tokio::test]
async fn replicas_are_changed_one_at_a_time_and_only_those_that_are_there() {
    let harness = on_demand().await;
    let create = |region: &str| json!({"Create": {"RegionName": region}});
    let delete = |region: &str| json!({"Delete": {"RegionName": region}});
    let class = json!({"RegionName": "eu-west-1", "TableClassOverride": "STANDARD"});
    let nothing = "There are no actions specified in the Replica Update Action of the request.";
    let kinds = "Update table operation with more than one type of replica actions not allowed.";
    let local = "Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, \
                 DeleteTable, or UpdateTable as required.";
    let absent = "Update global table operation failed because one or more replicas were not part \
                  of the global table. Please retry the request without these replicas: \
                  [eu-west-1].";
    let both = json!({
        "Create": {"RegionName": "us-west-2"},
        "Delete": {"RegionName": "us-west-2"},
    });
    for (updates, text) in [
        (json!([{}]), nothing),
        (json!([{"Update": {"RegionName": "eu-west-1"}}]), nothing),
        (json!([both]), kinds),
        (json!([create("eu-west-1"), delete("us-west-2")]), kinds),
        (
            json!([create("eu-west-1"), create("us-west-2")]),
            "Update table operation with more than one create or delete replica actions not \
             allowed",
        ),
        (json!([create("us-east-1")]), local),
        (json!([delete("us-east-1")]), local),
        (json!([delete("eu-west-1")]), absent),
        (json!([{"Update": class}]), absent),
    ] {
        check(&harness, replicas(updates), text).await;
    }
    let mut protected = replicas(json!([create("us-west-2")]));
    protected["DeletionProtectionEnabled"] = json!(true);
    let alone = "…Replica modification must be the only operation in the request";
    check(&harness, protected, alone).await;
}

/// Recorded in October 2026, but for the order of several faults.
#[tokio::test]
async fn a_strongly_consistent_global_table_has_three_regions_from_the_beginning() {
    let harness = on_demand().await;
    let create = |region: &str| json!([{"Create": {"RegionName": region}}]);
    let mut eventual = strong(create("us-west-2"), Some("us-east-2"));
    eventual["MultiRegionConsistency"] = json!("EVENTUAL");
    let mut protected = strong(create("us-west-2"), Some("us-east-2"));
    protected["DeletionProtectionEnabled"] = json!(true);
    for (changes, text) in [
        (
            strong(create("us-west-2"), None),
            "Unsupported replica count for global tables with MultiRegionConsistency set to \
             STRONG.",
        ),
        (
            eventual,
            "MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates \
             parameter is present.",
        ),
        (
            strong(create("us-west-2"), Some("us-west-2")),
            "Cannot target multiple regions with the same action",
        ),
        (
            strong(create("us-west-2"), Some("us-east-1")),
            "Cannot add a witness in the same region as an existing replica when creating a \
             global table with MultiRegionConsistency set to STRONG.",
        ),
        (
            strong(json!([{"Delete": {"RegionName": "us-west-2"}}]), None),
            "Only Replica Create actions are supported when MultiRegionConsistency parameter is \
             provided.",
        ),
        (
            protected,
            "…Requests that modify replicas or witnesses must not also modify other fields",
        ),
    ] {
        check(&harness, changes, text).await;
    }
}

#[tokio::test]
async fn members_about_replicas_are_checked_by_the_service_model() {
    let harness = Harness::new().await;
    let witness = json!({"Create": {"RegionName": "us-west-2"}});
    check(
        &harness,
        json!({
            "MultiRegionConsistency": "WEAK",
            "GlobalTableWitnessUpdates": [witness, {"Delete": {"RegionName": "us-east-2"}}],
            "ReplicaUpdates": [{"Delete": {}}],
        }),
        "3 validation errors detected: Value null at 'replicaUpdates.1.member.delete.regionName' \
         failed to satisfy constraint: Member must not be null; Value 'WEAK' at \
         'multiRegionConsistency' failed to satisfy constraint: Member must satisfy enum value \
         set: [EVENTUAL, STRONG]; Value '[GlobalTableWitnessGroupUpdate(create=\
         CreateGlobalTableWitnessGroupMemberAction(regionName=us-west-2), delete=null), \
         GlobalTableWitnessGroupUpdate(create=null, delete=\
         DeleteGlobalTableWitnessGroupMemberAction(regionName=us-east-2))]' at \
         'globalTableWitnessUpdates' failed to satisfy constraint: Member must have length less \
         than or equal to 1",
    )
    .await;
}

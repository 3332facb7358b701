//! Streams of Amazon Kinesis, global tables of 2017 and the auto scaling of replicas: there are
//! none here, and the answers are those that AWS has for that.

use serde_json::{Value, json};

use super::{VALID, check, shop};

const STREAM_ARN: &str = "arn:aws:kinesis:us-east-1:000000000000:stream/changes";

#[tokio::test]
async fn no_stream_of_kinesis_is_written_to() {
    let harness = shop().await;
    let none = json!({"TableName": "shop", "KinesisDataStreamDestinations": []});
    let describe = json!({"TableName": "shop"});
    assert_eq!(harness.call("DescribeKinesisStreamingDestination", describe).await, none);
    check(
        "EnableKinesisStreamingDestination",
        &[
            (
                json!({"TableName": "shop"}),
                VALID,
                "1 validation error detected: Value null at 'streamArn' failed to satisfy \
                 constraint: Member must not be null",
            ),
            (
                json!({"TableName": "none", "StreamArn": STREAM_ARN}),
                "ResourceNotFoundException",
                "Requested resource not found: Table: none not found",
            ),
            // Our sentence: AWS begins to write, and fails later if it cannot.
            (
                json!({"TableName": "shop", "StreamArn": STREAM_ARN}),
                VALID,
                "This server does not write to Kinesis data streams",
            ),
        ],
    )
    .await;
}

/// Not even something that is no ARN is refused as such.
#[tokio::test]
async fn a_stream_of_kinesis_that_was_never_enabled_is_not_active() {
    let inactive = "Table is not in a valid state to enable Kinesis Streaming Destination: \
                    KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.";
    check(
        "DisableKinesisStreamingDestination",
        &[
            (json!({"TableName": "shop", "StreamArn": STREAM_ARN}), VALID, inactive),
            (json!({"TableName": "shop", "StreamArn": "not-an-arn"}), VALID, inactive),
            (
                json!({
                    "TableName": "shop",
                    "StreamArn": STREAM_ARN,
                    "EnableKinesisStreamingConfiguration": {},
                }),
                VALID,
                "Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters",
            ),
        ],
    )
    .await;
    let update = |configuration: Value| {
        json!({
            "TableName": "shop",
            "StreamArn": STREAM_ARN,
            "UpdateKinesisStreamingConfiguration": configuration,
        })
    };
    let nothing = "Streaming destination cannot be updated with given parameters: \
                   UpdateKinesisStreamingConfiguration cannot be null or contain only null values";
    let precision = |precision: &str| json!({"ApproximateCreationDateTimePrecision": precision});
    check(
        "UpdateKinesisStreamingDestination",
        &[
            (update(json!(null)), VALID, nothing),
            (update(json!({})), VALID, nothing),
            (
                update(precision("SECOND")),
                VALID,
                "1 validation error detected: Value 'SECOND' at \
                 'updateKinesisStreamingConfiguration.approximateCreationDateTimePrecision' failed \
                 to satisfy constraint: Member must satisfy enum value set: [MILLISECOND, \
                 MICROSECOND]",
            ),
            (
                update(precision("MICROSECOND")),
                VALID,
                &format!(
                    "Table is not in a valid state to enable Kinesis Streaming Destination: No \
                     streaming destination with streamArn: {STREAM_ARN} found for table with \
                     tableName: shop"
                ),
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn global_tables_of_2017_are_not_made() {
    let harness = shop().await;
    for request in [json!({}), json!({"Limit": 1, "RegionName": "us-east-1"})] {
        let list = harness.call("ListGlobalTables", request).await;
        assert_eq!(list, json!({"GlobalTables": []}));
    }
    let version = "One or more parameter values were invalid: DynamoDB global tables version \
                   2017.11.29 is not supported. We recommend using DynamoDB global tables version \
                   2019.11.21, instead of version 2017.11.29 (Legacy).";
    let group = json!([{"RegionName": "us-east-1"}]);
    check(
        "CreateGlobalTable",
        &[
            (
                json!({"GlobalTableName": "shop"}),
                VALID,
                "1 validation error detected: Value null at 'replicationGroup' failed to satisfy \
                 constraint: Member must not be null",
            ),
            (json!({"GlobalTableName": "shop", "ReplicationGroup": group}), VALID, version),
        ],
    )
    .await;
    let not_found = "GlobalTableNotFoundException";
    let none = "Global table not found: Global table with name: 'shop' does not exist.";
    let update = |updates: Value| json!({"GlobalTableName": "shop", "ReplicaUpdates": updates});
    check(
        "UpdateGlobalTable",
        &[
            (update(json!([])), VALID, "One or more parameter values were invalid"),
            (update(json!([{"Create": {"RegionName": "us-east-1"}}])), VALID, version),
            (update(json!([{"Delete": {"RegionName": "us-east-1"}}])), not_found, none),
        ],
    )
    .await;
    check("DescribeGlobalTable", &[(json!({"GlobalTableName": "shop"}), not_found, none)]).await;
    let none = "Global table with name: 'shop' does not exist.";
    for operation in ["DescribeGlobalTableSettings", "UpdateGlobalTableSettings"] {
        check(operation, &[(json!({"GlobalTableName": "shop"}), not_found, none)]).await;
    }
}

#[tokio::test]
async fn a_table_without_replicas_has_no_auto_scaling_of_replicas() {
    let not_found = "ResourceNotFoundException";
    for operation in ["DescribeTableReplicaAutoScaling", "UpdateTableReplicaAutoScaling"] {
        for name in ["shop", "none"] {
            let text = format!("Global table with name: '{name}' does not exist.");
            check(operation, &[(json!({"TableName": name}), not_found, &text)]).await;
        }
    }
    let settings = json!({"MinimumUnits": 0, "ScalingPolicyUpdate": {}});
    check(
        "UpdateTableReplicaAutoScaling",
        &[
            (
                json!({"TableName": "shop", "ReplicaUpdates": []}),
                VALID,
                "1 validation error detected: Value '[]' at 'replicaUpdates' failed to satisfy \
                 constraint: Member must have length greater than or equal to 1",
            ),
            (
                json!({"TableName": "shop", "ProvisionedWriteCapacityAutoScalingUpdate": settings}),
                VALID,
                "2 validation errors detected: Value '0' at \
                 'provisionedWriteCapacityAutoScalingUpdate.minimumUnits' failed to satisfy \
                 constraint: Member must have value greater than or equal to 1; Value null at \
                 'provisionedWriteCapacityAutoScalingUpdate.scalingPolicyUpdate.\
                 targetTrackingScalingPolicyConfiguration' failed to satisfy constraint: Member \
                 must not be null",
            ),
        ],
    )
    .await;
}

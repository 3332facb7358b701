//! Who may do what: every operation asks the caller's policies before it does anything, about all
//! that it is about, and accounts see nothing of each other.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use monotable_identity::{Caller, Principal, Source};
use monotable_policy::Policy;
use serde_json::{Value, json};

use crate::harness::{Harness, code_and_text};

pub(super) const ACCOUNT: &str = "111122223333";
const TABLE_ARN: &str = "arn:aws:dynamodb:us-east-1:111122223333:table/shop";

/// A caller of an account with a policy of these statements.
fn caller(account: &str, statements: &Value) -> Caller {
    let document = json!({"Version": "2012-10-17", "Statement": statements}).to_string();
    let policy = Policy::parse_identity("test", &document).unwrap();
    let principal = Principal {
        account: account.to_owned(),
        user: "alice".to_owned(),
        access_key_id: "AKIATEST".to_owned(),
        policies: vec![Arc::new(policy)],
        is_admin: false,
    };
    let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
    let source = Source { address, is_encrypted: true, user_agent: None };
    Caller::new(Arc::new(principal), source)
}

fn administrator(account: &str) -> Caller {
    caller(account, &json!([{"Effect": "Allow", "Action": "*", "Resource": "*"}]))
}

/// Somebody who may do nothing here.
fn nobody() -> Caller {
    caller(ACCOUNT, &json!([{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]))
}

/// Somebody who may do all these actions on everything, under a condition.
pub(super) fn allowed(actions: &[&str], condition: &Value) -> Caller {
    let actions: Vec<String> = actions.iter().map(|action| format!("dynamodb:{action}")).collect();
    let statement =
        json!([{"Effect": "Allow", "Action": actions, "Resource": "*", "Condition": condition}]);
    caller(ACCOUNT, &statement)
}

/// The answer, or the code of the error.
pub(super) async fn answer(
    harness: &Harness,
    caller: &Caller,
    operation: &str,
    request: &Value,
) -> Result<Value, String> {
    let body = harness.send_as(caller, operation, request.to_string().as_bytes()).await;
    let body = body.map_err(|error| code_and_text(error).0)?;
    Ok(serde_json::from_slice(&body).unwrap())
}

#[track_caller]
pub(super) fn assert_denied(outcome: &Result<Value, String>, what: &str) {
    assert_eq!(outcome.as_ref().err().map(String::as_str), Some("AccessDeniedException"), "{what}");
}

/// A table `shop` with an index, a stream and the items of alice and bob.
async fn shop() -> Harness {
    let harness = Harness::new().await;
    let create = json!({
        "TableName": "shop",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
            {"AttributeName": "state", "AttributeType": "S"},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "GlobalSecondaryIndexes": [{
            "IndexName": "by_state",
            "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }],
        "VectorIndexes": [{
            "IndexName": "near",
            "VectorAttribute": {"AttributeName": "embedding"},
            "Dimensions": 1,
            "DistanceFunction": "COSINE",
            "Projection": {"ProjectionType": "ALL"},
        }],
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
        "BillingMode": "PAY_PER_REQUEST",
    });
    answer(&harness, &administrator(ACCOUNT), "CreateTable", &create).await.unwrap();
    for user in ["alice", "bob"] {
        let put = json!({"TableName": "shop", "Item": item(user)});
        answer(&harness, &administrator(ACCOUNT), "PutItem", &put).await.unwrap();
    }
    harness
}

fn key(user: &str) -> Value {
    json!({"pk": {"S": user}, "sk": {"S": "1"}})
}

fn item(user: &str) -> Value {
    json!({"pk": {"S": user}, "sk": {"S": "1"}, "state": {"S": "paid"}, "secret": {"S": "x"}})
}

/// A policy that lets the policies of the account decide.
pub(super) fn policy_of_account() -> String {
    let statement = json!({
        "Effect": "Allow",
        "Principal": {"AWS": ACCOUNT},
        "Action": "dynamodb:*",
        "Resource": "*",
    });
    json!({"Version": "2012-10-17", "Statement": [statement]}).to_string()
}

fn search_vectors() -> Value {
    json!({"TableName": "shop", "IndexName": "near", "SearchVector": [{"N": "1"}], "TopK": 1})
}

async fn stream_arn(harness: &Harness) -> String {
    let (caller, target) = (administrator(ACCOUNT), "DynamoDBStreams_20120810.ListStreams");
    let list = answer(harness, &caller, target, &json!({})).await.unwrap();
    list["Streams"][0]["StreamArn"].as_str().unwrap().to_owned()
}

/// A statement that reads an item of alice.
const SELECT_ALICE: &str = "SELECT * FROM shop WHERE pk = 'alice' AND sk = '1'";

/// A valid request of every operation.
async fn request_of(harness: &Harness, operation: &str) -> Value {
    let stream = stream_arn(harness).await;
    let describe = json!({"StreamArn": stream});
    let administrator = administrator(ACCOUNT);
    let shard = async || {
        let target = "DynamoDBStreams_20120810.DescribeStream";
        let described = answer(harness, &administrator, target, &describe).await.unwrap();
        described["StreamDescription"]["Shards"][0]["ShardId"].clone()
    };
    let iterator_of = |shard: Value| {
        json!({"StreamArn": stream, "ShardId": shard,
            "ShardIteratorType": "TRIM_HORIZON"})
    };
    let put = json!({"Put": {"TableName": "shop", "Item": item("alice")}});
    let get = json!({"Get": {"TableName": "shop", "Key": key("alice")}});
    let keys = json!({"shop": {"Keys": [key("alice")]}});
    let writes = json!({"shop": [{"PutRequest": {"Item": item("alice")}}]});
    let values = json!({":p": {"S": "alice"}});
    match operation {
        "BatchExecuteStatement" => json!({"Statements": [{"Statement": SELECT_ALICE}]}),
        "ExecuteStatement" => json!({"Statement": SELECT_ALICE}),
        "ExecuteTransaction" => json!({"TransactStatements": [{"Statement": SELECT_ALICE}]}),
        "BatchGetItem" => json!({"RequestItems": keys}),
        "BatchWriteItem" => json!({"RequestItems": writes}),
        "CreateTable" => json!({
            "TableName": "other",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        }),
        "DeleteItem" | "GetItem" | "UpdateItem" => {
            json!({"TableName": "shop", "Key": key("alice")})
        }
        "DeleteTable"
        | "DescribeContinuousBackups"
        | "DescribeContributorInsights"
        | "DescribeKinesisStreamingDestination"
        | "DescribeTable"
        | "DescribeTableReplicaAutoScaling"
        | "DescribeTimeToLive"
        | "Scan"
        | "UpdateTableReplicaAutoScaling" => {
            json!({"TableName": "shop"})
        }
        "ListBackups" | "ListBulkOperations" | "ListExports" | "ListGlobalTables"
        | "ListImports" | "ListStreams" | "ListTables" => json!({}),
        "DescribeLimits" | "DescribeEndpoints" | "ListContributorInsights" => json!({}),
        "UpdateContributorInsights" => {
            json!({"TableName": "shop", "ContributorInsightsAction": "ENABLE"})
        }
        "ListTagsOfResource" | "DeleteResourcePolicy" => json!({"ResourceArn": TABLE_ARN}),
        "TagResource" => {
            json!({"ResourceArn": TABLE_ARN, "Tags": [{"Key": "team", "Value": "sales"}]})
        }
        "UntagResource" => json!({"ResourceArn": TABLE_ARN, "TagKeys": ["team"]}),
        "PutResourcePolicy" => json!({"ResourceArn": TABLE_ARN, "Policy": policy_of_account()}),
        "GetResourcePolicy" => {
            let put = json!({"ResourceArn": TABLE_ARN, "Policy": policy_of_account()});
            answer(harness, &administrator, "PutResourcePolicy", &put).await.unwrap();
            json!({"ResourceArn": TABLE_ARN})
        }
        "PutItem" => json!({"TableName": "shop", "Item": item("alice")}),
        "Query" => json!({
            "TableName": "shop",
            "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": values,
        }),
        "SearchVectors" => search_vectors(),
        "TransactGetItems" => json!({"TransactItems": [get]}),
        "TransactWriteItems" => json!({"TransactItems": [put]}),
        "UpdateTable" => json!({"TableName": "shop", "DeletionProtectionEnabled": true}),
        "UpdateTimeToLive" => json!({
            "TableName": "shop",
            "TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": true},
        }),
        "DescribeStream" => describe,
        "GetShardIterator" => iterator_of(shard().await),
        "GetRecords" => {
            let target = "DynamoDBStreams_20120810.GetShardIterator";
            let iterator = iterator_of(shard().await);
            let answered = answer(harness, &administrator, target, &iterator).await.unwrap();
            json!({"ShardIterator": answered["ShardIterator"]})
        }
        other => unsupported_request_of(other),
    }
}

/// The same for operations that are refused whoever asks, for the table or because of what they do.
fn unsupported_request_of(operation: &str) -> Value {
    let stream = "arn:aws:kinesis:us-east-1:111122223333:stream/changes";
    match operation {
        "CancelBulkOperation" | "DescribeBulkOperation" => {
            json!({"BulkOperationArn": format!("{TABLE_ARN}/bulk-operation/1")})
        }
        "CreateBackup" => json!({"TableName": "shop", "BackupName": "friday"}),
        "CreateGlobalTable" => json!({
            "GlobalTableName": "shop",
            "ReplicationGroup": [{"RegionName": "us-east-1"}],
        }),
        "DeleteBackup" | "DescribeBackup" => {
            json!({"BackupArn": format!("{TABLE_ARN}/backup/1")})
        }
        "DescribeExport" => json!({"ExportArn": format!("{TABLE_ARN}/export/1")}),
        "DescribeGlobalTable" | "DescribeGlobalTableSettings" | "UpdateGlobalTableSettings" => {
            json!({"GlobalTableName": "shop"})
        }
        "DescribeImport" => json!({"ImportArn": format!("{TABLE_ARN}/import/1")}),
        "DisableKinesisStreamingDestination" | "EnableKinesisStreamingDestination" => {
            json!({"TableName": "shop", "StreamArn": stream})
        }
        "ExportTableToPointInTime" => json!({"TableArn": TABLE_ARN, "S3Bucket": "bucket"}),
        "ImportTable" => json!({
            "S3BucketSource": {"S3Bucket": "bucket"},
            "InputFormat": "ION",
            "TableCreationParameters": {
                "TableName": "other",
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "BillingMode": "PAY_PER_REQUEST",
            },
        }),
        "RestoreTableFromBackup" => {
            json!({"TargetTableName": "other", "BackupArn": format!("{TABLE_ARN}/backup/1")})
        }
        "RestoreTableToPointInTime" => json!({
            "SourceTableName": "shop",
            "TargetTableName": "other",
            "UseLatestRestorableTime": true,
        }),
        "StartBulkPutItems" => json!({
            "TableName": "shop",
            "InputS3Configuration": {"S3Bucket": "bucket", "InputFormat": "ION"},
            "OutputS3Configuration": {"OutputType": ["ERROR"]},
        }),
        "UpdateContinuousBackups" => json!({
            "TableName": "shop",
            "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true},
        }),
        "UpdateGlobalTable" => json!({
            "GlobalTableName": "shop",
            "ReplicaUpdates": [{"Delete": {"RegionName": "us-east-1"}}],
        }),
        "UpdateKinesisStreamingDestination" => json!({
            "TableName": "shop",
            "StreamArn": stream,
            "UpdateKinesisStreamingConfiguration": {
                "ApproximateCreationDateTimePrecision": "MICROSECOND",
            },
        }),
        other => panic!("{other} has no request here: add one, and see that it asks policies"),
    }
}

#[tokio::test]
async fn every_operation_asks_the_policies_of_the_caller() {
    let nobody = nobody();
    for target in monotable_api::targets() {
        let harness = shop().await;
        let operation = target.rsplit('.').next().unwrap();
        let request = request_of(&harness, operation).await;
        let refused = answer(&harness, &nobody, &target, &request).await;
        match operation {
            // Each statement is refused for itself.
            "BatchExecuteStatement" => {
                let error = &refused.unwrap()["Responses"][0]["Error"];
                assert_eq!(error["Code"], "AccessDenied");
            }
            _ => assert_denied(&refused, operation),
        }
        let outcome = answer(&harness, &administrator(ACCOUNT), &target, &request).await;
        let code = outcome.as_ref().err().map(String::as_str);
        assert_eq!(code, refusal_of_everybody(operation), "{operation}: {outcome:?}");
    }
}

/// How an operation is refused whoever asks, if it is.
fn refusal_of_everybody(operation: &str) -> Option<&'static str> {
    match operation {
        "CreateBackup" | "UpdateContinuousBackups" => Some("ContinuousBackupsUnavailableException"),
        "DeleteBackup" | "DescribeBackup" | "RestoreTableFromBackup" => {
            Some("BackupNotFoundException")
        }
        "DescribeExport" => Some("ExportNotFoundException"),
        "DescribeImport" => Some("ImportNotFoundException"),
        "ExportTableToPointInTime" | "RestoreTableToPointInTime" => {
            Some("PointInTimeRecoveryUnavailableException")
        }
        "DescribeGlobalTable"
        | "DescribeGlobalTableSettings"
        | "UpdateGlobalTable"
        | "UpdateGlobalTableSettings" => Some("GlobalTableNotFoundException"),
        "CancelBulkOperation"
        | "DescribeBulkOperation"
        | "DescribeTableReplicaAutoScaling"
        | "UpdateTableReplicaAutoScaling" => Some("ResourceNotFoundException"),
        "CreateGlobalTable"
        | "DisableKinesisStreamingDestination"
        | "EnableKinesisStreamingDestination"
        | "ImportTable"
        | "StartBulkPutItems"
        | "UpdateKinesisStreamingDestination" => Some("ValidationException"),
        _ => None,
    }
}

/// The kinds of resources of the Service Authorization Reference.
#[tokio::test]
async fn a_policy_about_backups_exports_imports_and_global_tables_names_them() {
    let harness = shop().await;
    for (operation, resource, code) in [
        ("DescribeBackup", format!("{TABLE_ARN}/backup/*"), "BackupNotFoundException"),
        ("DescribeExport", format!("{TABLE_ARN}/export/*"), "ExportNotFoundException"),
        ("DescribeImport", format!("{TABLE_ARN}/import/*"), "ImportNotFoundException"),
        (
            "DescribeGlobalTable",
            "arn:aws:dynamodb::111122223333:global-table/shop".to_owned(),
            "GlobalTableNotFoundException",
        ),
    ] {
        let allowed = |resource: &str| {
            let action = format!("dynamodb:{operation}");
            let statement = json!([{"Effect": "Allow", "Action": action, "Resource": resource}]);
            caller(ACCOUNT, &statement)
        };
        let request = unsupported_request_of(operation);
        let outcome = answer(&harness, &allowed(&resource), operation, &request).await;
        assert_eq!(outcome, Err(code.to_owned()), "{operation}");
        let outcome = answer(&harness, &allowed(TABLE_ARN), operation, &request).await;
        assert_denied(&outcome, operation);
    }
}

#[tokio::test]
async fn a_refused_caller_changes_nothing_and_does_not_learn_whether_a_table_exists() {
    let harness = shop().await;
    let nobody = nobody();
    let put = json!({"TableName": "shop", "Item": item("mallory")});
    assert_denied(&answer(&harness, &nobody, "PutItem", &put).await, "PutItem");
    let absent = json!({"TableName": "absent", "Key": key("alice")});
    assert_denied(&answer(&harness, &nobody, "GetItem", &absent).await, "absent table");
    let scan = json!({"TableName": "shop"});
    let scanned = answer(&harness, &administrator(ACCOUNT), "Scan", &scan).await.unwrap();
    assert_eq!(scanned["Count"], 2);
}

/// The form is the one that AWS documents for access denied errors of a user without a policy, and
/// with an explicit deny ("Troubleshoot access denied error messages", IAM user guide).
#[tokio::test]
async fn the_error_says_who_what_and_why() {
    let harness = shop().await;
    let text = async |caller: &Caller| {
        let request = json!({"TableName": "shop", "Key": key("alice")}).to_string();
        let error = harness.send_as(caller, "GetItem", request.as_bytes()).await.unwrap_err();
        code_and_text(error).1
    };
    assert_eq!(
        text(&nobody()).await,
        format!(
            "User: arn:aws:iam::111122223333:user/alice is not authorized to perform: \
             dynamodb:GetItem on resource: {TABLE_ARN} because no identity-based policy allows the \
             dynamodb:GetItem action"
        )
    );
    let denied = json!([
        {"Effect": "Allow", "Action": "*", "Resource": "*"},
        {"Effect": "Deny", "Action": "dynamodb:GetItem", "Resource": TABLE_ARN},
    ]);
    assert_eq!(
        text(&caller(ACCOUNT, &denied)).await,
        format!(
            "User: arn:aws:iam::111122223333:user/alice is not authorized to perform: \
             dynamodb:GetItem on resource: {TABLE_ARN} with an explicit deny in an identity-based \
             policy"
        )
    );
}

/// "Using IAM policy conditions for fine-grained access control", DynamoDB developer guide.
#[tokio::test]
async fn leading_keys_keep_users_to_their_own_items_in_every_operation() {
    let harness = shop().await;
    let own = allowed(
        &[
            "GetItem",
            "Query",
            "PutItem",
            "UpdateItem",
            "DeleteItem",
            "BatchGetItem",
            "BatchWriteItem",
            "ConditionCheckItem",
        ],
        &json!({"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}),
    );
    for (operation, request) in [
        ("GetItem", |user: &str| json!({"TableName": "shop", "Key": key(user)})),
        ("PutItem", |user: &str| json!({"TableName": "shop", "Item": item(user)})),
        ("UpdateItem", |user: &str| json!({"TableName": "shop", "Key": key(user)})),
        ("DeleteItem", |user: &str| json!({"TableName": "shop", "Key": key(user)})),
        ("Query", |user: &str| {
            json!({
                "TableName": "shop",
                "KeyConditionExpression": "pk = :p",
                "ExpressionAttributeValues": {":p": {"S": user}},
            })
        }),
        (
            "BatchGetItem",
            |user: &str| json!({"RequestItems": {"shop": {"Keys": [key("alice"), key(user)]}}}),
        ),
        ("BatchWriteItem", |user: &str| {
            json!({"RequestItems": {"shop": [
                {"DeleteRequest": {"Key": {"pk": {"S": "alice"}, "sk": {"S": "2"}}}},
                {"PutRequest": {"Item": item(user)}},
            ]}})
        }),
        ("TransactGetItems", |user: &str| {
            json!({"TransactItems": [
                {"Get": {"TableName": "shop", "Key": {"pk": {"S": "alice"}, "sk": {"S": "2"}}}},
                {"Get": {"TableName": "shop", "Key": key(user)}},
            ]})
        }),
        ("TransactWriteItems", |user: &str| {
            json!({"TransactItems": [
                {"Put": {"TableName": "shop", "Item": {"pk": {"S": "alice"}, "sk": {"S": "2"}}}},
                {"ConditionCheck": {
                    "TableName": "shop",
                    "Key": key(user),
                    "ConditionExpression": "attribute_exists(pk) OR attribute_not_exists(pk)",
                }},
            ]})
        }),
    ] as [(&str, fn(&str) -> Value); 9]
    {
        let others = answer(&harness, &own, operation, &request("bob")).await;
        assert_denied(&others, operation);
        // The same key twice in a batch is a mistake of another kind.
        if operation != "BatchGetItem" {
            let own = answer(&harness, &own, operation, &request("alice")).await;
            assert!(own.is_ok(), "{operation}: {own:?}");
        }
    }
}

#[tokio::test]
async fn the_leading_key_of_an_index_is_the_key_of_the_index() {
    let harness = shop().await;
    let paid = allowed(
        &["Query"],
        &json!({"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["paid"]}}),
    );
    let query = |state: &str| {
        json!({
            "TableName": "shop",
            "IndexName": "by_state",
            "KeyConditionExpression": "#s = :s",
            "ExpressionAttributeNames": {"#s": "state"},
            "ExpressionAttributeValues": {":s": {"S": state}},
        })
    };
    assert_eq!(answer(&harness, &paid, "Query", &query("paid")).await.unwrap()["Count"], 2);
    assert_denied(&answer(&harness, &paid, "Query", &query("open")).await, "another key");
}

#[tokio::test]
async fn a_policy_for_an_index_does_not_open_the_table() {
    let harness = shop().await;
    let index = caller(
        ACCOUNT,
        &json!([{
            "Effect": "Allow",
            "Action": "dynamodb:*",
            "Resource": format!("{TABLE_ARN}/index/*"),
        }]),
    );
    let mut scan = json!({"TableName": "shop"});
    assert_denied(&answer(&harness, &index, "Scan", &scan).await, "table");
    scan["IndexName"] = json!("by_state");
    assert_eq!(answer(&harness, &index, "Scan", &scan).await.unwrap()["Count"], 2);
    assert!(answer(&harness, &index, "SearchVectors", &search_vectors()).await.is_ok());
    let table = caller(
        ACCOUNT,
        &json!([{"Effect": "Allow", "Action": "dynamodb:*", "Resource": TABLE_ARN}]),
    );
    let searched = answer(&harness, &table, "SearchVectors", &search_vectors()).await;
    assert_denied(&searched, "a vector index is a resource of its own");
}

/// The two conditions stand together in AWS's examples: without `Select` a request could leave out
/// its projection and get everything.
#[tokio::test]
async fn attributes_and_select_keep_users_to_some_attributes() {
    let harness = shop().await;
    let some = allowed(
        &["GetItem", "Query", "Scan", "PutItem", "UpdateItem"],
        &json!({
            "ForAllValues:StringEquals": {"dynamodb:Attributes": ["pk", "sk", "state"]},
            "StringEqualsIfExists": {"dynamodb:Select": "SPECIFIC_ATTRIBUTES"},
        }),
    );
    let get = |projection: Option<&str>| {
        let mut get = json!({"TableName": "shop", "Key": key("alice")});
        if let Some(projection) = projection {
            get["ProjectionExpression"] = json!(projection);
        }
        get
    };
    assert!(answer(&harness, &some, "GetItem", &get(Some("pk, sk"))).await.is_ok());
    assert_denied(&answer(&harness, &some, "GetItem", &get(Some("secret"))).await, "secret");
    assert_denied(&answer(&harness, &some, "GetItem", &get(None)).await, "everything");
    let scan = |select: &str| json!({"TableName": "shop", "Select": select});
    assert_denied(&answer(&harness, &some, "Scan", &scan("ALL_ATTRIBUTES")).await, "all");
    assert_denied(&answer(&harness, &some, "Scan", &scan("COUNT")).await, "count");
    let filtered = json!({
        "TableName": "shop",
        "ProjectionExpression": "pk",
        "FilterExpression": "secret = :x",
        "ExpressionAttributeValues": {":x": {"S": "x"}},
    });
    assert_denied(&answer(&harness, &some, "Scan", &filtered).await, "a filter tells values too");
    let put = json!({"TableName": "shop", "Item": item("alice")});
    assert_denied(&answer(&harness, &some, "PutItem", &put).await, "an item with a secret");
    let update = |attribute: &str| {
        json!({
            "TableName": "shop",
            "Key": key("alice"),
            "UpdateExpression": "SET #a = :v",
            "ExpressionAttributeNames": {"#a": attribute},
            "ExpressionAttributeValues": {":v": {"S": "v"}},
        })
    };
    assert!(answer(&harness, &some, "UpdateItem", &update("state")).await.is_ok());
    assert_denied(&answer(&harness, &some, "UpdateItem", &update("secret")).await, "secret");
}

#[tokio::test]
async fn return_values_and_the_enclosing_operation_are_known() {
    let harness = shop().await;
    let quiet = allowed(
        &["UpdateItem"],
        &json!({"StringEqualsIfExists": {"dynamodb:ReturnValues": ["NONE", "UPDATED_NEW"]}}),
    );
    let update =
        |returns: &str| json!({"TableName": "shop", "Key": key("alice"), "ReturnValues": returns});
    assert!(answer(&harness, &quiet, "UpdateItem", &update("UPDATED_NEW")).await.is_ok());
    assert_denied(&answer(&harness, &quiet, "UpdateItem", &update("ALL_OLD")).await, "ALL_OLD");
    let only_together = allowed(
        &["PutItem"],
        &json!({"StringEquals": {"dynamodb:EnclosingOperation": "TransactWriteItems"}}),
    );
    let put = json!({"TableName": "shop", "Item": item("alice")});
    assert_denied(&answer(&harness, &only_together, "PutItem", &put).await, "alone");
    let transaction = json!({"TransactItems": [{"Put": put}]});
    assert!(answer(&harness, &only_together, "TransactWriteItems", &transaction).await.is_ok());
}

#[tokio::test]
async fn where_and_when_a_request_comes_from_is_known() {
    let harness = shop().await;
    for (condition, is_allowed) in [
        (json!({"IpAddress": {"aws:SourceIp": "192.0.2.0/24"}}), true),
        (json!({"IpAddress": {"aws:SourceIp": "198.51.100.0/24"}}), false),
        (json!({"Bool": {"aws:SecureTransport": "true"}}), true),
        (json!({"Bool": {"aws:SecureTransport": "false"}}), false),
        (json!({"DateLessThan": {"aws:CurrentTime": "2026-12-01T00:00:00Z"}}), true),
        (json!({"DateGreaterThan": {"aws:CurrentTime": "2026-12-01T00:00:00Z"}}), false),
        (json!({"StringEquals": {"aws:RequestedRegion": "us-east-1"}}), true),
    ] {
        let caller = allowed(&["GetItem"], &condition);
        let get = json!({"TableName": "shop", "Key": key("alice")});
        let outcome = answer(&harness, &caller, "GetItem", &get).await;
        assert_eq!(outcome.is_ok(), is_allowed, "{condition}");
    }
}

#[tokio::test]
async fn accounts_see_nothing_of_each_other() {
    let harness = shop().await;
    let other = administrator("444455556666");
    let tables = answer(&harness, &other, "ListTables", &json!({})).await.unwrap();
    assert_eq!(tables["TableNames"], json!([]));
    let get = json!({"TableName": "shop", "Key": key("alice")});
    let outcome = answer(&harness, &other, "GetItem", &get).await;
    assert_eq!(outcome.unwrap_err(), "ResourceNotFoundException");
    let streams =
        answer(&harness, &other, "DynamoDBStreams_20120810.ListStreams", &json!({})).await;
    assert_eq!(streams.unwrap()["Streams"], json!([]));
}

#[tokio::test]
async fn two_accounts_have_tables_of_one_name() {
    let harness = shop().await;
    let other = administrator("444455556666");
    let create = json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}],
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    let created = answer(&harness, &other, "CreateTable", &create).await.unwrap();
    let arn = created["TableDescription"]["TableArn"].as_str().unwrap();
    assert_eq!(arn, "arn:aws:dynamodb:us-east-1:444455556666:table/shop");
    let put = json!({"TableName": "shop", "Item": {"id": {"N": "1"}}});
    answer(&harness, &other, "PutItem", &put).await.unwrap();
    for (caller, count) in [(&other, 1), (&administrator(ACCOUNT), 2)] {
        let scanned = answer(&harness, caller, "Scan", &json!({"TableName": "shop"})).await;
        assert_eq!(scanned.unwrap()["Count"], count);
    }
    answer(&harness, &other, "DeleteTable", &json!({"TableName": "shop"})).await.unwrap();
    let (scan, first) = (json!({"TableName": "shop"}), administrator(ACCOUNT));
    let left = answer(&harness, &first, "Scan", &scan).await.unwrap();
    assert_eq!(left["Count"], 2);
}

#[tokio::test]
async fn an_account_needs_more_than_its_own_policies_for_the_table_of_another() {
    let harness = shop().await;
    let other = administrator("444455556666");
    let get = json!({"TableName": TABLE_ARN, "Key": key("alice")});
    assert_denied(&answer(&harness, &other, "GetItem", &get).await, "by its ARN");
    let arn = stream_arn(&harness).await;
    let describe = json!({"StreamArn": arn});
    let target = "DynamoDBStreams_20120810.DescribeStream";
    assert_denied(&answer(&harness, &other, target, &describe).await, "its stream");
}

#[tokio::test]
async fn a_stream_that_is_denied_cannot_be_had_by_another_spelling_of_its_name() {
    let harness = shop().await;
    let caller = caller(
        ACCOUNT,
        &json!([
            {"Effect": "Allow", "Action": "dynamodb:*", "Resource": "*"},
            {"Effect": "Deny", "Action": "dynamodb:*", "Resource": format!("{TABLE_ARN}/stream/*")},
        ]),
    );
    let arn = stream_arn(&harness).await;
    for spelling in [
        arn.clone(),
        arn.replace("us-east-1", "eu-west-2"),
        arn.replace("arn:aws:", "arn:other:"),
        arn.replace(ACCOUNT, ""),
    ] {
        let target = "DynamoDBStreams_20120810.DescribeStream";
        let outcome = answer(&harness, &caller, target, &json!({"StreamArn": spelling})).await;
        assert_denied(&outcome, &spelling);
    }
}

#[tokio::test]
async fn where_nobody_is_known_everybody_may_do_everything() {
    let harness = Harness::new().await;
    let request = request_of(&shop().await, "CreateTable").await;
    harness.call("CreateTable", request).await;
    let (code, _) = harness.error("GetItem", json!({"TableName": "absent", "Key": {}})).await;
    assert_eq!(code, "ResourceNotFoundException");
    // Tests of applications name tables by ARNs of accounts that they made up.
    let arn = "arn:aws:dynamodb:us-east-1:999988887777:table/other";
    harness.call("PutItem", json!({"TableName": arn, "Item": {"pk": {"S": "a"}}})).await;
}

async fn execute(harness: &Harness, caller: &Caller, statement: &str) -> Result<Value, String> {
    answer(harness, caller, "ExecuteStatement", &json!({"Statement": statement})).await
}

/// "IAM security policies with PartiQL for DynamoDB", DynamoDB developer guide.
#[tokio::test]
async fn each_kind_of_statement_is_an_action_of_its_own() {
    for (action, statement) in [
        ("PartiQLSelect", "SELECT * FROM shop WHERE pk = 'alice'"),
        ("PartiQLInsert", "INSERT INTO shop VALUE {'pk': 'alice', 'sk': '2'}"),
        ("PartiQLUpdate", "UPDATE shop SET a = 1 WHERE pk = 'alice' AND sk = '1'"),
        ("PartiQLDelete", "DELETE FROM shop WHERE pk = 'alice' AND sk = '1'"),
    ] {
        let harness = shop().await;
        let others = ["PartiQLSelect", "PartiQLInsert", "PartiQLUpdate", "PartiQLDelete", "Query"];
        let others: Vec<&str> = others.into_iter().filter(|other| *other != action).collect();
        let refused = execute(&harness, &allowed(&others, &json!({})), statement).await;
        assert_denied(&refused, action);
        let done = execute(&harness, &allowed(&[action], &json!({})), statement).await;
        assert!(done.is_ok(), "{action}: {done:?}");
    }
}

#[tokio::test]
async fn leading_keys_and_attributes_hold_for_statements() {
    let harness = shop().await;
    let actions = ["PartiQLSelect", "PartiQLInsert", "PartiQLUpdate", "PartiQLDelete"];
    let own = allowed(
        &actions,
        &json!({
            "ForAllValues:StringEquals": {
                "dynamodb:LeadingKeys": ["${aws:username}"],
                "dynamodb:Attributes": ["pk", "sk", "state"],
            },
            "StringEqualsIfExists": {"dynamodb:Select": "SPECIFIC_ATTRIBUTES"},
        }),
    );
    let of = |user: &str| {
        [
            format!("SELECT state FROM shop WHERE pk = '{user}'"),
            format!("SELECT state FROM shop WHERE pk IN ['{user}'] AND sk = '1'"),
            format!("UPDATE shop SET state = 'x' WHERE pk = '{user}' AND sk = '1'"),
            format!("INSERT INTO shop VALUE {{'pk': '{user}', 'sk': '9'}}"),
            format!("DELETE FROM shop WHERE pk = '{user}' AND sk = '9'"),
        ]
    };
    for statement in of("bob") {
        assert_denied(&execute(&harness, &own, &statement).await, &statement);
    }
    for statement in of("alice") {
        let done = execute(&harness, &own, &statement).await;
        assert!(done.is_ok(), "{statement}: {done:?}");
    }
    for statement in [
        "SELECT state FROM shop WHERE pk IN ['alice', 'bob']",
        "SELECT secret FROM shop WHERE pk = 'alice'",
        "SELECT state FROM shop WHERE pk = 'alice' AND secret = 'x'",
        "SELECT * FROM shop WHERE pk = 'alice'",
        "UPDATE shop SET secret = 'x' WHERE pk = 'alice' AND sk = '1'",
    ] {
        assert_denied(&execute(&harness, &own, statement).await, statement);
    }
}

/// "Example: Deny full table scans in PartiQL", DynamoDB developer guide.
#[tokio::test]
async fn full_table_scans_can_be_denied() {
    let harness = shop().await;
    let keyed = allowed(&["PartiQLSelect"], &json!({"Bool": {"dynamodb:FullTableScan": "false"}}));
    let select = |rest: &str| format!("SELECT * FROM shop{rest}");
    assert!(execute(&harness, &keyed, &select(" WHERE pk = 'alice'")).await.is_ok());
    assert!(execute(&harness, &keyed, &select(".by_state WHERE state = 'paid'")).await.is_ok());
    for rest in ["", " WHERE state = 'paid'", " WHERE pk > 'a'", ".by_state WHERE pk = 'alice'"] {
        assert_denied(&execute(&harness, &keyed, &select(rest)).await, rest);
    }
}

#[tokio::test]
async fn a_statement_on_an_index_is_about_the_index() {
    let harness = shop().await;
    let statement = json!([{
        "Effect": "Allow",
        "Action": "dynamodb:PartiQLSelect",
        "Resource": format!("{TABLE_ARN}/index/by_state"),
    }]);
    let index = caller(ACCOUNT, &statement);
    let read = "SELECT * FROM shop.by_state WHERE state = 'paid'";
    assert!(execute(&harness, &index, read).await.is_ok());
    let table = execute(&harness, &index, "SELECT * FROM shop WHERE pk = 'alice'").await;
    assert_denied(&table, "the table");
}

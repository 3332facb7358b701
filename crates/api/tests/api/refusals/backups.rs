//! Backups, point-in-time recovery, exports, imports and bulk operations: what is asked for is
//! checked as AWS checks it, what there is is told, and what is not done here is refused.

use serde_json::{Value, json};

use super::{VALID, check, shop};

const SHOP_ARN: &str = "arn:aws:dynamodb:us-east-1:000000000000:table/shop";
const NULL: &str = "failed to satisfy constraint: Member must not be null";

fn one(violation: &str) -> String {
    format!("1 validation error detected: {violation}")
}

fn part(kind: &str) -> String {
    format!("{SHOP_ARN}/{kind}/01791504762511-2779fadd")
}

#[tokio::test]
async fn a_backup_is_refused_after_its_request_is_checked() {
    let name = one(
        "Value 'no name' at 'backupName' failed to satisfy constraint: Member must satisfy regular \
         expression pattern: [a-zA-Z0-9_.-]+",
    );
    check(
        "CreateBackup",
        &[
            (
                json!({"BackupName": "b"}),
                VALID,
                "The parameter 'TableName' is required but was not present in the request",
            ),
            (
                json!({"TableName": "shop"}),
                VALID,
                &one(&format!("Value null at 'backupName' {NULL}")),
            ),
            (json!({"TableName": "none", "BackupName": "no name"}), VALID, &name),
            (
                json!({"TableName": "none", "BackupName": "friday"}),
                "TableNotFoundException",
                "Table not found: none",
            ),
            // Our sentence: AWS makes a backup.
            (
                json!({"TableName": "shop", "BackupName": "friday"}),
                "ContinuousBackupsUnavailableException",
                "This server does not make backups yet",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn no_backup_is_found() {
    let arn = part("backup");
    let not_found = format!("Backup not found: {arn}");
    let short =
        one("Value 'friday' at 'backupArn' failed to satisfy constraint: Member must have length \
         greater than or equal to 37");
    for operation in ["DescribeBackup", "DeleteBackup"] {
        check(
            operation,
            &[
                (json!({}), VALID, &one(&format!("Value null at 'backupArn' {NULL}"))),
                (json!({"BackupArn": "friday"}), VALID, &short),
                (json!({"BackupArn": SHOP_ARN}), VALID, "Invalid Backup ARN"),
                (json!({"BackupArn": part("export")}), VALID, "Invalid Backup ARN"),
                (
                    json!({"BackupArn": arn.replace("dynamodb", "s3")}),
                    VALID,
                    "Invalid Request: BackupArn is not valid",
                ),
                (json!({"BackupArn": arn}), "BackupNotFoundException", &not_found),
            ],
        )
        .await;
    }
    check(
        "RestoreTableFromBackup",
        &[
            (json!({"BackupArn": SHOP_ARN, "TargetTableName": "new"}), VALID, "Invalid Backup ARN"),
            (
                json!({"BackupArn": arn, "TargetTableName": "new"}),
                "BackupNotFoundException",
                &not_found,
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn the_list_of_backups_is_empty() {
    let harness = shop().await;
    for request in [
        json!({}),
        json!({"TableName": "no-such-table", "Limit": 100, "BackupType": "ALL"}),
        json!({"TimeRangeLowerBound": 5, "TimeRangeUpperBound": 5}),
        json!({"ExclusiveStartBackupArn": part("backup")}),
    ] {
        let list = harness.call("ListBackups", request).await;
        assert_eq!(list, json!({"BackupSummaries": []}));
    }
    check(
        "ListBackups",
        &[
            (
                json!({"Limit": 101, "BackupType": "user"}),
                VALID,
                "2 validation errors detected: Value '101' at 'limit' failed to satisfy \
                 constraint: Member must have value less than or equal to 100; Value 'user' at \
                 'backupType' failed to satisfy constraint: Member must satisfy enum value set: \
                 [USER, SYSTEM, AWS_BACKUP, ALL]",
            ),
            (
                json!({"TimeRangeLowerBound": 6, "TimeRangeUpperBound": 5}),
                VALID,
                "One or more parameter values were invalid: Time range lower bound must be less \
                 than or equal to upper bound",
            ),
        ],
    )
    .await;
}

/// AWS shows these two in the first seconds of a table; later it says ENABLED of continuous
/// backups, which here would not be true.
#[tokio::test]
async fn continuous_backups_are_disabled() {
    let harness = shop().await;
    let disabled = json!({"ContinuousBackupsDescription": {
        "ContinuousBackupsStatus": "DISABLED",
        "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "DISABLED"},
    }});
    for name in ["shop", SHOP_ARN] {
        let described = harness.call("DescribeContinuousBackups", json!({"TableName": name})).await;
        assert_eq!(described, disabled);
    }
    let off = json!({
        "TableName": "shop",
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": false},
    });
    assert_eq!(harness.call("UpdateContinuousBackups", off).await, disabled);
    check(
        "DescribeContinuousBackups",
        &[(json!({"TableName": "none"}), "TableNotFoundException", "Table not found: none")],
    )
    .await;
}

#[tokio::test]
async fn continuous_backups_cannot_be_enabled() {
    let update = |table: &str, specification: Value| {
        json!({"TableName": table,
            "PointInTimeRecoverySpecification": specification})
    };
    let enabled = "pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled";
    check(
        "UpdateContinuousBackups",
        &[
            (
                json!({"TableName": "shop"}),
                VALID,
                &one(&format!("Value null at 'pointInTimeRecoverySpecification' {NULL}")),
            ),
            (update("shop", json!({})), VALID, &one(&format!("Value null at '{enabled}' {NULL}"))),
            (
                update(
                    "shop",
                    json!({"PointInTimeRecoveryEnabled": true, "RecoveryPeriodInDays": 36}),
                ),
                VALID,
                &one(
                    "Value '36' at 'pointInTimeRecoverySpecification.recoveryPeriodInDays' failed \
                     to satisfy constraint: Member must have value less than or equal to 35",
                ),
            ),
            (
                update(
                    "shop",
                    json!({"PointInTimeRecoveryEnabled": false, "RecoveryPeriodInDays": 35}),
                ),
                VALID,
                "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time \
                 recovery.",
            ),
            (
                update("none", json!({"PointInTimeRecoveryEnabled": true})),
                "TableNotFoundException",
                "Table not found: none",
            ),
            // Our sentence: AWS enables it.
            (
                update("shop", json!({"PointInTimeRecoveryEnabled": true})),
                "ContinuousBackupsUnavailableException",
                "This server does not support point in time recovery yet",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn no_table_can_be_restored_to_a_point_in_time() {
    let either = "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must \
                  be specified, but not both";
    let unavailable = "Point in time recovery is not enabled for table 'shop'";
    let name = one(
        "Value 'bad name!' at 'targetTableName' failed to satisfy constraint: Member must satisfy \
         regular expression pattern: [a-zA-Z0-9_.-]+",
    );
    let latest = |source: &str, target: &str| {
        json!({"SourceTableName": source, "TargetTableName": target,
            "UseLatestRestorableTime": true})
    };
    check(
        "RestoreTableToPointInTime",
        &[
            (latest("none", "bad name!"), VALID, &name),
            (
                json!({"TargetTableName": "new", "UseLatestRestorableTime": true}),
                VALID,
                "The parameter 'TableName' is required but was not present in the request",
            ),
            (
                json!({
                    "SourceTableName": "shop",
                    "SourceTableArn": SHOP_ARN,
                    "TargetTableName": "new",
                    "UseLatestRestorableTime": true,
                }),
                VALID,
                "Must provide exactly one of: sourceTableArn, sourceTableName",
            ),
            (
                json!({
                    "SourceTableArn": "shop",
                    "TargetTableName": "new",
                    "UseLatestRestorableTime": true,
                }),
                VALID,
                "One or more parameter values were invalid: sourceTableArn is not a valid ARN",
            ),
            (json!({"SourceTableName": "shop", "TargetTableName": "new"}), VALID, either),
            (
                json!({
                    "SourceTableName": "shop",
                    "TargetTableName": "new",
                    "UseLatestRestorableTime": true,
                    "RestoreDateTime": 5,
                }),
                VALID,
                "Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set \
                 for point-in-time restore request. Please specify either RestoreDateTime time or \
                 UseLatestRestorableTime",
            ),
            (latest("none", "shop"), "TableNotFoundException", "Table not found: none"),
            // That recovery is off comes before the target that exists, and before the time.
            (latest("shop", "shop"), "PointInTimeRecoveryUnavailableException", unavailable),
            (
                json!({"SourceTableArn": SHOP_ARN, "TargetTableName": "new", "RestoreDateTime": 5}),
                "PointInTimeRecoveryUnavailableException",
                unavailable,
            ),
        ],
    )
    .await;
}

fn export(mut changes: Value) -> Value {
    let mut request = json!({"TableArn": SHOP_ARN, "S3Bucket": "bucket"});
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    request
}

#[tokio::test]
async fn an_export_needs_point_in_time_recovery() {
    let none = SHOP_ARN.replace("shop", "none");
    let incremental = |specification: Value| {
        export(json!({
            "ExportType": "INCREMENTAL_EXPORT",
            "IncrementalExportSpecification": specification,
        }))
    };
    // The table is created at 2026-11-15T12:00:00.250, and the clock stands still.
    let time = "InvalidExportTimeException";
    check(
        "ExportTableToPointInTime",
        &[
            (
                export(json!({"S3Bucket": "arn:aws:s3:::bucket"})),
                VALID,
                &one("Value 'arn:aws:s3:::bucket' at 's3Bucket' failed to satisfy constraint: \
                      Member must satisfy regular expression pattern: \
                      ^[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+$"),
            ),
            (
                export(json!({"TableArn": "shop"})),
                VALID,
                "One or more parameter values were invalid: tableArn is not a valid ARN",
            ),
            (
                export(json!({"TableArn": format!("{SHOP_ARN}/index/by-state")})),
                VALID,
                "Invalid Request: Table ARN is invalid.",
            ),
            (
                export(json!({"S3SseKmsKeyId": "key", "S3SseAlgorithm": "AES256"})),
                VALID,
                "Invalid Request: KMS Key Id is not supported for this encryption type",
            ),
            (
                export(json!({"IncrementalExportSpecification": {}})),
                VALID,
                "Invalid Request: Export Type expected to be Incremental Export when incremental \
                 export specification is provided",
            ),
            (
                export(json!({"ExportType": "FULL_EXPORT", "IncrementalExportSpecification": {}})),
                VALID,
                "Invalid Request: When Export Type is Full Export , Incremental Export \
                 Specification should not be provided",
            ),
            (
                export(json!({"ExportType": "INCREMENTAL_EXPORT"})),
                VALID,
                "Invalid Request: Incremental Export Specification expected when export type is \
                 set as Incremental Export",
            ),
            (
                incremental(json!({"ExportViewType": "NEW_IMAGE"})),
                VALID,
                "Invalid Request: ExportFromTime must be provided in \
                 IncrementalExportSpecification",
            ),
            (
                export(json!({"TableArn": none})),
                "TableNotFoundException",
                &format!("Table not found: {none}"),
            ),
            (
                incremental(json!({"ExportFromTime": 1_794_743_000})),
                time,
                "Incremental export period from time cannot be less than the table creation time : \
                 2026-11-15T11:43:20Z",
            ),
            (
                incremental(
                    json!({"ExportFromTime": 1_794_744_000.25, "ExportToTime": 1_794_745_000}),
                ),
                time,
                "Incremental export period to time cannot be greater than the current time : \
                 2026-11-15T12:16:40Z",
            ),
            (
                incremental(json!({"ExportFromTime": 1_794_744_000.25})),
                time,
                "Difference between export period from time and export period to time is less than \
                 15 minutes",
            ),
            (
                export(json!({})),
                "PointInTimeRecoveryUnavailableException",
                "Point in time recovery is not enabled for table 'shop'",
            ),
        ],
    )
    .await;
}

/// What AWS says of an expression that is wrong is not known.
#[tokio::test]
async fn what_an_export_would_filter_by_is_not_looked_at() {
    let filter = json!({
        "FilterExpression": "no expression at all",
        "ProjectionExpression": "#unknown",
        "KeyConditionExpression": "other = :absent",
        "ExpressionAttributeNames": {"#unused": "name"},
        "ExpressionAttributeValues": {":unused": {"S": "value"}},
    });
    let answer = (
        export(json!({"FilterSpecification": filter})),
        "PointInTimeRecoveryUnavailableException",
        "Point in time recovery is not enabled for table 'shop'",
    );
    check("ExportTableToPointInTime", &[answer]).await;
}

#[tokio::test]
async fn there_are_no_exports_imports_and_bulk_operations() {
    let harness = shop().await;
    for (operation, list) in [
        ("ListExports", json!({"ExportSummaries": []})),
        ("ListImports", json!({"ImportSummaryList": []})),
        ("ListBulkOperations", json!({"BulkOperationsSummaryList": []})),
    ] {
        assert_eq!(harness.call(operation, json!({})).await, list);
        let token = "0123456789abcdef".repeat(8);
        let request = json!({"NextToken": token});
        let text = format!("Invalid Request: Provided nextToken is invalid: {token}");
        check(operation, &[(request, VALID, &text)]).await;
    }
    let (export, import) = (part("export"), part("import"));
    check(
        "DescribeExport",
        &[
            (json!({"ExportArn": SHOP_ARN}), VALID, "Invalid Export ARN"),
            (
                json!({"ExportArn": export}),
                "ExportNotFoundException",
                &format!("Export not found: Export not found: {export}"),
            ),
        ],
    )
    .await;
    check(
        "DescribeImport",
        &[
            (json!({"ImportArn": SHOP_ARN}), VALID, "Invalid Import ARN"),
            // The text is ours, after that of exports.
            (
                json!({"ImportArn": import}),
                "ImportNotFoundException",
                &format!("Import not found: Import not found: {import}"),
            ),
        ],
    )
    .await;
    for operation in ["DescribeBulkOperation", "CancelBulkOperation"] {
        let request = json!({"BulkOperationArn": part("bulk-operation")});
        let code = "ResourceNotFoundException";
        check(operation, &[(request, code, "Requested resource not found")]).await;
    }
}

fn import(mut changes: Value, mut table: Value) -> Value {
    let mut parameters = json!({
        "TableName": "new",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    parameters.as_object_mut().unwrap().append(table.as_object_mut().unwrap());
    let mut request = json!({
        "S3BucketSource": {"S3Bucket": "bucket"},
        "InputFormat": "DYNAMODB_JSON",
        "TableCreationParameters": parameters,
    });
    request.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
    request
}

#[tokio::test]
async fn an_import_is_refused_after_its_table_is_checked() {
    let csv = |delimiter: &str| json!({"InputFormatOptions": {"Csv": {"Delimiter": delimiter}}});
    check(
        "ImportTable",
        &[
            (
                import(csv(";;"), json!({})),
                VALID,
                "2 validation errors detected: Value ';;' at 'inputFormatOptions.csv.delimiter' \
                 failed to satisfy constraint: Member must satisfy regular expression pattern: \
                 [,;:|\\t ]; Value ';;' at 'inputFormatOptions.csv.delimiter' failed to satisfy \
                 constraint: Member must have length less than or equal to 1",
            ),
            (
                import(json!({"InputCompressionType": "BZIP2"}), json!({})),
                VALID,
                &one(
                    "Value 'BZIP2' at 'inputCompressionType' failed to satisfy constraint: Member \
                     must satisfy enum value set: [ZSTD, NONE, GZIP]",
                ),
            ),
            (
                import(csv(";"), json!({})),
                VALID,
                "Invalid Request: Unsupported InputFormatOptions for the given input format: \
                 DYNAMODB_JSON.",
            ),
            (
                import(json!({}), json!({"BillingMode": null})),
                VALID,
                "One or more parameter values were invalid: ReadCapacityUnits and \
                 WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
            ),
            (
                import(json!({}), json!({"TableName": "shop"})),
                "ResourceInUseException",
                "Table already exists: shop",
            ),
            // Our sentence: AWS begins to import.
            (import(json!({}), json!({})), VALID, "This server does not import tables yet"),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_bulk_operation_is_refused_after_its_request_is_checked() {
    let start = |table: &str, units: i64| {
        json!({
            "TableName": table,
            "InputS3Configuration": {"S3Bucket": "bucket", "InputFormat": "ION"},
            "OutputS3Configuration": {"OutputType": ["ERROR"]},
            "MaxWriteRequestUnits": units,
        })
    };
    check(
        "StartBulkPutItems",
        &[
            (
                json!({"TableName": "shop"}),
                VALID,
                &format!(
                    "2 validation errors detected: Value null at 'inputS3Configuration' {NULL}; \
                     Value null at 'outputS3Configuration' {NULL}"
                ),
            ),
            (
                start("shop", 1023),
                VALID,
                &one(
                    "Value '1023' at 'maxWriteRequestUnits' failed to satisfy constraint: Member \
                     must have value greater than or equal to 1024",
                ),
            ),
            (
                start("none", 1024),
                "ResourceNotFoundException",
                "Requested resource not found: Table: none not found",
            ),
            (start("shop", 1024), VALID, "This server does not run bulk operations yet"),
        ],
    )
    .await;
}

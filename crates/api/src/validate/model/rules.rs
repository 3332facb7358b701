//! The table of constraints: what the service model says about the members of each shape.
//!
//! Members of which it says nothing are left out. Lists of values stand in the order in which AWS
//! lists them where that is known, and in the order of the model elsewhere. Names of tables that
//! must exist are not here: they are checked first, and alone.

use super::pattern::{
    ACCOUNT, CLIENT_TOKEN, CSV_DELIMITER, CSV_HEADER, NAME, PAGE_TOKEN, PRINTABLE, ROLE_ARN,
    S3_BUCKET,
};
use super::rule::Check::{Each, Length, OneOf, Pattern, Value};
use super::rule::Rule::{Optional, Required};
use super::rule::{Check, Rule};

/// No constraint but that of being there.
const ANY: &[Check] = &[];
/// Integers from one on.
const POSITIVE: &[Check] = &[Value(1, i64::MAX)];
/// The names of tables that are to be made, of backups and of global tables.
const NEW_NAME: &[Check] = &[Pattern(&NAME), Length(3, 255)];
/// The names of indexes: the same in another order, as measured.
const INDEX_NAME: &[Check] = &[Length(3, 255), Pattern(&NAME)];
/// The names of attributes that keys use, or that indexes hold.
const ATTRIBUTE_NAME: &[Check] = &[Length(1, 255)];
/// Amazon resource names of backups, exports, imports and bulk operations.
const PART_ARN: &[Check] = &[Length(37, 1024)];
const TABLE_ARN: &[Check] = &[Length(1, 1024)];
/// How many entries of a list a page can have.
const PAGE_OF_25: &[Check] = &[Value(1, 25)];

const TOKEN: &[Check] = &[Pattern(&CLIENT_TOKEN)];
const BUCKET: &[Check] = &[Pattern(&S3_BUCKET), Length(0, 255)];
const BUCKET_OWNER: &[Check] = &[Pattern(&ACCOUNT)];
const PREFIX: &[Check] = &[Length(0, 1024)];
const KMS_KEY: &[Check] = &[Length(1, 2048)];

const BILLING_MODE: &[Check] = &[OneOf(&["PROVISIONED", "PAY_PER_REQUEST"])];
const TABLE_CLASS: &[Check] = &[OneOf(&["STANDARD", "STANDARD_INFREQUENT_ACCESS"])];
const ENCRYPTION: &[Check] = &[OneOf(&["AES256", "KMS"])];
const COMPRESSION: &[Check] = &[OneOf(&["ZSTD", "NONE", "GZIP"])];
const SETTINGS_REPLICATION: &[Check] = &[OneOf(&["ENABLED", "DISABLED", "ENABLED_WITH_OVERRIDES"])];
const PRECISION: &[Check] = &[OneOf(&["MILLISECOND", "MICROSECOND"])];

/// The rules for the members of a shape.
pub(super) fn of(shape: &str) -> &'static [Rule] {
    backups(shape)
        .or_else(|| exports_and_imports(shape))
        .or_else(|| bulk_operations(shape))
        .or_else(|| global_tables(shape))
        .or_else(|| replicas(shape))
        .or_else(|| auto_scaling(shape))
        .or_else(|| tables(shape))
        .unwrap_or_default()
}

fn backups(shape: &str) -> Option<&'static [Rule]> {
    Some(match shape {
        "CreateBackupRequest" => &[Required("BackupName", NEW_NAME)],
        "DescribeBackupRequest" | "DeleteBackupRequest" => &[Required("BackupArn", PART_ARN)],
        "ListBackupsRequest" => &[
            Optional("TableName", TABLE_ARN),
            Optional("Limit", &[Value(1, 100)]),
            Optional("ExclusiveStartBackupArn", PART_ARN),
            Optional("BackupType", &[OneOf(&["USER", "SYSTEM", "AWS_BACKUP", "ALL"])]),
        ],
        "RestoreTableFromBackupRequest" => &[
            Required("TargetTableName", NEW_NAME),
            Required("BackupArn", PART_ARN),
            Optional("BillingModeOverride", BILLING_MODE),
        ],
        "RestoreTableToPointInTimeRequest" => &[
            Optional("SourceTableArn", TABLE_ARN),
            Optional("SourceTableName", NEW_NAME),
            Required("TargetTableName", NEW_NAME),
            Optional("BillingModeOverride", BILLING_MODE),
        ],
        "UpdateContinuousBackupsRequest" => &[Required("PointInTimeRecoverySpecification", ANY)],
        "PointInTimeRecoverySpecification" => &[
            Required("PointInTimeRecoveryEnabled", ANY),
            Optional("RecoveryPeriodInDays", &[Value(1, 35)]),
        ],
        _ => return None,
    })
}

fn exports_and_imports(shape: &str) -> Option<&'static [Rule]> {
    Some(match shape {
        "ExportTableToPointInTimeRequest" => &[
            Required("TableArn", TABLE_ARN),
            Optional("ClientToken", TOKEN),
            Required("S3Bucket", BUCKET),
            Optional("S3BucketOwner", BUCKET_OWNER),
            Optional("S3Prefix", PREFIX),
            Optional("S3SseAlgorithm", ENCRYPTION),
            Optional("S3SseKmsKeyId", KMS_KEY),
            Optional("ExportFormat", &[OneOf(&["DYNAMODB_JSON", "ION"])]),
            Optional("ExportType", &[OneOf(&["FULL_EXPORT", "INCREMENTAL_EXPORT"])]),
        ],
        "IncrementalExportSpecification" => {
            &[Optional("ExportViewType", &[OneOf(&["NEW_IMAGE", "NEW_AND_OLD_IMAGES"])])]
        }
        "DescribeExportRequest" => &[Required("ExportArn", PART_ARN)],
        "ListExportsRequest" => {
            &[Optional("TableArn", TABLE_ARN), Optional("MaxResults", PAGE_OF_25)]
        }
        "ImportTableRequest" => &[
            Optional("ClientToken", TOKEN),
            Required("S3BucketSource", ANY),
            Required("InputFormat", &[OneOf(&["DYNAMODB_JSON", "ION", "CSV"])]),
            Optional("InputCompressionType", COMPRESSION),
            Required("TableCreationParameters", ANY),
        ],
        "S3BucketSource" => &[
            Optional("S3BucketOwner", BUCKET_OWNER),
            Required("S3Bucket", BUCKET),
            Optional("S3KeyPrefix", PREFIX),
        ],
        "CsvOptions" => &[
            Optional("Delimiter", &[Pattern(&CSV_DELIMITER), Length(1, 1)]),
            Optional(
                "HeaderList",
                &[Length(1, 255), Each(&[Pattern(&CSV_HEADER), Length(1, 65_536)])],
            ),
        ],
        "DescribeImportRequest" => &[Required("ImportArn", PART_ARN)],
        "ListImportsRequest" => &[
            Optional("TableArn", TABLE_ARN),
            Optional("PageSize", PAGE_OF_25),
            Optional("NextToken", &[Pattern(&PAGE_TOKEN), Length(112, 1024)]),
        ],
        _ => return None,
    })
}

fn bulk_operations(shape: &str) -> Option<&'static [Rule]> {
    Some(match shape {
        "StartBulkPutItemsRequest" => &[
            Optional("ClientToken", TOKEN),
            Required("InputS3Configuration", ANY),
            Required("OutputS3Configuration", ANY),
            Optional("MaxWriteRequestUnits", &[Value(1024, i64::MAX)]),
            Optional("PerformanceTier", &[OneOf(&["STANDARD", "ACCELERATED"])]),
        ],
        "InputS3Configuration" => &[
            Optional("S3BucketOwner", BUCKET_OWNER),
            Required("S3Bucket", BUCKET),
            Optional("S3KeyPrefix", PREFIX),
            Required("InputFormat", &[OneOf(&["DYNAMODB_JSON", "ION"])]),
            Optional("InputCompressionType", COMPRESSION),
        ],
        "OutputS3Configuration" => &[
            Optional("S3BucketOwner", BUCKET_OWNER),
            Optional("S3Bucket", BUCKET),
            Optional("S3KeyPrefix", PREFIX),
            Optional("S3SseAlgorithm", ENCRYPTION),
            Optional("S3SseKmsKeyId", KMS_KEY),
            Required("OutputType", &[Each(&[OneOf(&["ERROR", "CONDITION_CHECK_FAILURE"])])]),
        ],
        "DescribeBulkOperationRequest" | "CancelBulkOperationRequest" => {
            &[Required("BulkOperationArn", PART_ARN)]
        }
        "ListBulkOperationsRequest" => &[
            Optional("MaxResults", PAGE_OF_25),
            Optional("NextToken", &[Pattern(&PAGE_TOKEN), Length(1, 1024)]),
        ],
        _ => return None,
    })
}

fn global_tables(shape: &str) -> Option<&'static [Rule]> {
    Some(match shape {
        "CreateGlobalTableRequest" => {
            &[Required("GlobalTableName", NEW_NAME), Required("ReplicationGroup", ANY)]
        }
        "DescribeGlobalTableRequest" | "DescribeGlobalTableSettingsRequest" => {
            &[Required("GlobalTableName", NEW_NAME)]
        }
        "ListGlobalTablesRequest" => {
            &[Optional("ExclusiveStartGlobalTableName", NEW_NAME), Optional("Limit", POSITIVE)]
        }
        "UpdateGlobalTableRequest" => {
            &[Required("GlobalTableName", NEW_NAME), Required("ReplicaUpdates", ANY)]
        }
        "CreateReplicaAction" | "DeleteReplicaAction" => &[Required("RegionName", ANY)],
        "UpdateGlobalTableSettingsRequest" => &[
            Required("GlobalTableName", NEW_NAME),
            Optional("GlobalTableBillingMode", BILLING_MODE),
            Optional("GlobalTableProvisionedWriteCapacityUnits", POSITIVE),
            Optional("GlobalTableGlobalSecondaryIndexSettingsUpdate", &[Length(1, 20)]),
            Optional("ReplicaSettingsUpdate", &[Length(1, 50)]),
        ],
        "GlobalTableGlobalSecondaryIndexSettingsUpdate" => &[
            Required("IndexName", INDEX_NAME),
            Optional("ProvisionedWriteCapacityUnits", POSITIVE),
        ],
        "ReplicaSettingsUpdate" => &[
            Required("RegionName", ANY),
            Optional("ReplicaProvisionedReadCapacityUnits", POSITIVE),
            Optional("ReplicaGlobalSecondaryIndexSettingsUpdate", &[Length(1, 20)]),
            Optional("ReplicaTableClass", TABLE_CLASS),
        ],
        "ReplicaGlobalSecondaryIndexSettingsUpdate" => {
            &[Required("IndexName", INDEX_NAME), Optional("ProvisionedReadCapacityUnits", POSITIVE)]
        }
        _ => return None,
    })
}

/// Shapes of replicas as UpdateTable and CreateTable name them.
fn replicas(shape: &str) -> Option<&'static [Rule]> {
    Some(match shape {
        "CreateTableRequest" => &[
            Optional("GlobalTableSourceArn", TABLE_ARN),
            Optional("GlobalTableSettingsReplicationMode", SETTINGS_REPLICATION),
        ],
        "UpdateTableRequest" => &[
            Optional("ReplicaUpdates", &[Length(1, usize::MAX)]),
            Optional("MultiRegionConsistency", &[OneOf(&["EVENTUAL", "STRONG"])]),
            Optional("GlobalTableWitnessUpdates", &[Length(1, 1)]),
            Optional("GlobalTableSettingsReplicationMode", SETTINGS_REPLICATION),
        ],
        "CreateReplicationGroupMemberAction" | "UpdateReplicationGroupMemberAction" => &[
            Required("RegionName", ANY),
            Optional("GlobalSecondaryIndexes", &[Length(1, usize::MAX)]),
            Optional("TableClassOverride", TABLE_CLASS),
        ],
        "DisassociateReplicationGroupMemberAction" => &[
            Required("RegionName", ANY),
            Required("DisassociationMode", &[OneOf(&["WAIT_FOR_REPLICATION"])]),
        ],
        "DeleteReplicationGroupMemberAction"
        | "CreateGlobalTableWitnessGroupMemberAction"
        | "DeleteGlobalTableWitnessGroupMemberAction" => &[Required("RegionName", ANY)],
        "ReplicaGlobalSecondaryIndex" => &[Required("IndexName", INDEX_NAME)],
        "ProvisionedThroughputOverride" => &[Optional("ReadCapacityUnits", POSITIVE)],
        _ => return None,
    })
}

fn auto_scaling(shape: &str) -> Option<&'static [Rule]> {
    Some(match shape {
        "UpdateTableReplicaAutoScalingRequest" => &[
            Optional("GlobalSecondaryIndexUpdates", &[Length(1, usize::MAX)]),
            Optional("ReplicaUpdates", &[Length(1, usize::MAX)]),
        ],
        "GlobalSecondaryIndexAutoScalingUpdate"
        | "ReplicaGlobalSecondaryIndexAutoScalingUpdate" => &[Optional("IndexName", INDEX_NAME)],
        "ReplicaAutoScalingUpdate" => &[Required("RegionName", ANY)],
        "AutoScalingSettingsUpdate" => &[
            Optional("MinimumUnits", POSITIVE),
            Optional("MaximumUnits", POSITIVE),
            Optional("AutoScalingRoleArn", &[Pattern(&ROLE_ARN), Length(1, 1600)]),
        ],
        "AutoScalingPolicyUpdate" => &[
            Optional("PolicyName", &[Pattern(&PRINTABLE), Length(1, 256)]),
            Required("TargetTrackingScalingPolicyConfiguration", ANY),
        ],
        "AutoScalingTargetTrackingScalingPolicyConfigurationUpdate" => {
            &[Required("TargetValue", ANY)]
        }
        _ => return None,
    })
}

/// Shapes of tables, of streams to Kinesis, and of indexes.
fn tables(shape: &str) -> Option<&'static [Rule]> {
    Some(match shape {
        "EnableKinesisStreamingDestinationRequest"
        | "DisableKinesisStreamingDestinationRequest"
        | "UpdateKinesisStreamingDestinationRequest" => &[Required("StreamArn", ANY)],
        "EnableKinesisStreamingConfiguration" | "UpdateKinesisStreamingConfiguration" => {
            &[Optional("ApproximateCreationDateTimePrecision", PRECISION)]
        }
        "TableCreationParameters" => &[
            Required("TableName", NEW_NAME),
            Required("AttributeDefinitions", ANY),
            Required("KeySchema", &[Length(1, 2)]),
            Optional("BillingMode", BILLING_MODE),
        ],
        "AttributeDefinition" => &[
            Required("AttributeName", ATTRIBUTE_NAME),
            Required("AttributeType", &[OneOf(&["B", "N", "S"])]),
        ],
        "KeySchemaElement" => &[
            Required("AttributeName", ATTRIBUTE_NAME),
            Required("KeyType", &[OneOf(&["HASH", "RANGE"])]),
        ],
        "GlobalSecondaryIndex" => &[
            Required("IndexName", INDEX_NAME),
            Required("KeySchema", &[Length(1, 8)]),
            Required("Projection", ANY),
        ],
        "LocalSecondaryIndex" => &[
            Required("IndexName", INDEX_NAME),
            Required("KeySchema", &[Length(1, 2)]),
            Required("Projection", ANY),
        ],
        "VectorIndex" => &[
            Required("IndexName", INDEX_NAME),
            Required("VectorAttribute", ANY),
            Optional("SearchSchema", &[Length(1, usize::MAX)]),
            Required("Projection", ANY),
            Required("Dimensions", POSITIVE),
            Required("DistanceFunction", &[OneOf(&["COSINE", "DOT_PRODUCT", "EUCLIDEAN"])]),
        ],
        "VectorAttributeDefinition" => &[Required("AttributeName", ATTRIBUTE_NAME)],
        "SearchSchemaElement" => &[
            Required("AttributeName", ATTRIBUTE_NAME),
            Required("SearchSchemaElementType", &[OneOf(&["HASH", "INLINE_FILTER"])]),
        ],
        "Projection" => &[
            Optional("ProjectionType", &[OneOf(&["ALL", "INCLUDE", "KEYS_ONLY"])]),
            Optional("NonKeyAttributes", &[Length(1, 20), Each(ATTRIBUTE_NAME)]),
        ],
        "ProvisionedThroughput" => {
            &[Required("ReadCapacityUnits", POSITIVE), Required("WriteCapacityUnits", POSITIVE)]
        }
        "SSESpecification" => {
            &[Optional("SSEType", ENCRYPTION), Optional("KMSMasterKeyId", &[Length(1, usize::MAX)])]
        }
        _ => return None,
    })
}

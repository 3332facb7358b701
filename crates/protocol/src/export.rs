//! Exports of tables to Amazon S3.

use std::collections::BTreeMap;
use std::convert::Infallible;

use crate::WireValue;
use crate::shapes::Timestamp;

wire_struct! {
    /// The request of `ExportTableToPointInTime`.
    pub struct ExportTableToPointInTimeRequest: Decode + Inspect {
        /// The table's Amazon resource name.
        pub table_arn: String = "TableArn",
        /// The moment whose items are wanted.
        pub export_time: Timestamp = "ExportTime",
        /// What makes a repetition known as such.
        pub client_token: String = "ClientToken",
        /// Where to write.
        pub s3_bucket: String = "S3Bucket",
        /// The account that the bucket belongs to.
        pub s3_bucket_owner: String = "S3BucketOwner",
        /// What the names of the files start with.
        pub s3_prefix: String = "S3Prefix",
        /// `AES256` or `KMS`.
        pub s3_sse_algorithm: String = "S3SseAlgorithm",
        /// The key to encrypt with.
        pub s3_sse_kms_key_id: String = "S3SseKmsKeyId",
        /// `DYNAMODB_JSON` or `ION`.
        pub export_format: String = "ExportFormat",
        /// `FULL_EXPORT` or `INCREMENTAL_EXPORT`.
        pub export_type: String = "ExportType",
        /// The changes that are wanted of an incremental export.
        pub incremental_export_specification: IncrementalExportSpecification
            = "IncrementalExportSpecification",
        /// The items that are wanted.
        pub filter_specification: FilterSpecification = "FilterSpecification",
    }
}

wire_struct! {
    /// The changes that an incremental export holds.
    pub struct IncrementalExportSpecification: Decode + Inspect {
        /// The moment from which on.
        pub export_from_time: Timestamp = "ExportFromTime",
        /// The moment up to which.
        pub export_to_time: Timestamp = "ExportToTime",
        /// `NEW_IMAGE` or `NEW_AND_OLD_IMAGES`.
        pub export_view_type: String = "ExportViewType",
    }
}

wire_struct! {
    /// The items that an export holds, and what of them.
    pub struct FilterSpecification: Decode + Inspect {
        /// Which items.
        pub filter_expression: String = "FilterExpression",
        /// What of them.
        pub projection_expression: String = "ProjectionExpression",
        /// Which keys.
        pub key_condition_expression: String = "KeyConditionExpression",
        /// Names in the expressions.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
        /// Values in the expressions.
        pub expression_attribute_values: BTreeMap<String, WireValue> = "ExpressionAttributeValues",
    }
}

wire_struct! {
    /// The request of `DescribeExport`.
    pub struct DescribeExportRequest: Decode + Inspect {
        /// The export's Amazon resource name.
        pub export_arn: String = "ExportArn",
    }
}

wire_struct! {
    /// The request of `ListExports`.
    pub struct ListExportsRequest: Decode + Inspect {
        /// The table whose exports are wanted.
        pub table_arn: String = "TableArn",
        /// The most exports to return.
        pub max_results: i32 = "MaxResults",
        /// Where the page starts.
        pub next_token: String = "NextToken",
    }
}

wire_struct! {
    /// The response of `ListExports`.
    pub struct ListExportsResponse: Encode {
        /// The exports of the page: there are none.
        pub export_summaries: Vec<Infallible> = "ExportSummaries",
    }
}

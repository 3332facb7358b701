//! Bulk operations: items that are read from Amazon S3 and written to a table.

use std::convert::Infallible;

wire_struct! {
    /// The request of `StartBulkPutItems`.
    pub struct StartBulkPutItemsRequest: Decode + Inspect {
        /// What makes a repetition known as such.
        pub client_token: String = "ClientToken",
        /// Where to read.
        pub input_s3_configuration: InputS3Configuration = "InputS3Configuration",
        /// Where to write about items that failed.
        pub output_s3_configuration: OutputS3Configuration = "OutputS3Configuration",
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The most write units a second.
        pub max_write_request_units: i64 = "MaxWriteRequestUnits",
        /// `STANDARD` or `ACCELERATED`.
        pub performance_tier: String = "PerformanceTier",
    }
}

wire_struct! {
    /// Files with items.
    pub struct InputS3Configuration: Decode + Inspect {
        /// The account that the bucket belongs to.
        pub s3_bucket_owner: String = "S3BucketOwner",
        /// The bucket.
        pub s3_bucket: String = "S3Bucket",
        /// What the names of the files start with.
        pub s3_key_prefix: String = "S3KeyPrefix",
        /// `DYNAMODB_JSON` or `ION`.
        pub input_format: String = "InputFormat",
        /// `GZIP`, `ZSTD` or `NONE`.
        pub input_compression_type: String = "InputCompressionType",
    }
}

wire_struct! {
    /// Files about items that failed.
    pub struct OutputS3Configuration: Decode + Inspect {
        /// The account that the bucket belongs to.
        pub s3_bucket_owner: String = "S3BucketOwner",
        /// The bucket.
        pub s3_bucket: String = "S3Bucket",
        /// What the names of the files start with.
        pub s3_key_prefix: String = "S3KeyPrefix",
        /// `AES256` or `KMS`.
        pub s3_sse_algorithm: String = "S3SseAlgorithm",
        /// The key to encrypt with.
        pub s3_sse_kms_key_id: String = "S3SseKmsKeyId",
        /// `ERROR`, `CONDITION_CHECK_FAILURE` or both.
        pub output_type: Vec<String> = "OutputType",
    }
}

wire_struct! {
    /// The request of `DescribeBulkOperation`.
    pub struct DescribeBulkOperationRequest: Decode + Inspect {
        /// The operation's Amazon resource name.
        pub bulk_operation_arn: String = "BulkOperationArn",
    }
}

wire_struct! {
    /// The request of `CancelBulkOperation`.
    pub struct CancelBulkOperationRequest: Decode + Inspect {
        /// The operation's Amazon resource name.
        pub bulk_operation_arn: String = "BulkOperationArn",
    }
}

wire_struct! {
    /// The request of `ListBulkOperations`.
    pub struct ListBulkOperationsRequest: Decode + Inspect {
        /// The most operations to return.
        pub max_results: i32 = "MaxResults",
        /// Where the page starts.
        pub next_token: String = "NextToken",
    }
}

wire_struct! {
    /// The response of `ListBulkOperations`.
    pub struct ListBulkOperationsResponse: Encode {
        /// The operations of the page: there are none.
        pub bulk_operations_summary_list: Vec<Infallible> = "BulkOperationsSummaryList",
    }
}

//! Tables made from files in Amazon S3.

use std::convert::Infallible;

use crate::shapes::{
    AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, OnDemandThroughput,
    ProvisionedThroughput, SSESpecification, VectorIndex,
};

wire_struct! {
    /// The request of `ImportTable`.
    pub struct ImportTableRequest: Decode + Inspect {
        /// What makes a repetition known as such.
        pub client_token: String = "ClientToken",
        /// Where to read.
        pub s3_bucket_source: S3BucketSource = "S3BucketSource",
        /// `DYNAMODB_JSON`, `ION` or `CSV`.
        pub input_format: String = "InputFormat",
        /// More about the format.
        pub input_format_options: InputFormatOptions = "InputFormatOptions",
        /// `GZIP`, `ZSTD` or `NONE`.
        pub input_compression_type: String = "InputCompressionType",
        /// The table to make.
        pub table_creation_parameters: TableCreationParameters = "TableCreationParameters",
    }
}

wire_struct! {
    /// Files in Amazon S3.
    pub struct S3BucketSource: Decode + Inspect {
        /// The account that the bucket belongs to.
        pub s3_bucket_owner: String = "S3BucketOwner",
        /// The bucket.
        pub s3_bucket: String = "S3Bucket",
        /// What the names of the files start with.
        pub s3_key_prefix: String = "S3KeyPrefix",
    }
}

wire_struct! {
    /// More about a format.
    pub struct InputFormatOptions: Decode + Inspect {
        /// More about comma-separated values.
        pub csv: CsvOptions = "Csv",
    }
}

wire_struct! {
    /// How comma-separated values are written.
    pub struct CsvOptions: Decode + Inspect {
        /// What separates them.
        pub delimiter: String = "Delimiter",
        /// The names of the columns.
        pub header_list: Vec<String> = "HeaderList",
    }
}

wire_struct! {
    /// A table to make.
    pub struct TableCreationParameters: Decode + Inspect {
        /// Its name.
        pub table_name: String = "TableName",
        /// The types of the attributes that keys use.
        pub attribute_definitions: Vec<AttributeDefinition> = "AttributeDefinitions",
        /// Its key.
        pub key_schema: Vec<KeySchemaElement> = "KeySchema",
        /// `PROVISIONED` or `PAY_PER_REQUEST`.
        pub billing_mode: String = "BillingMode",
        /// What it may read and write, if provisioned.
        pub provisioned_throughput: ProvisionedThroughput = "ProvisionedThroughput",
        /// What it may read and write at most, if on demand.
        pub on_demand_throughput: OnDemandThroughput = "OnDemandThroughput",
        /// How it is to be encrypted.
        pub sse_specification: SSESpecification = "SSESpecification",
        /// Its global secondary indexes.
        pub global_secondary_indexes: Vec<GlobalSecondaryIndex> = "GlobalSecondaryIndexes",
        /// Its vector indexes.
        pub vector_indexes: Vec<VectorIndex> = "VectorIndexes",
    }
}

wire_struct! {
    /// The request of `DescribeImport`.
    pub struct DescribeImportRequest: Decode + Inspect {
        /// The import's Amazon resource name.
        pub import_arn: String = "ImportArn",
    }
}

wire_struct! {
    /// The request of `ListImports`.
    pub struct ListImportsRequest: Decode + Inspect {
        /// The table whose imports are wanted.
        pub table_arn: String = "TableArn",
        /// The most imports to return.
        pub page_size: i32 = "PageSize",
        /// Where the page starts.
        pub next_token: String = "NextToken",
    }
}

wire_struct! {
    /// The response of `ListImports`.
    pub struct ListImportsResponse: Encode {
        /// The imports of the page: there are none.
        pub import_summary_list: Vec<Infallible> = "ImportSummaryList",
    }
}

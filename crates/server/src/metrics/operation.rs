//! The names of operations.

/// All operations that DynamoDB has, those of streams too, in order. One that this server does not
/// know is counted by its name as well, so that it shows what applications ask for.
const NAMES: &[&str] = &[
    "BatchExecuteStatement",
    "BatchGetItem",
    "BatchWriteItem",
    "CancelBulkOperation",
    "CreateBackup",
    "CreateGlobalTable",
    "CreateTable",
    "DeleteBackup",
    "DeleteItem",
    "DeleteResourcePolicy",
    "DeleteTable",
    "DescribeBackup",
    "DescribeBulkOperation",
    "DescribeContinuousBackups",
    "DescribeContributorInsights",
    "DescribeEndpoints",
    "DescribeExport",
    "DescribeGlobalTable",
    "DescribeGlobalTableSettings",
    "DescribeImport",
    "DescribeKinesisStreamingDestination",
    "DescribeLimits",
    "DescribeStream",
    "DescribeTable",
    "DescribeTableReplicaAutoScaling",
    "DescribeTimeToLive",
    "DisableKinesisStreamingDestination",
    "EnableKinesisStreamingDestination",
    "ExecuteStatement",
    "ExecuteTransaction",
    "ExportTableToPointInTime",
    "GetItem",
    "GetRecords",
    "GetResourcePolicy",
    "GetShardIterator",
    "ImportTable",
    "ListBackups",
    "ListBulkOperations",
    "ListContributorInsights",
    "ListExports",
    "ListGlobalTables",
    "ListImports",
    "ListStreams",
    "ListTables",
    "ListTagsOfResource",
    "PutItem",
    "PutResourcePolicy",
    "Query",
    "RestoreTableFromBackup",
    "RestoreTableToPointInTime",
    "Scan",
    "SearchVectors",
    "StartBulkPutItems",
    "TagResource",
    "TransactGetItems",
    "TransactWriteItems",
    "UntagResource",
    "UpdateContinuousBackups",
    "UpdateContributorInsights",
    "UpdateGlobalTable",
    "UpdateGlobalTableSettings",
    "UpdateItem",
    "UpdateKinesisStreamingDestination",
    "UpdateTable",
    "UpdateTableReplicaAutoScaling",
    "UpdateTimeToLive",
];

/// What every other operation is called.
const UNKNOWN: &str = "_unknown";

/// The operation of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operation(usize);

impl Operation {
    /// How many there are.
    pub(crate) const COUNT: usize = NAMES.len() + 1;

    /// The operation that the value of an `X-Amz-Target` header names.
    pub(crate) fn of_target(target: &str) -> Operation {
        // A search of the text for a character takes three times as long as one of its bytes.
        let end = target.bytes().position(|byte| byte == b'.');
        let name = end.and_then(|end| target.get(end + 1..)).unwrap_or("");
        Operation(NAMES.binary_search(&name).unwrap_or(NAMES.len()))
    }

    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = Operation> {
        (0..Operation::COUNT).map(Operation)
    }

    /// Its place among all of them.
    pub(crate) fn number(self) -> usize {
        self.0
    }

    /// Its name, or the one of all that are unknown.
    pub(crate) fn name(self) -> &'static str {
        NAMES.get(self.0).unwrap_or(&UNKNOWN)
    }

    /// Whether what it consumes is for writing.
    pub(crate) fn writes(self) -> bool {
        matches!(
            self.name(),
            "BatchWriteItem" | "DeleteItem" | "PutItem" | "TransactWriteItems" | "UpdateItem"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_so_that_each_is_found() {
        assert!(NAMES.is_sorted());
        for operation in Operation::all() {
            let target = format!("DynamoDB_20120810.{}", operation.name());
            assert_eq!(Operation::of_target(&target), operation);
        }
    }

    #[test]
    fn whatever_is_no_operation_is_unknown() {
        for target in ["", "GetItem", "DynamoDB_20120810.", "DynamoDB_20120810.getitem", "a.b.c"] {
            assert_eq!(Operation::of_target(target).name(), "_unknown", "{target}");
        }
    }
}

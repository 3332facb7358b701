//! The actions that DynamoDB has.
//!
//! Facts: Service Authorization Reference, page `list_amazondynamodb`.

use crate::pattern::Case;
use crate::similarity;
use crate::template::{Template, Variables, Wildcards};

/// The service that leads every action.
pub(crate) const SERVICE: &str = "dynamodb";

/// The actions without their service, in the order of the alphabet.
const ACTIONS: &[&str] = &[
    "AssociateTableReplica",
    "BatchGetItem",
    "BatchWriteItem",
    "CancelBulkOperation",
    "ConditionCheckItem",
    "CreateBackup",
    "CreateGlobalTable",
    "CreateTable",
    "CreateTableReplica",
    "DeleteBackup",
    "DeleteItem",
    "DeleteResourcePolicy",
    "DeleteTable",
    "DeleteTableReplica",
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
    "DescribeReservedCapacity",
    "DescribeReservedCapacityOfferings",
    "DescribeStream",
    "DescribeTable",
    "DescribeTableReplicaAutoScaling",
    "DescribeTimeToLive",
    "DisableKinesisStreamingDestination",
    "EnableKinesisStreamingDestination",
    "ExportTableToPointInTime",
    "GetAbacStatus",
    "GetItem",
    "GetRecords",
    "GetResourcePolicy",
    "GetShardIterator",
    "ImportTable",
    "InjectError",
    "ListBackups",
    "ListBulkOperations",
    "ListContributorInsights",
    "ListExports",
    "ListGlobalTables",
    "ListImports",
    "ListStreams",
    "ListTables",
    "ListTagsOfResource",
    "PartiQLDelete",
    "PartiQLInsert",
    "PartiQLSelect",
    "PartiQLUpdate",
    "PurchaseReservedCapacityOfferings",
    "PutItem",
    "PutResourcePolicy",
    "Query",
    "ReadDataForReplication",
    "ReplicateSettings",
    "RestoreTableFromAwsBackup",
    "RestoreTableFromBackup",
    "RestoreTableToPointInTime",
    "Scan",
    "SearchVectors",
    "StartAwsBackupJob",
    "StartBulkPutItems",
    "TagResource",
    "UntagResource",
    "UpdateAbacStatus",
    "UpdateContinuousBackups",
    "UpdateContributorInsights",
    "UpdateGlobalTable",
    "UpdateGlobalTableSettings",
    "UpdateGlobalTableVersion",
    "UpdateItem",
    "UpdateKinesisStreamingDestination",
    "UpdateTable",
    "UpdateTableReplicaAutoScaling",
    "UpdateTimeToLive",
    "WriteDataForReplication",
];

/// Operations that are no actions of their own, with what is asked for in their place.
const OPERATIONS: &[(&str, &str)] = &[
    ("BatchExecuteStatement", "PartiQLSelect, PartiQLInsert, PartiQLUpdate or PartiQLDelete"),
    ("ExecuteStatement", "PartiQLSelect, PartiQLInsert, PartiQLUpdate or PartiQLDelete"),
    ("ExecuteTransaction", "PartiQLSelect, PartiQLInsert, PartiQLUpdate or PartiQLDelete"),
    ("TransactGetItems", "GetItem"),
    ("TransactWriteItems", "PutItem, UpdateItem, DeleteItem or ConditionCheckItem"),
];

/// The actions that DynamoDB has, such as `dynamodb:GetItem`, in the order of the alphabet.
pub fn known_actions() -> impl Iterator<Item = String> {
    ACTIONS.iter().map(|name| format!("{SERVICE}:{name}"))
}

/// Whether DynamoDB has an action, by its name in any case.
pub fn is_known_action(action: &str) -> bool {
    let Some((service, name)) = action.split_once(':') else { return false };
    service.eq_ignore_ascii_case(SERVICE)
        && ACTIONS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// What to ask for in place of an action that DynamoDB does not have.
pub fn similar_action(action: &str) -> Option<&'static str> {
    suggestion(action.split_once(':').map_or(action, |(_, name)| name))
}

/// Whether a name with wildcards stands for any action.
pub(crate) fn stands_for_any(name: &str) -> bool {
    // The pattern has been read before, and no question is asked, as it has no variables.
    let Ok(template) = Template::parse(name, Wildcards::Active, Variables::Literal) else {
        return false;
    };
    ACTIONS.iter().any(|known| template.matches_plain(known, Case::Insensitive))
}

/// What to write in place of a name that is no action.
pub(crate) fn suggestion(name: &str) -> Option<&'static str> {
    let operation = OPERATIONS.iter().find(|(operation, _)| operation.eq_ignore_ascii_case(name));
    let similar = || similarity::closest(name, ACTIONS.iter().copied());
    operation.map(|(_, actions)| *actions).or_else(similar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_actions_stand_in_the_order_of_the_alphabet() {
        assert!(ACTIONS.is_sorted());
    }

    #[test]
    fn an_operation_that_is_no_action_leads_to_those_that_are_asked_for() {
        assert_eq!(suggestion("TransactGetItems"), Some("GetItem"));
        assert_eq!(suggestion("GetItems"), Some("GetItem"));
        assert_eq!(suggestion("Sing"), None);
    }

    #[test]
    fn names_of_actions_have_no_case() {
        assert!(is_known_action("DynamoDB:getitem"));
        assert!(!is_known_action("s3:GetItem"));
        assert!(stands_for_any("*item"));
        assert!(!stands_for_any("Sing*"));
    }
}

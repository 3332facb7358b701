//! AWS's own policies that are known by name, with what of them has a meaning here.
//!
//! Facts: AWS Managed Policy Reference Guide, pages `AdministratorAccess`,
//! `AmazonDynamoDBFullAccess` and `AmazonDynamoDBReadOnlyAccess` (version 15).

/// The names that [`Policy::managed`](crate::Policy::managed) knows.
pub const MANAGED_POLICIES: &[&str] =
    &["AdministratorAccess", "AmazonDynamoDBFullAccess", "AmazonDynamoDBReadOnlyAccess"];

const ADMINISTRATOR_ACCESS: &str = r#"{
    "Version": "2012-10-17",
    "Statement": { "Effect": "Allow", "Action": "*", "Resource": "*" }
}"#;

const FULL_ACCESS: &str = r#"{
    "Version": "2012-10-17",
    "Statement": { "Effect": "Allow", "Action": "dynamodb:*", "Resource": "*" }
}"#;

const READ_ONLY_ACCESS: &str = r#"{
    "Version": "2012-10-17",
    "Statement": {
        "Sid": "GeneralReadOnlyAccess",
        "Effect": "Allow",
        "Action": [
            "dynamodb:BatchGetItem",
            "dynamodb:Describe*",
            "dynamodb:List*",
            "dynamodb:GetAbacStatus",
            "dynamodb:GetItem",
            "dynamodb:GetResourcePolicy",
            "dynamodb:Query",
            "dynamodb:Scan",
            "dynamodb:PartiQLSelect"
        ],
        "Resource": "*"
    }
}"#;

/// Returns a document by the name of the policy.
pub(crate) fn document(name: &str) -> Option<&'static str> {
    match name {
        "AdministratorAccess" => Some(ADMINISTRATOR_ACCESS),
        "AmazonDynamoDBFullAccess" => Some(FULL_ACCESS),
        "AmazonDynamoDBReadOnlyAccess" => Some(READ_ONLY_ACCESS),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Policy;

    #[test]
    fn every_name_has_a_policy_without_findings() {
        for name in MANAGED_POLICIES {
            let policy = Policy::managed(name).unwrap();
            assert_eq!(policy.name(), *name);
            assert_eq!(policy.findings(), []);
        }
        assert!(Policy::managed("ReadOnlyAccess").is_none());
    }
}

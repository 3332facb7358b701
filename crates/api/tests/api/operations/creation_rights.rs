//! Whoever creates a table with tags or with a policy may give those to tables.

use serde_json::{Value, json};

use super::authorization::{ACCOUNT, allowed, answer, assert_denied, policy_of_account};
use crate::harness::Harness;

/// A request that creates a table, with another member.
fn creation(member: &str, value: Value) -> Value {
    let mut request = json!({
        "TableName": "other",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    request[member] = value;
    request
}

/// Whoever may only create a table may not do this, and whoever may do the other action too may.
async fn check_needs(action: &str, request: &Value) {
    let harness = Harness::new().await;
    let creator = allowed(&["CreateTable", "DescribeTable"], &json!({}));
    let refused = answer(&harness, &creator, "CreateTable", request).await;
    assert_denied(&refused, action);
    let described = json!({"TableName": "other"});
    let missing = answer(&harness, &creator, "DescribeTable", &described).await;
    assert_eq!(missing.unwrap_err(), "ResourceNotFoundException");
    let other = allowed(&[action], &json!({}));
    assert_denied(&answer(&harness, &other, "CreateTable", request).await, "CreateTable");
    let both = allowed(&["CreateTable", action], &json!({}));
    answer(&harness, &both, "CreateTable", request).await.unwrap();
}

/// The service model: "You need to specify the CreateTable and PutResourcePolicy IAM actions for
/// authorizing a user to create a table with a resource-based policy".
#[tokio::test]
async fn a_table_with_a_policy_takes_the_right_to_put_policies() {
    check_needs("PutResourcePolicy", &creation("ResourcePolicy", json!(policy_of_account()))).await;
}

/// AWS asks for the right to tag even if the list is empty
/// (<https://github.com/hashicorp/terraform-provider-aws/issues/10943>).
#[tokio::test]
async fn a_table_with_tags_takes_the_right_to_tag() {
    for tags in [json!([{"Key": "team", "Value": "sales"}]), json!([])] {
        check_needs("TagResource", &creation("Tags", tags)).await;
    }
}

#[tokio::test]
async fn the_tags_of_a_table_are_asked_about_with_both_rights() {
    let harness = Harness::new().await;
    let sales = json!({"StringEquals": {"aws:RequestTag/team": "sales"}});
    let caller = allowed(&["CreateTable", "TagResource"], &sales);
    let tagged = |team: &str| creation("Tags", json!([{"Key": "team", "Value": team}]));
    let refused = answer(&harness, &caller, "CreateTable", &tagged("support")).await;
    assert_denied(&refused, "another team");
    let made = answer(&harness, &caller, "CreateTable", &tagged("sales")).await.unwrap();
    let arn = made["TableDescription"]["TableArn"].as_str().unwrap();
    assert!(arn.contains(ACCOUNT), "{arn}");
}

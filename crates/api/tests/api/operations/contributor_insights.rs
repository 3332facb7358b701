//! Contributor insights: the switch, its description and the list. Measured in October 2026.

use crate::harness::Harness;
use serde_json::{Value, json};

const MODE: &str = "ACCESSED_AND_THROTTLED_KEYS";

async fn with_shop() -> Harness {
    let harness = Harness::new().await;
    let attribute = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let shop = json!({
        "TableName": "shop",
        "AttributeDefinitions": [attribute("pk"), attribute("sk"), attribute("state")],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "GlobalSecondaryIndexes": [{
            "IndexName": "by_state",
            "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", shop).await;
    harness
}

async fn update(harness: &Harness, mut change: Value) -> Value {
    change["TableName"] = json!("shop");
    harness.call("UpdateContributorInsights", change).await
}

async fn describe(harness: &Harness, index: Option<&str>) -> Value {
    let mut request = json!({"TableName": "shop"});
    if let Some(index) = index {
        request["IndexName"] = json!(index);
    }
    harness.call("DescribeContributorInsights", request).await
}

#[tokio::test]
async fn keys_are_watched_by_rules_until_they_are_not() {
    let harness = with_shop().await;
    let never = json!({"TableName": "shop", "ContributorInsightsStatus": "DISABLED"});
    assert_eq!(describe(&harness, None).await, never);
    let enabled = update(&harness, json!({"ContributorInsightsAction": "ENABLE"})).await;
    assert_eq!(enabled["ContributorInsightsStatus"], "ENABLING");
    let rule = |kind: &str| format!("DynamoDBContributorInsights-{kind}-shop-1794744000250");
    let rules = ["PKC", "SKC", "PKT", "SKT"].map(rule);
    assert_eq!(
        describe(&harness, None).await,
        json!({
            "TableName": "shop",
            "ContributorInsightsRuleList": rules,
            "ContributorInsightsStatus": "ENABLED",
            "LastUpdateDateTime": 1794744000.25,
            "ContributorInsightsMode": MODE,
        })
    );
    let again = update(&harness, json!({"ContributorInsightsAction": "ENABLE"})).await;
    assert_eq!(again["ContributorInsightsStatus"], "ENABLED");
    update(&harness, json!({"ContributorInsightsAction": "DISABLE"})).await;
    let disabled = describe(&harness, None).await;
    assert_eq!(disabled["ContributorInsightsStatus"], "DISABLED");
    assert_eq!(disabled["ContributorInsightsMode"], MODE);
    assert_eq!(disabled.get("ContributorInsightsRuleList"), None);
}

#[tokio::test]
async fn indexes_are_watched_by_themselves_and_in_a_mode() {
    let harness = with_shop().await;
    let throttled = json!({
        "IndexName": "by_state",
        "ContributorInsightsAction": "ENABLE",
        "ContributorInsightsMode": "THROTTLED_KEYS",
    });
    update(&harness, throttled).await;
    let rule = "DynamoDBContributorInsights-PKT-shop-by_state-1794744000250";
    let described = describe(&harness, Some("by_state")).await;
    assert_eq!(described["ContributorInsightsRuleList"], json!([rule]));
    assert_eq!(describe(&harness, None).await["ContributorInsightsStatus"], "DISABLED");
    let ghost = json!({"TableName": "shop", "IndexName": "ghost"});
    assert_eq!(
        harness.error("DescribeContributorInsights", ghost).await.1,
        "Requested resource not found: Index: ghost not found for table: shop"
    );
}

#[tokio::test]
async fn the_list_has_what_is_watched_in_pages() {
    let harness = with_shop().await;
    let list = async |request: Value| harness.call("ListContributorInsights", request).await;
    assert_eq!(list(json!({})).await, json!({"ContributorInsightsSummaries": []}));
    update(&harness, json!({"ContributorInsightsAction": "ENABLE"})).await;
    let index = json!({"IndexName": "by_state", "ContributorInsightsAction": "ENABLE"});
    update(&harness, index).await;
    let table = json!({
        "TableName": "shop",
        "ContributorInsightsStatus": "ENABLED",
        "ContributorInsightsMode": MODE,
    });
    let mut index = table.clone();
    index["IndexName"] = json!("by_state");
    for request in [json!({}), json!({"TableName": "shop"})] {
        let all = list(request.clone()).await;
        assert_eq!(all, json!({"ContributorInsightsSummaries": [table, index]}));
        let mut request = request;
        request["MaxResults"] = json!(1);
        let first = list(request.clone()).await;
        assert_eq!(first["ContributorInsightsSummaries"], json!([table]));
        request["NextToken"] = first["NextToken"].clone();
        let second = list(request).await;
        assert_eq!(second, json!({"ContributorInsightsSummaries": [index]}));
    }
}

#[tokio::test]
async fn members_are_checked_each_by_itself() {
    let harness = with_shop().await;
    let request = json!({"TableName": "shop", "ContributorInsightsMode": "ALL"});
    assert_eq!(
        harness.error("UpdateContributorInsights", request).await.1,
        "2 validation errors detected: Value null at 'contributorInsightsAction' failed to satisfy \
         constraint: Member must not be null; Value 'ALL' at 'contributorInsightsMode' failed to \
         satisfy constraint: Member must satisfy enum value set: [ACCESSED_AND_THROTTLED_KEYS, \
         THROTTLED_KEYS]"
    );
}

//! Contributor insights: the switch, its description and the list. Measured in October 2026.

use std::sync::Arc;

use crate::harness::Harness;
use monotable_observe::{KeyReport, Observer};
use serde_json::{Value, json};

const MODE: &str = "ACCESSED_AND_THROTTLED_KEYS";

async fn with_shop() -> Harness {
    shop_seen_by(Arc::default()).await
}

async fn shop_seen_by(observer: Arc<Observer>) -> Harness {
    let harness = Harness::observed_by(observer).await;
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

/// The keys that are asked for most, with their counts.
fn hot(keys: &[monotable_observe::HotKey]) -> Vec<(&str, u64)> {
    keys.iter().map(|key| (key.key.as_deref().unwrap_or_default(), key.count)).collect()
}

/// What is seen of the parts of the only table.
fn seen(observer: &Observer) -> Vec<KeyReport> {
    observer.report(0).tables.into_iter().flat_map(|table| table.keys).collect()
}

async fn get(harness: &Harness, partition: &str, sort: &str) {
    let key = json!({"pk": {"S": partition}, "sk": {"S": sort}});
    harness.call("GetItem", json!({"TableName": "shop", "Key": key})).await;
}

#[tokio::test]
async fn partition_keys_and_items_are_counted_by_themselves() {
    let observer = Arc::new(Observer::default());
    let harness = shop_seen_by(observer.clone()).await;
    update(&harness, json!({"ContributorInsightsAction": "ENABLE"})).await;
    for (partition, sort) in [("a", "1"), ("a", "1"), ("a", "2"), ("b", "1")] {
        get(&harness, partition, sort).await;
    }
    let query = json!({
        "TableName": "shop", "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": "b"}},
    });
    harness.call("Query", query).await;
    let seen = seen(&observer);
    assert_eq!(hot(&seen[0].accessed), [("a", 3), ("b", 2)]);
    let mut items = hot(&seen[0].accessed_items);
    items.sort_unstable();
    assert_eq!(items, [("a, 1", 2), ("a, 2", 1), ("b, 1", 1)]);
}

#[tokio::test]
async fn keys_of_calls_that_are_let_in_are_not_counted_where_only_throttled_ones_are_wanted() {
    let observer = Arc::new(Observer::default());
    let harness = shop_seen_by(observer.clone()).await;
    let mode = |mode: &str| {
        let action = "ENABLE";
        json!({"ContributorInsightsAction": action, "ContributorInsightsMode": mode})
    };
    update(&harness, mode("THROTTLED_KEYS")).await;
    get(&harness, "a", "1").await;
    assert_eq!(seen(&observer), []);
    update(&harness, mode(MODE)).await;
    get(&harness, "a", "1").await;
    assert_eq!(hot(&seen(&observer)[0].accessed), [("a", 1)]);
}

#[tokio::test]
async fn keys_are_forgotten_with_the_insights_and_with_the_index() {
    let observer = Arc::new(Observer::default());
    let harness = shop_seen_by(observer.clone()).await;
    let switch = |index: Option<&str>, action: &str| {
        let mut change = json!({"ContributorInsightsAction": action});
        index.iter().for_each(|index| change["IndexName"] = json!(index));
        change
    };
    let ask_both = async || {
        get(&harness, "a", "1").await;
        let query = json!({
            "TableName": "shop", "IndexName": "by_state", "KeyConditionExpression": "#s = :s",
            "ExpressionAttributeNames": {"#s": "state"},
            "ExpressionAttributeValues": {":s": {"S": "OPEN"}},
        });
        harness.call("Query", query).await;
    };
    let parts = || seen(&observer).into_iter().map(|part| part.index).collect::<Vec<_>>();
    let index = || Some("by_state".to_owned());
    update(&harness, switch(None, "ENABLE")).await;
    update(&harness, switch(Some("by_state"), "ENABLE")).await;
    ask_both().await;
    assert_eq!(parts(), [None, index()]);
    update(&harness, switch(None, "DISABLE")).await;
    assert_eq!(parts(), [index()]);
    update(&harness, switch(None, "ENABLE")).await;
    ask_both().await;
    let removal = json!([{"Delete": {"IndexName": "by_state"}}]);
    let removal = json!({"TableName": "shop", "GlobalSecondaryIndexUpdates": removal});
    harness.call("UpdateTable", removal).await;
    assert_eq!(parts(), [None]);
}

#[tokio::test]
async fn keys_are_forgotten_with_their_table() {
    let observer = Arc::new(Observer::default());
    let harness = shop_seen_by(observer.clone()).await;
    update(&harness, json!({"ContributorInsightsAction": "ENABLE"})).await;
    get(&harness, "a", "1").await;
    assert_eq!(seen(&observer).len(), 1);
    harness.call("DeleteTable", json!({"TableName": "shop"})).await;
    assert_eq!(seen(&observer), []);
}

//! What the control plane is told of a table is there when the database is opened again.

use std::time::Duration;

use monotable_database::DatabaseOptions;
use serde_json::{Value, json};

use super::world::World;

const ARN: &str = "arn:aws:dynamodb:us-east-1:000000000000:table/shop";

/// All that is known of `shop` besides its items.
async fn known(world: &World) -> Value {
    let table = json!({"TableName": "shop"});
    let arn = json!({"ResourceArn": ARN});
    json!([
        world.call("DescribeTable", table.clone()).await,
        world.call("ListTagsOfResource", arn.clone()).await,
        world.call("GetResourcePolicy", arn).await,
        world.call("DescribeContributorInsights", table).await,
    ])
}

#[tokio::test]
async fn settings_of_a_table_survive_a_restart() {
    let mut world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    for change in [
        json!({"SSESpecification": {"Enabled": true, "SSEType": "KMS", "KMSMasterKeyId": "k1"}}),
        json!({"WarmThroughput": {"ReadUnitsPerSecond": 13_000}}),
        json!({"TableClass": "STANDARD_INFREQUENT_ACCESS"}),
    ] {
        let mut change = change;
        change["TableName"] = json!("shop");
        world.call("UpdateTable", change).await;
    }
    let tags = json!([{"Key": "team", "Value": "sales"}]);
    world.call("TagResource", json!({"ResourceArn": ARN, "Tags": tags})).await;
    let statement = json!({
        "Effect": "Deny", "Principal": "*", "Action": "dynamodb:Scan", "Resource": "*",
    });
    let policy = json!({"Version": "2012-10-17", "Statement": [statement]}).to_string();
    world.call("PutResourcePolicy", json!({"ResourceArn": ARN, "Policy": policy})).await;
    let watch = json!({"TableName": "shop", "ContributorInsightsAction": "ENABLE"});
    world.call("UpdateContributorInsights", watch).await;
    let before = known(&world).await;
    assert_eq!(before[0]["Table"]["SSEDescription"]["Status"], "ENABLED");
    assert_eq!(before[0]["Table"]["WarmThroughput"]["ReadUnitsPerSecond"], 13_000);
    world.restart().await;
    assert_eq!(known(&world).await, before);
}

#[tokio::test]
async fn a_status_survives_a_restart_and_ends_in_its_time() {
    let control_plane_delay = Duration::from_secs(60);
    let options = DatabaseOptions { control_plane_delay, ..DatabaseOptions::default() };
    let mut world = World::with(options).await;
    world.create_table("KEYS_ONLY").await;
    let status = async |world: &World| {
        let described = world.call("DescribeTable", json!({"TableName": "shop"})).await;
        described["Table"]["TableStatus"].clone()
    };
    world.restart().await;
    assert_eq!(status(&world).await, "CREATING");
    world.advance(control_plane_delay).await;
    assert_eq!(status(&world).await, "ACTIVE");
}

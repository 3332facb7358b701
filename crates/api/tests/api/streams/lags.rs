//! How far the work in the background is behind.

use std::time::Duration;

use monotable_database::DatabaseOptions;
use serde_json::json;

use super::world::{HOUR, MINUTE, World};

/// A database that looks for expired items so seldom that the tests see them.
async fn slow_sweeper() -> World {
    World::with(DatabaseOptions { ttl_interval: 100 * HOUR, ..DatabaseOptions::default() }).await
}

#[tokio::test]
async fn items_that_are_due_and_not_removed_are_counted_with_the_age_of_the_oldest() {
    let world = slow_sweeper().await;
    world.create_table("KEYS_ONLY").await;
    world.enable_time_to_live().await;
    let none = world.lags().await.expiry;
    assert_eq!((none[0].table.as_str(), none[0].due_items, none[0].oldest_secs), ("shop", 0, 0));
    let now_secs = world.now_secs();
    for (sort, ttl) in [(1, now_secs + 60), (2, now_secs + 120), (3, now_secs + 9_000)] {
        let ttl = json!({ "N": ttl.to_string() });
        world.put(json!({"pk": {"S": "a"}, "sk": {"N": sort.to_string()}, "ttl": ttl})).await;
    }
    world.advance(5 * MINUTE).await;
    let lag = &world.lags().await.expiry[0];
    assert_eq!((lag.due_items, lag.oldest_secs), (2, 240));
}

#[tokio::test]
async fn a_sweep_leaves_nothing_behind() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    world.enable_time_to_live().await;
    let ttl = (world.now_secs() + 60).to_string();
    world.put(json!({"pk": {"S": "a"}, "sk": {"N": "1"}, "ttl": {"N": ttl}})).await;
    world.advance(5 * MINUTE).await;
    world.advance(Duration::from_secs(2)).await;
    assert_eq!(world.lags().await.expiry[0].due_items, 0);
}

#[tokio::test]
async fn a_stream_tells_the_age_of_its_oldest_record() {
    let world = World::new().await;
    world.create_table("KEYS_ONLY").await;
    let lag = &world.lags().await.streams[0];
    assert_eq!((lag.table.as_str(), lag.oldest_record_millis), ("shop", None));
    assert!(lag.shards > 0);
    world.put(json!({"pk": {"S": "a"}, "sk": {"N": "1"}})).await;
    world.advance(MINUTE).await;
    world.put(json!({"pk": {"S": "b"}, "sk": {"N": "1"}})).await;
    world.advance(MINUTE).await;
    assert_eq!(world.lags().await.streams[0].oldest_record_millis, Some(120_000));
}

//! Capacity that is enforced on on-demand tables.
//!
//! AWS's developer guide: a new table takes 4,000 write and 12,000 read units a second, and twice
//! its previous peak after that; a ceiling of one's own is kept to.

use serde_json::{Value, json};

use super::world::{ON_DEMAND, World};

/// A put that takes this many units.
fn put_of(table: &str, key: &str, units: usize) -> Value {
    let bytes = units * 1024 - 64;
    json!({"TableName": table, "Item": {"pk": {"S": key}, "v": {"S": "x".repeat(bytes)}}})
}

/// Puts 400 units at a time, to many partitions; gives how many units were let in.
async fn units_let_in(world: &World) -> usize {
    let mut units = 0;
    for number in 0..200 {
        let request = put_of(ON_DEMAND, &format!("key-{number}"), 400);
        match world.call("PutItem", request).await {
            Ok(_) => units += 400,
            Err(error) => {
                let body: Value = serde_json::from_slice(&error.into_body()).unwrap();
                let reason = body["throttlingReasons"][0]["reason"].as_str().unwrap();
                assert_eq!(reason, "TableWriteKeyRangeThroughputExceeded");
            }
        }
    }
    units
}

#[tokio::test]
async fn a_new_table_takes_its_first_units() {
    let world = World::with_capacity().await;
    let units = units_let_in(&world).await;
    assert!((3600..=4800).contains(&units), "{units}");
    world.advance(1.0);
    assert!(units_let_in(&world).await > 0);
}

#[tokio::test]
async fn a_ceiling_is_kept_to() {
    let world = World::with_capacity().await;
    let table = json!({"BillingMode": "PAY_PER_REQUEST",
        "OnDemandThroughput": {"MaxReadRequestUnits": 2, "MaxWriteRequestUnits": 3}});
    world.create("ceiling", table, json!({})).await;
    for key in ["a", "b", "c"] {
        world.put("ceiling", key).await.unwrap();
    }
    let error = world.error("PutItem", put_of("ceiling", "d", 1)).await;
    assert_eq!(error["__type"], "ThrottlingException");
    let reason = &error["throttlingReasons"][0]["reason"];
    assert_eq!(reason, "TableWriteMaxOnDemandThroughputExceeded");
    world.advance(1.0);
    assert!(world.put("ceiling", "d").await.is_ok());
}

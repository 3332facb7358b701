//! Calls that take longer, by the clock of the database.

use std::time::Duration;

use super::world::{ON_DEMAND, World};

#[tokio::test]
async fn a_delayed_call_is_answered_when_the_clock_has_passed() {
    let world = World::new().await;
    world.fault(&["delay time=2s"]);
    let delayed = world.clone();
    let call = tokio::spawn(async move { delayed.put(ON_DEMAND, "a").await });
    world.until_waiting().await;
    world.clock.advance(Duration::from_millis(1999));
    tokio::task::yield_now().await;
    assert!(!call.is_finished());
    world.clock.advance(Duration::from_millis(1));
    assert!(call.await.unwrap().is_ok());
}

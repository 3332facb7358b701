//! Time to live through the SDK.

use aws_sdk_dynamodb::types::{TimeToLiveSpecification, TimeToLiveStatus};
use monotable_conformance::clock;

use crate::fixture::{Fixture, key, number};

async fn enable(fixture: &Fixture) {
    let specification =
        TimeToLiveSpecification::builder().enabled(true).attribute_name("expires").build().unwrap();
    let update = fixture.client.update_time_to_live().table_name("items");
    update.time_to_live_specification(specification).send().await.unwrap();
}

async fn status(fixture: &Fixture) -> TimeToLiveStatus {
    let described = fixture.client.describe_time_to_live().table_name("items").send().await;
    described.unwrap().time_to_live_description.unwrap().time_to_live_status.unwrap()
}

#[tokio::test]
async fn time_to_live_is_off_until_it_is_turned_on() {
    let fixture = Fixture::with_table().await;
    assert_eq!(status(&fixture).await, TimeToLiveStatus::Disabled);
    enable(&fixture).await;
    assert!(matches!(
        status(&fixture).await,
        TimeToLiveStatus::Enabling | TimeToLiveStatus::Enabled
    ));
}

#[tokio::test]
async fn a_week_passes_in_a_moment_on_a_clock_that_is_moved() {
    let fixture = Fixture::with_manual_clock().await;
    enable(&fixture).await;
    let now = clock::ServerClock::of(fixture.endpoint()).unwrap().epoch_secs().unwrap();
    for (sk, days) in [(0, 6), (1, 8)] {
        let put = fixture.client.put_item().table_name("items").set_item(Some(key("a", sk)));
        put.item("expires", number(now + days * 86_400)).send().await.unwrap();
    }
    clock::advance(fixture.endpoint(), 7 * 86_400).unwrap();
    let left = fixture.client.scan().table_name("items").send().await.unwrap().items.unwrap();
    assert_eq!(crate::fixture::sort_keys(&left), [1]);
}

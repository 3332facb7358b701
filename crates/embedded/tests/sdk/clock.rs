//! Time passes when it is told to.

use std::time::Duration;

use aws_sdk_dynamodb::types::TimeToLiveSpecification;
use monotable_embedded::{ClockError, Embedded};

use crate::fixture::{NEW_YEAR_SECS, create_items, get, key, new_year, number};

const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

#[tokio::test]
async fn an_item_expires_when_the_clock_is_moved_past_its_time() {
    let embedded = Embedded::builder().clock_at(new_year()).in_memory();
    let client = embedded.sdk_client();
    create_items(&client).await;
    let expiry = TimeToLiveSpecification::builder().enabled(true).attribute_name("expires");
    let expiry = expiry.build().unwrap();
    let update = client.update_time_to_live().table_name("items");
    update.time_to_live_specification(expiry).send().await.unwrap();
    let expires = NEW_YEAR_SECS + WEEK.as_secs();
    let put = client.put_item().table_name("items").set_item(Some(key("a", 1)));
    put.item("expires", number(expires)).send().await.unwrap();

    embedded.clock().advance(WEEK - Duration::from_secs(1)).await.unwrap();
    assert!(get(&client, "a", 1).await.is_some());
    embedded.clock().set(new_year() + WEEK + Duration::from_secs(1)).await.unwrap();
    assert_eq!(get(&client, "a", 1).await, None);
}

#[tokio::test]
async fn a_clock_does_not_go_back() {
    let embedded = Embedded::builder().clock_at(new_year()).in_memory();
    let refused = embedded.clock().set(new_year() - WEEK).await.unwrap_err();
    let ClockError::MovedBack { now, wanted } = refused else { panic!("{refused:?}") };
    assert_eq!((now, wanted), (new_year(), new_year() - WEEK));
    assert_eq!(embedded.clock().now(), new_year());
}

#[tokio::test]
async fn the_clock_of_the_machine_is_not_moved() {
    let embedded = Embedded::in_memory();
    let refused = embedded.clock().advance(WEEK).await.unwrap_err();
    assert!(matches!(refused, ClockError::NotManual));
    assert!(embedded.clock().now() > new_year());
}

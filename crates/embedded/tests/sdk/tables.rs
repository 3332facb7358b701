//! Tables are made, waited for and removed.

use std::time::Duration;

use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::types::TableStatus;
use monotable_embedded::Embedded;

use crate::fixture::{create_items, new_year, with_table};

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_waiter_sees_a_table_come_and_go() {
    let (_, client) = with_table().await;
    client.wait_until_table_exists().table_name("items").wait(LONG).await.unwrap();
    client.delete_table().table_name("items").send().await.unwrap();
    client.wait_until_table_not_exists().table_name("items").wait(LONG).await.unwrap();
}

#[tokio::test]
async fn a_table_is_under_way_for_as_long_as_the_builder_says() {
    let builder = Embedded::builder().clock_at(new_year());
    let embedded = builder.control_plane_delay(Duration::from_secs(5)).in_memory();
    let client = embedded.sdk_client();
    create_items(&client).await;
    let status = async || {
        let described = client.describe_table().table_name("items").send().await.unwrap();
        described.table.unwrap().table_status.unwrap()
    };
    assert_eq!(status().await, TableStatus::Creating);
    embedded.clock().advance(Duration::from_secs(5)).await.unwrap();
    assert_eq!(status().await, TableStatus::Active);
}

#[tokio::test]
async fn names_of_resources_have_the_region_of_the_builder() {
    let client = Embedded::builder().region("eu-central-1").in_memory().sdk_client();
    create_items(&client).await;
    let described = client.describe_table().table_name("items").send().await.unwrap();
    let arn = described.table.unwrap().table_arn.unwrap();
    assert_eq!(arn, "arn:aws:dynamodb:eu-central-1:000000000000:table/items");
}

#[tokio::test]
async fn an_endpoint_is_named_as_it_was_called() {
    let client = Embedded::in_memory().sdk_client();
    let described = client.describe_endpoints().send().await.unwrap();
    let addresses: Vec<&str> = described.endpoints().iter().map(|it| it.address()).collect();
    assert_eq!(addresses, ["monotable.embedded"]);
}

//! How the SDK takes calls that fail on purpose, and what the guide shows of it. Faults are set at
//! one server, so its calls go there.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::{PutRequest, WriteRequest};
use monotable_conformance::faults;

use crate::fixture::{Fixture, Item, key};

/// A client that tries as often as it is told.
fn patient(fixture: &Fixture, attempts: u32) -> Client {
    let retries = RetryConfig::standard().with_max_attempts(attempts);
    let config = fixture.client.config().to_builder().retry_config(retries);
    Client::from_conf(config.build())
}

#[tokio::test]
async fn a_throttled_put_succeeds_in_the_end() {
    let fixture = Fixture::at_one_server().await;
    let client = patient(&fixture, 4);
    faults::set(fixture.endpoint(), &["throttle table=items operation=PutItem first=2"]).unwrap();

    let put = client.put_item().table_name("items").set_item(Some(key("order", 1)));
    put.send().await.unwrap();

    assert_eq!(faults::hits(fixture.endpoint()).unwrap(), [2]);
}

/// Writes items, and sends what was not processed again.
async fn write_all(client: &Client, items: impl Iterator<Item = Item>) {
    let put = |item| PutRequest::builder().set_item(Some(item)).build().unwrap();
    let requests = items.map(|item| WriteRequest::builder().put_request(put(item)).build());
    let mut left = HashMap::from([("items".to_owned(), requests.collect::<Vec<_>>())]);
    while !left.is_empty() {
        let answer = client.batch_write_item().set_request_items(Some(left)).send().await;
        left = answer.unwrap().unprocessed_items.unwrap_or_default();
    }
}

#[tokio::test]
async fn what_is_left_of_a_batch_is_sent_again() {
    let fixture = Fixture::at_one_server().await;
    faults::set(fixture.endpoint(), &["unprocessed share=0.5 table=items first=2"]).unwrap();

    write_all(&fixture.client, (0..20).map(|sk| key("order", sk))).await;

    let scan = fixture.client.scan().table_name("items").consistent_read(true).send().await;
    assert_eq!(scan.unwrap().count, 20);
}

#[tokio::test]
async fn a_throttle_names_its_reason() {
    let fixture = Fixture::at_one_server().await;
    faults::set(fixture.endpoint(), &["throttle limit=provisioned"]).unwrap();
    let put = fixture.client.put_item().table_name("items").set_item(Some(key("a", 1)));
    let error = put.send().await.unwrap_err().into_service_error();
    assert!(error.is_provisioned_throughput_exceeded_exception(), "{:?}", error.code());
}

#[tokio::test]
async fn a_dropped_connection_is_tried_again() {
    let fixture = Fixture::at_one_server().await;
    faults::set(fixture.endpoint(), &["drop operation=PutItem first=1"]).unwrap();
    let put = patient(&fixture, 3).put_item().table_name("items").set_item(Some(key("a", 1)));
    put.send().await.unwrap();
    assert_eq!(faults::hits(fixture.endpoint()).unwrap(), [1]);
}

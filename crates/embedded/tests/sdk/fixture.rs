//! A database with a table, and short forms of what the SDK spells out.

use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType,
    ScalarAttributeType,
};
use monotable_embedded::Embedded;

/// An item as the SDK knows it.
pub(crate) type Item = HashMap<String, AttributeValue>;

/// The first of January 2026, in seconds since 1970.
pub(crate) const NEW_YEAR_SECS: u64 = 1_767_225_600;

pub(crate) fn new_year() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(NEW_YEAR_SECS)
}

/// A database in memory with the table `items`, and a client of it.
pub(crate) async fn with_table() -> (Embedded, Client) {
    let embedded = Embedded::in_memory();
    let client = embedded.sdk_client();
    create_items(&client).await;
    (embedded, client)
}

/// A client that sends a request up to three times, without waiting for long in between.
pub(crate) fn retrying_client(embedded: &Embedded) -> Client {
    let retries = RetryConfig::standard().with_initial_backoff(Duration::from_millis(1));
    Client::from_conf(embedded.sdk_config().retry_config(retries).build())
}

/// Makes the table `items`: string partition key `pk`, number sort key `sk`.
pub(crate) async fn create_items(client: &Client) {
    let definition = |name: &str, kind| {
        AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build().unwrap()
    };
    let element = |name: &str, kind| {
        KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap()
    };
    let request = client.create_table().table_name("items");
    let request = request.billing_mode(BillingMode::PayPerRequest);
    request
        .attribute_definitions(definition("pk", ScalarAttributeType::S))
        .attribute_definitions(definition("sk", ScalarAttributeType::N))
        .key_schema(element("pk", KeyType::Hash))
        .key_schema(element("sk", KeyType::Range))
        .send()
        .await
        .unwrap();
}

pub(crate) fn string(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

pub(crate) fn number(number: impl ToString + Copy) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub(crate) fn key(pk: &str, sk: u32) -> Item {
    HashMap::from([("pk".to_owned(), string(pk)), ("sk".to_owned(), number(sk))])
}

/// Writes the item with a key and no other attributes.
pub(crate) async fn put(client: &Client, pk: &str, sk: u32) {
    client.put_item().table_name("items").set_item(Some(key(pk, sk))).send().await.unwrap();
}

/// Reads the item with a key.
pub(crate) async fn get(client: &Client, pk: &str, sk: u32) -> Option<Item> {
    let request = client.get_item().table_name("items").set_key(Some(key(pk, sk)));
    request.consistent_read(true).send().await.unwrap().item
}

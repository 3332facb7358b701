//! A server of its own for each test, a client, and short forms of what the SDK spells out.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement,
    KeyType, Projection, ProjectionType, ScalarAttributeType,
};
use monotable_conformance::server::{self, Server, Storage};

/// An item as the SDK knows it.
pub(crate) type Item = HashMap<String, AttributeValue>;

/// A running server and a client of it.
pub(crate) struct Fixture {
    pub(crate) client: Client,
    server: Server,
}

impl Fixture {
    /// Starts a server on disk. Requests are not repeated, so that tests see every answer.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(flags: &[&str]) -> Self {
        let binary = server::binary().unwrap();
        let server = Server::start_with(&binary, Storage::Disk, flags).unwrap();
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .endpoint_url(server.endpoint())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("test", "test", None, None, "test"))
            .retry_config(RetryConfig::disabled())
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .build();
        Self { client: Client::from_conf(config), server }
    }

    /// Starts a server with the table `items`: string partition key `pk`, number sort key `sk`, and
    /// the global index `by-state` on `state` and `sk`.
    pub(crate) async fn with_table() -> Self {
        Self::start().create_items().await
    }

    /// The same on a server whose clock stands still until it is moved.
    pub(crate) async fn with_manual_clock() -> Self {
        Self::start_with(&["--clock", "manual"]).create_items().await
    }

    /// The address of the server.
    pub(crate) fn endpoint(&self) -> &str {
        self.server.endpoint()
    }

    async fn create_items(self) -> Self {
        self.client
            .create_table()
            .table_name("items")
            .billing_mode(BillingMode::PayPerRequest)
            .set_attribute_definitions(Some(definitions(&[
                ("pk", "S"),
                ("sk", "N"),
                ("state", "S"),
            ])))
            .set_key_schema(Some(key_schema(&["pk"], &["sk"])))
            .global_secondary_indexes(index("by-state", &["state"], &["sk"]))
            .send()
            .await
            .unwrap();
        self
    }

    /// Puts items with the keys `(pk, 0)`, `(pk, 1)` and so on.
    pub(crate) async fn fill(&self, pk: &str, count: u32) {
        for sk in 0..count {
            let request = self.client.put_item().table_name("items");
            request.set_item(Some(key(pk, sk))).item("n", number(sk * 10)).send().await.unwrap();
        }
    }
}

pub(crate) fn definitions(types: &[(&str, &str)]) -> Vec<AttributeDefinition> {
    let definition = |(name, kind): &(&str, &str)| {
        let kind = ScalarAttributeType::from(*kind);
        AttributeDefinition::builder().attribute_name(*name).attribute_type(kind).build().unwrap()
    };
    types.iter().map(definition).collect()
}

pub(crate) fn key_schema(partition: &[&str], sort: &[&str]) -> Vec<KeySchemaElement> {
    let element = |name: &&str, kind: KeyType| {
        KeySchemaElement::builder().attribute_name(*name).key_type(kind).build().unwrap()
    };
    let partition = partition.iter().map(|name| element(name, KeyType::Hash));
    partition.chain(sort.iter().map(|name| element(name, KeyType::Range))).collect()
}

pub(crate) fn index(name: &str, partition: &[&str], sort: &[&str]) -> GlobalSecondaryIndex {
    GlobalSecondaryIndex::builder()
        .index_name(name)
        .set_key_schema(Some(key_schema(partition, sort)))
        .projection(Projection::builder().projection_type(ProjectionType::All).build())
        .build()
        .unwrap()
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

/// The sort keys of items, in order.
pub(crate) fn sort_keys(items: &[Item]) -> Vec<u32> {
    items.iter().map(|item| item["sk"].as_n().unwrap().parse().unwrap()).collect()
}

//! Servers of its own for each test, a client, and short forms of what the SDK spells out.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextMut;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{
    BehaviorVersion, Config, ConfigBag, Credentials, Intercept, Region, RuntimeComponents,
};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement,
    KeyType, Projection, ProjectionType, ScalarAttributeType,
};
use monotable_conformance::fleet::{Fleet, Home};
use monotable_conformance::server::{self, Storage};

/// An item as the SDK knows it.
pub(crate) type Item = HashMap<String, AttributeValue>;

/// Running servers and a client of theirs.
pub(crate) struct Fixture {
    pub(crate) client: Client,
    endpoint: String,
    fleet: Fleet,
}

impl Fixture {
    /// Starts servers. Requests are not repeated, so that tests see every answer.
    pub(crate) fn start() -> Self {
        Self::of(start_fleet())
    }

    fn of(fleet: Fleet) -> Self {
        let endpoint = fleet.endpoint().to_owned();
        Self { client: client(&endpoint, Spread::over(&fleet)), endpoint, fleet }
    }

    /// Starts servers with the table `items`: string partition key `pk`, number sort key `sk`, and
    /// the global index `by-state` on `state` and `sk`.
    pub(crate) async fn with_table() -> Self {
        Self::start().create_items().await
    }

    /// The same with a client of one server alone, for what only its own calls meet.
    pub(crate) async fn at_one_server() -> Self {
        let fleet = start_fleet();
        let endpoint = fleet.first().endpoint().to_owned();
        let client = client(&endpoint, Spread::over(&fleet));
        Self { client, endpoint, fleet }.create_items().await
    }

    /// The same on a server whose clock stands still until it is moved. Servers that share a store
    /// have no such clock, so it has one of its own.
    pub(crate) async fn with_manual_clock() -> Self {
        let home = Home::Own(Storage::Disk);
        let fleet = Fleet::start(&server::binary().unwrap(), &home, &["--clock", "manual"]);
        Self::of(fleet.unwrap()).create_items().await
    }

    /// How requests get to all servers.
    pub(crate) fn spread(&self) -> Spread {
        Spread::over(&self.fleet)
    }

    /// The address that the client calls.
    pub(crate) fn endpoint(&self) -> &str {
        &self.endpoint
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

fn start_fleet() -> Fleet {
    let homes = Home::of_suite(&[Storage::Disk]).unwrap();
    Fleet::start(&server::binary().unwrap(), homes.first().unwrap(), &[]).unwrap()
}

fn client(endpoint: &str, spread: Spread) -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(endpoint)
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .retry_config(RetryConfig::disabled())
        .interceptor(spread)
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    Client::from_conf(config)
}

/// Has each request on a connection of its own where there are several servers, so that it gets to
/// another one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spread {
    OneServer,
    Several,
}

impl Spread {
    fn over(fleet: &Fleet) -> Spread {
        if fleet.count() == 1 { Spread::OneServer } else { Spread::Several }
    }
}

impl Intercept for Spread {
    fn name(&self) -> &'static str {
        "Spread"
    }

    fn modify_before_transmit(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        match self {
            Spread::OneServer => {}
            Spread::Several => {
                context.request_mut().headers_mut().insert("connection", "close");
            }
        }
        Ok(())
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

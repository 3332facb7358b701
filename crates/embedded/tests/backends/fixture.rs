//! The backends, and short forms of requests.

use std::sync::Arc;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};
use monotable::backend::{
    Backend, Billing, CapacityDetail, CreateTable, GetItem, IndexDescription, IndexKind,
    IndexProjection, KeySchema, Names, PutItem, ReturnValues, TableName, Values,
};
use monotable_conformance::server::{self, Server, Storage};
use monotable_embedded::Embedded;
use monotable_item::{Item, Type, Value};

/// Runs a test on every backend, each with the table `items`.
pub(crate) async fn on_all(test: impl AsyncFn(&dyn Backend)) {
    for (name, backend) in in_process() {
        println!("on {name}");
        backend.create_table(items_table()).await.unwrap();
        test(&*backend).await;
    }
    let server = Server::start(&server::binary().unwrap(), Storage::Memory).unwrap();
    println!("on the SDK and a server");
    let backend = client_of(&server);
    Backend::create_table(&backend, items_table()).await.unwrap();
    test(&backend).await;
}

fn in_process() -> [(&'static str, Arc<dyn Backend>); 2] {
    [
        ("the database", Arc::new(Embedded::in_memory())),
        ("the SDK and the database", Arc::new(Embedded::in_memory().sdk_client())),
    ]
}

fn client_of(server: &Server) -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(server.endpoint())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .http_client(aws_smithy_http_client::Builder::new().build_http());
    Client::from_conf(config.build())
}

/// The table `items`: string partition key `pk`, number sort key `sk`, the global index `by-state`
/// on `state` with the keys alone, and the local index `by-rank` on `rank`.
pub(crate) fn items_table() -> CreateTable {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let key = |partition: &str, sort: &[&str]| KeySchema {
        partition: names(&[partition]),
        sort: names(sort),
    };
    let attribute = |name: &str, kind| (name.to_owned(), kind);
    CreateTable {
        table: table(),
        attributes: vec![
            attribute("pk", Type::String),
            attribute("sk", Type::Number),
            attribute("state", Type::String),
            attribute("rank", Type::Number),
        ],
        key: key("pk", &["sk"]),
        indexes: vec![
            IndexDescription {
                name: "by-state".to_owned(),
                kind: IndexKind::Global,
                key: key("state", &[]),
                projection: IndexProjection::KeysOnly,
            },
            IndexDescription {
                name: "by-rank".to_owned(),
                kind: IndexKind::Local,
                key: key("pk", &["rank"]),
                projection: IndexProjection::Include(names(&["note"])),
            },
        ],
        billing: Billing::OnDemand,
        stream: None,
    }
}

pub(crate) fn table() -> TableName {
    "items".into()
}

pub(crate) fn key(pk: &str, sk: i64) -> Item {
    item(&[("pk", pk.into()), ("sk", sk.into())])
}

pub(crate) fn item(attributes: &[(&str, Value)]) -> Item {
    attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// An item with this key and further attributes.
pub(crate) fn keyed(pk: &str, sk: i64, attributes: &[(&str, Value)]) -> Item {
    let mut keyed = key(pk, sk);
    keyed.extend(item(attributes));
    keyed
}

pub(crate) fn values(values: &[(&str, Value)]) -> Values {
    item(values)
}

pub(crate) fn get(pk: &str, sk: i64) -> GetItem {
    GetItem {
        table: table(),
        key: key(pk, sk),
        consistent: true,
        projection: None,
        names: Names::new(),
        capacity: CapacityDetail::None,
    }
}

pub(crate) fn put(item: Item) -> PutItem {
    PutItem {
        table: table(),
        item,
        condition: None,
        names: Names::new(),
        values: Values::new(),
        returns: ReturnValues::None,
        item_on_failure: false,
        capacity: CapacityDetail::None,
    }
}

/// Reads an item that may be there.
pub(crate) async fn found(backend: &dyn Backend, pk: &str, sk: i64) -> Option<Item> {
    backend.get_item(get(pk, sk)).await.unwrap().item
}

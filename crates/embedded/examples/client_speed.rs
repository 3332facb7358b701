//! What the typed client costs: `cargo xtask bench client`.
//!
//! Times of the client and of what it is held against are taken in turn, in many short rounds, and
//! the median counts: whatever else the machine does falls on both alike. CPU is that of the whole
//! process, so the database that answers in process is in both figures.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};
use aws_sdk_dynamodb::types::AttributeValue;
use monotable::prelude::*;
use monotable_conformance::server::{self, Server, Storage};
use monotable_embedded::Embedded;
use rustix::time::{ClockId, clock_gettime};

const ROUNDS: usize = 15;
const TESTS: usize = 200;
const PAGE: u32 = 25;

/// The table.
#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Order))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
pub struct Shop;

/// An order of a customer, also found by its status.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shop)]
#[key(by_customer: pk = "CUST#{customer}", sk = "ORDER#{id:06}")]
#[index(Gsi1 by_status: pk = "STATUS#{status}", sk = "{placed}")]
pub struct Order {
    /// Who ordered.
    pub customer: String,
    /// Its number.
    pub id: u32,
    /// When it was placed.
    pub placed: Timestamp,
    /// How far it is.
    pub status: String,
    /// In cents.
    pub total: u64,
    /// For who delivers it.
    pub note: Option<String>,
    /// Raised by every change.
    #[attr(lock)]
    pub rev: u64,
}

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let embedded = Embedded::in_memory();
    let direct = filled(Shop::open("shop", embedded.clone())).await?;
    let sdk = embedded.sdk_client();
    let typed = Shop::open("shop", sdk.clone());

    let get_cpu =
        compare(1000, async || typed_get(&typed).await, async || bare_get(&sdk).await, cpu);
    ratio("GetItem, CPU of the client on the SDK", "the SDK", get_cpu.await?, "≤ 1.25");
    let query_cpu =
        compare(300, async || typed_query(&typed).await, async || bare_query(&sdk).await, cpu);
    ratio("Query of 25, CPU of the client on the SDK", "the SDK", query_cpu.await?, "≤ 1.25");

    let server = Server::start(&server::binary()?, Storage::Memory)?;
    let remote = client_of(&server);
    filled(Shop::open("shop", remote.clone())).await?;
    let embedded_get =
        compare(1000, async || typed_get(&direct).await, async || bare_get(&remote).await, wall);
    let (ours, theirs) = embedded_get.await?;
    println!("GetItem in process without the SDK: {ours:.2?} (goal ≤ 5 µs)");
    println!("GetItem with the SDK over loopback: {theirs:.2?}");
    let times = theirs.as_secs_f64() / ours.as_secs_f64();
    println!("  in process is {times:.1} × faster (goal ≥ 20 ×)");

    let began = Instant::now();
    for test in 0..TESTS {
        small_test(test).await?;
    }
    println!(
        "{TESTS} small tests, each with its own database: {:.2?} (goal < 2 s)",
        began.elapsed()
    );
    Ok(())
}

/// What a test of an application does: a table, an item, a change, a query.
async fn small_test(number: usize) -> Result<(), Failure> {
    let db = Shop::open("shop", Embedded::in_memory());
    db.create_table().await?;
    let customer = format!("c{number}");
    db.create(&order(&customer, 1)).await?;
    let key = Order::by_customer(&customer).id(1_u32);
    db.patch(key.clone()).total(add(1_u64)).await?;
    assert_eq!(db.get(key).await?.map(|order| order.total), Some(101));
    assert_eq!(db.query(Order::by_customer(&customer)).count().await?, 1);
    Ok(())
}

fn order(customer: &str, id: u32) -> Order {
    Order {
        customer: customer.to_owned(),
        id,
        placed: Timestamp::from_micros(1_767_225_600_000_000).expect("a year of four digits"),
        status: "open".to_owned(),
        total: 100,
        note: Some("leave it with the neighbours".to_owned()),
        rev: 1,
    }
}

async fn filled(db: Db<Shop>) -> Result<Db<Shop>, Failure> {
    db.create_table().await?;
    for id in 0..100 {
        db.upsert(&order("c1", id)).await?;
    }
    Ok(db)
}

async fn typed_get(db: &Db<Shop>) -> Result<(), Failure> {
    let order = db.get(Order::by_customer("c1").id(7_u32)).await?;
    assert_eq!(order.map(|order| order.id), Some(7));
    Ok(())
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

/// What is written without a client of ours: the item's attributes are read one by one.
async fn bare_get(client: &Client) -> Result<(), Failure> {
    let request = client.get_item().table_name("shop");
    let request = request.key("pk", text("CUST#c1")).key("sk", text("ORDER#000007"));
    let item = request.send().await?.item.ok_or("no item")?;
    assert_eq!(read(item).map(|order| order.id), Some(7));
    Ok(())
}

async fn typed_query(db: &Db<Shop>) -> Result<(), Failure> {
    let page = db.query(Order::by_customer("c1")).limit(PAGE).await?;
    assert_eq!(page.rows().len(), PAGE as usize);
    Ok(())
}

async fn bare_query(client: &Client) -> Result<(), Failure> {
    let request = client.query().table_name("shop").limit(PAGE as i32);
    let request = request.key_condition_expression("#p = :p AND begins_with(#s, :s)");
    let request =
        request.expression_attribute_names("#p", "pk").expression_attribute_names("#s", "sk");
    let request = request
        .expression_attribute_values(":p", text("CUST#c1"))
        .expression_attribute_values(":s", text("ORDER#"));
    let page = request.send().await?;
    let orders: Vec<Order> = page.items.unwrap_or_default().into_iter().filter_map(read).collect();
    assert_eq!(orders.len(), PAGE as usize);
    Ok(())
}

fn read(mut item: HashMap<String, AttributeValue>) -> Option<Order> {
    let mut text = |name: &str| match item.remove(name) {
        Some(AttributeValue::S(text) | AttributeValue::N(text)) => Some(text),
        _ => None,
    };
    Some(Order {
        customer: text("customer")?,
        id: text("id")?.parse().ok()?,
        placed: text("placed")?.parse().ok()?,
        status: text("status")?,
        total: text("total")?.parse().ok()?,
        note: text("note"),
        rev: text("rev")?.parse().ok()?,
    })
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

/// The time of a call of each kind: the medians over rounds that are taken in turn.
async fn compare(
    calls: u32,
    ours: impl AsyncFn() -> Result<(), Failure>,
    theirs: impl AsyncFn() -> Result<(), Failure>,
    clock: fn() -> Duration,
) -> Result<(Duration, Duration), Failure> {
    let mut times: (Vec<Duration>, Vec<Duration>) = (Vec::new(), Vec::new());
    // The first round warms up.
    for round in 0..=ROUNDS {
        let of_ours = time(calls, &ours, clock).await?;
        let of_theirs = time(calls, &theirs, clock).await?;
        if round > 0 {
            times.0.push(of_ours);
            times.1.push(of_theirs);
        }
    }
    Ok((median(times.0), median(times.1)))
}

async fn time(
    calls: u32,
    call: &impl AsyncFn() -> Result<(), Failure>,
    clock: fn() -> Duration,
) -> Result<Duration, Failure> {
    let began = clock();
    for _ in 0..calls {
        call().await?;
    }
    Ok((clock() - began) / calls)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn cpu() -> Duration {
    since(ClockId::ProcessCPUTime)
}

fn wall() -> Duration {
    since(ClockId::Monotonic)
}

fn since(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

fn ratio(what: &str, of: &str, (ours, theirs): (Duration, Duration), goal: &str) {
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    println!("{what}: {ours:.2?}, {of} alone {theirs:.2?}: {ratio:.2} × (goal {goal})");
}

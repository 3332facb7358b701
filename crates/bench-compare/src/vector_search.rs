//! How fast the nearest vectors are found, and whether they are the nearest.
//!
//! Vectors lie in clusters, as those of texts do. Each size has a server of its own, which is
//! filled by batches over several connections and, once it has settled, asked for the ten nearest
//! of vectors that it does not have. The first search compares all vectors, and has them sketched;
//! the others are measured when that is done. What is found is compared with a comparison of all
//! vectors in this process, whose time stands beside that of the server.

use std::fmt::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use monotable_bench::clock;
use monotable_bench::http::{Connection, frame};
use monotable_bench::preload::{self, Batches};
use monotable_bench::progress::Progress;
use serde_json::{Value, json};

use crate::server::{Server, ServerKind, await_quiet};
use crate::settings::Settings;

const TABLE: &str = "vectors";
const INDEX: &str = "nearest";
const WANTED: usize = 10;
const BATCH: usize = 25;
/// How long the server may take, after it was filled, to put its files in order.
const SETTLING_MAX: Duration = Duration::from_secs(300);
/// How many sums are accumulated in parallel, as the server does.
const LANES: usize = 8;
const CLUSTERS: usize = 200;
/// How often is searched, at most, until searches are faster than the first one.
const WARMUPS_MAX: usize = 200;
/// How far vectors are from the middle of their cluster, where the middles are one from zero.
const SPREAD: f32 = 0.5;

/// What is searched.
#[derive(Debug, Clone, Args)]
pub(crate) struct VectorArguments {
    /// How many vectors, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000, 1_000_000])]
    vectors: Vec<usize>,

    /// How many numbers a vector has
    #[arg(long, default_value_t = 768)]
    dimensions: usize,

    /// How many searches
    #[arg(long, default_value_t = 50)]
    searches: usize,
}

/// What was found about one size.
#[derive(Debug)]
pub(crate) struct VectorFinding {
    /// How many vectors there are.
    pub(crate) vectors: usize,
    /// How many were put in a second.
    pub(crate) puts_per_second: f64,
    /// How long the first search takes, which compares all vectors in the store.
    pub(crate) first: Duration,
    /// How long a search takes, from the shortest to the longest.
    pub(crate) times: Vec<Duration>,
    /// How many of the nearest were found.
    pub(crate) recall: f64,
    /// How long the comparison of all takes here.
    pub(crate) brute_force: Duration,
}

/// Measures every size.
pub(crate) async fn measure(
    settings: &Settings,
    arguments: &VectorArguments,
) -> Result<Vec<VectorFinding>> {
    let mut findings = Vec::new();
    for vectors in &arguments.vectors {
        findings.push(measure_one(settings, arguments, *vectors).await?);
    }
    Ok(findings)
}

async fn measure_one(
    settings: &Settings,
    arguments: &VectorArguments,
    count: usize,
) -> Result<VectorFinding> {
    let server = Server::start_with(ServerKind::Durable, settings, &[]).await?;
    let mut source = Source::new(arguments.dimensions);
    let vectors: Arc<[Vec<f32>]> = (0..count).map(|_| source.vector()).collect();
    let queries: Vec<Vec<f32>> = (0..arguments.searches).map(|_| source.vector()).collect();
    let create = table(arguments.dimensions);
    Connection::open(server.target()).await?.call("CreateTable", &create).await?;
    let started = clock::now();
    let mut progress = Progress::new(1);
    progress.begin(&format!("{count} vectors"));
    let puts = Puts::new(&server.target().host, vectors.clone());
    preload::send_all(server.target(), &puts, &mut progress).await?;
    let puts_per_second = count as f64 / started.elapsed().as_secs_f64();
    await_quiet([server.target()], SETTLING_MAX).await;
    // A new one: while many vectors are loaded, the server closes a connection that says nothing.
    let mut connection = Connection::open(server.target()).await?;
    let first = warm_up(&mut connection, &queries).await?;
    let (mut times, mut hits, mut brute_force) = (Vec::new(), 0, Duration::ZERO);
    for query in &queries {
        let request = search(query);
        let started = clock::now();
        let answer = connection.call("SearchVectors", &request).await?;
        times.push(started.elapsed());
        let started = clock::now();
        let truth = nearest(&vectors, query);
        brute_force += started.elapsed();
        hits += found(&answer)?.iter().filter(|number| truth.contains(number)).count();
    }
    times.sort();
    let wanted = (WANTED.min(count) * queries.len()).max(1);
    Ok(VectorFinding {
        vectors: count,
        puts_per_second,
        first,
        times,
        recall: hits as f64 / wanted as f64,
        brute_force: brute_force / (queries.len().max(1) as u32),
    })
}

/// Searches until that takes less than half of the first time, which is returned.
async fn warm_up(connection: &mut Connection, queries: &[Vec<f32>]) -> Result<Duration> {
    let mut first = None;
    for query in queries.iter().cycle().take(WARMUPS_MAX) {
        let request = search(query);
        let started = clock::now();
        connection.call("SearchVectors", &request).await?;
        let time = started.elapsed();
        if time < *first.get_or_insert(time) / 2 {
            break;
        }
    }
    Ok(first.unwrap_or_default())
}

fn table(dimensions: usize) -> Value {
    json!({
        "TableName": TABLE,
        "AttributeDefinitions": [{ "AttributeName": "pk", "AttributeType": "N" }],
        "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
        "BillingMode": "PAY_PER_REQUEST",
        "VectorIndexes": [{
            "IndexName": INDEX,
            "VectorAttribute": { "AttributeName": "v" },
            "Dimensions": dimensions,
            "DistanceFunction": "EUCLIDEAN",
            "Projection": { "ProjectionType": "KEYS_ONLY" },
        }],
    })
}

fn numbers(vector: &[f32]) -> Value {
    vector.iter().map(|number| json!({ "N": number.to_string() })).collect()
}

/// Puts vectors in batches. Their requests are written as text: trees of as many numbers take
/// longer to make than the server takes to store them.
#[derive(Debug, Clone)]
struct Puts {
    host: String,
    vectors: Arc<[Vec<f32>]>,
    request: Vec<u8>,
}

impl Puts {
    fn new(host: &str, vectors: Arc<[Vec<f32>]>) -> Puts {
        Puts { host: host.to_owned(), vectors, request: Vec::new() }
    }

    fn body(&self, first: usize) -> Result<String, fmt::Error> {
        let mut body = format!("{{\"RequestItems\":{{\"{TABLE}\":[");
        for (at, vector) in self.vectors.iter().enumerate().skip(first).take(BATCH) {
            let comma = if at == first { "" } else { "," };
            write!(body, "{comma}{{\"PutRequest\":{{\"Item\":{{\"pk\":{{\"N\":\"{at}\"}},")?;
            body.push_str("\"v\":{\"L\":[");
            for (place, number) in vector.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                write!(body, "{comma}{{\"N\":\"{number}\"}}")?;
            }
            body.push_str("]}}}}");
        }
        body.push_str("]}}");
        Ok(body)
    }
}

impl Batches for Puts {
    fn items(&self) -> u64 {
        self.vectors.len() as u64
    }

    fn batch_items(&self) -> u64 {
        BATCH as u64
    }

    fn request(&mut self, first: u64) -> &[u8] {
        let body = self.body(first as usize).expect("a string takes all that is written");
        self.request = frame(&self.host, "BatchWriteItem", &body);
        &self.request
    }
}

fn search(query: &[f32]) -> Value {
    json!({
        "TableName": TABLE,
        "IndexName": INDEX,
        "TopK": WANTED,
        "SearchVector": numbers(query),
    })
}

/// The numbers of the vectors in an answer.
fn found(answer: &Value) -> Result<Vec<usize>> {
    let results = answer.get("SearchResults").and_then(Value::as_array);
    let number = |result: &Value| {
        let text = result.pointer("/Item/pk/N").and_then(Value::as_str)?;
        text.parse().ok()
    };
    let numbers: Option<Vec<usize>> = results.context("no results")?.iter().map(number).collect();
    numbers.context("a result without its key")
}

/// The numbers of the nearest vectors.
fn nearest(vectors: &[Vec<f32>], query: &[f32]) -> Vec<usize> {
    let far = |(vector, number): (&Vec<f32>, usize)| (square_distance(vector, query), number);
    let mut all: Vec<(f64, usize)> = vectors.iter().zip(0..).map(far).collect();
    if all.len() > WANTED {
        let order = |left: &(f64, usize), right: &(f64, usize)| {
            left.0.total_cmp(&right.0).then(left.1.cmp(&right.1))
        };
        all.select_nth_unstable_by(WANTED - 1, order);
        all.truncate(WANTED);
    }
    all.into_iter().map(|(_, number)| number).collect()
}

/// The square of the distance of two vectors.
fn square_distance(left: &[f32], right: &[f32]) -> f64 {
    let mut sums = [0.0; LANES];
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    for (left, right) in left.iter().zip(right) {
        add_squares(&mut sums, left, right);
    }
    add_squares(&mut sums, left_rest, right_rest);
    sums.iter().sum()
}

fn add_squares(sums: &mut [f64; LANES], left: &[f32], right: &[f32]) {
    for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
        let difference = f64::from(*left) - f64::from(*right);
        *sum += difference * difference;
    }
}

/// Vectors in clusters, the same in every run.
struct Source {
    state: u64,
    middles: Vec<Vec<f32>>,
}

impl Source {
    fn new(dimensions: usize) -> Source {
        let mut source = Source { state: 0x9E37_79B9_7F4A_7C15, middles: Vec::new() };
        let middle = |source: &mut Source| (0..dimensions).map(|_| source.number()).collect();
        source.middles = (0..CLUSTERS).map(|_| middle(&mut source)).collect();
        source
    }

    /// The next number between -1 and 1.
    fn number(&mut self) -> f32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec<f32> {
        let cluster = (self.number().abs() * CLUSTERS as f32) as usize;
        let middle = self.middles.get(cluster).cloned().unwrap_or_default();
        middle.iter().map(|number| number + SPREAD * self.number()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_json_with_the_numbers_of_its_vectors() {
        let vectors: Arc<[Vec<f32>]> = (0..30).map(|at| vec![at as f32 / 8.0, -1e-7]).collect();
        let puts = Puts::new("host", vectors);
        let body: Value = serde_json::from_str(&puts.body(25).unwrap()).unwrap();
        let puts = body.pointer("/RequestItems/vectors").and_then(Value::as_array).unwrap();
        let item = |at: usize| puts[at].pointer("/PutRequest/Item").unwrap();
        assert_eq!(puts.len(), 5);
        let vector = json!([{ "N": "3.125" }, { "N": "-0.0000001" }]);
        assert_eq!(*item(0), json!({ "pk": { "N": "25" }, "v": { "L": vector } }));
        assert_eq!(item(4)["pk"]["N"], "29");
    }

    #[test]
    fn the_nearest_are_those_of_the_least_distances() {
        let vectors: Vec<Vec<f32>> = (0..40).map(|at| vec![(at as f32 - 20.0).abs(); 9]).collect();
        let mut found = nearest(&vectors, &[0.0; 9]);
        found.sort_unstable();
        assert_eq!(found.first(), Some(&15));
        assert_eq!((found.len(), found.contains(&20)), (WANTED, true));
        assert_eq!(square_distance(&[1.0; 9], &[3.0; 9]), 36.0);
    }
}

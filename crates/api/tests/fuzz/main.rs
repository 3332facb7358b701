//! Random requests of every action, most of them spoiled: none panics, fails by the server's fault,
//! or never ends.
//!
//! A history is played on a database of its own, so requests meet what the ones before have done.
//! Every run plays the same histories. `MONOTABLE_FUZZ_SECONDS=600` plays on for that long, and
//! `MONOTABLE_FUZZ_SEED=7` begins elsewhere; a failure names the seed of its history and the
//! request.

#[path = "../harness/mod.rs"]
#[expect(dead_code, reason = "the fuzzer sends bytes, and reads answers by itself")]
mod harness;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use harness::Harness;
use monotable_workload::Call;
use monotable_workload::harvest::Harvest;
use monotable_workload::history::History;
use monotable_workload::mutation;
use monotable_workload::random::Random;
use monotable_workload::seeds::seeds;
use serde_json::Value;

/// How many histories are played when no time is given.
const HISTORIES: u64 = 24;
/// How many requests a history has.
const REQUESTS: usize = 150;
/// How long one request may take. The largest take milliseconds; a test that hangs says at least
/// where.
const CALL_SECS_MAX: u64 = 120;

/// The actions on items and statements, in an order in which their seeds find what they need.
const DATA_PLANE: [&str; 15] = [
    "CreateTable",
    "PutItem",
    "SearchVectors",
    "ExecuteTransaction",
    "UpdateItem",
    "GetItem",
    "Query",
    "Scan",
    "BatchGetItem",
    "BatchWriteItem",
    "TransactWriteItems",
    "TransactGetItems",
    "ExecuteStatement",
    "BatchExecuteStatement",
    "DeleteItem",
];

/// The request that is under way, for whoever waits for it in vain.
static UNDER_WAY: Mutex<String> = Mutex::new(String::new());
static ANSWERED: AtomicU64 = AtomicU64::new(0);
/// The actions of which a request was carried out.
static SUCCEEDED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[expect(clippy::disallowed_methods, reason = "only the length of a run depends on it")]
fn now() -> Instant {
    Instant::now()
}

/// Ends the test if a request takes too long.
#[expect(clippy::disallowed_methods, reason = "a request that never ends must be found")]
fn watch() {
    std::thread::spawn(|| {
        let mut seen = ANSWERED.load(Ordering::Relaxed);
        loop {
            std::thread::sleep(Duration::from_secs(CALL_SECS_MAX));
            let answered = ANSWERED.load(Ordering::Relaxed);
            if answered == seen {
                let request = UNDER_WAY.lock().unwrap().clone();
                eprintln!("no answer in {CALL_SECS_MAX} s: {request}");
                std::process::abort();
            }
            seen = answered;
        }
    });
}

fn target(action: &str) -> String {
    let is_of = |target: &String| target.rsplit('.').next() == Some(action);
    let found = monotable_api::targets().find(is_of);
    found.unwrap_or_else(|| format!("DynamoDB_20120810.{action}"))
}

/// A history that goes on: its database and what it knows.
struct Game {
    seed: u64,
    harness: Harness,
    harvest: Harvest,
    random: Random,
    seeds: Vec<Call>,
    history: History,
}

impl Game {
    async fn new(seed: u64) -> Game {
        Game {
            seed,
            harness: Harness::new().await,
            harvest: Harvest::default(),
            random: Random::new(seed),
            seeds: seeds(),
            history: History::new(seed, 3),
        }
    }

    async fn play(&mut self) {
        let tables: Vec<Call> =
            self.seeds.iter().filter(|call| call.action == "CreateTable").cloned().collect();
        let more = [
            monotable_workload::history::create_pair(),
            monotable_workload::history::create_plain(),
        ];
        for call in tables.into_iter().chain(more) {
            self.send(&call.action, call.request.to_string().as_bytes()).await;
        }
        for _ in 0..REQUESTS {
            let mut call = self.next_call();
            self.harvest.fill(&mut call.request);
            let body = mutation::body(&call.request, &mut self.random);
            self.send(&call.action, &body).await;
        }
    }

    fn next_call(&mut self) -> Call {
        if self.random.one_in(2) {
            return self.history.next_call();
        }
        let mut call = self.random.pick(&self.seeds).clone();
        if !self.random.one_in(4) {
            let donors: Vec<&Value> = self.seeds.iter().map(|seed| &seed.request).collect();
            mutation::mutate(&mut call.request, &donors, &mut self.random);
        }
        call
    }

    async fn send(&mut self, action: &str, body: &[u8]) {
        let text = String::from_utf8_lossy(body);
        *UNDER_WAY.lock().unwrap() = format!("seed {}: {action} {text}", self.seed);
        let (status, answer) = match self.harness.send(&target(action), body).await {
            Ok(answer) => (200, answer),
            Err(error) => (error.status(), error.into_body()),
        };
        ANSWERED.fetch_add(1, Ordering::Relaxed);
        let seed = self.seed;
        assert!(status < 500, "seed {seed}: {status} for {action} {text}");
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_else(|error| {
            panic!("seed {seed}: {error} in the answer to {action} {text}")
        });
        if status == 200 {
            SUCCEEDED.lock().unwrap().insert(action.to_owned());
        }
        self.harvest.note(&answer);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_is_answered_with_a_failure_of_the_server() {
    watch();
    let first = number("MONOTABLE_FUZZ_SEED").unwrap_or(1);
    let end = number("MONOTABLE_FUZZ_SECONDS").map(|seconds| now() + Duration::from_secs(seconds));
    let mut played = 0;
    while end.map_or(played < HISTORIES, |end| now() < end) {
        Game::new(first + played).await.play().await;
        played += 1;
    }
    println!("{played} histories, {} requests", ANSWERED.load(Ordering::Relaxed));
    // Spoiled requests that are all refused by the first checks would find nothing.
    let succeeded = SUCCEEDED.lock().unwrap();
    let refused = DATA_PLANE.iter().filter(|action| !succeeded.contains(**action));
    let refused: Vec<&str> = refused.copied().collect();
    assert!(refused.is_empty() || played < HISTORIES, "nothing but refusals: {refused:?}");
}

#[test]
fn every_action_has_a_seed() {
    let seeded: BTreeSet<String> = seeds().into_iter().map(|call| call.action).collect();
    let name = |target: String| target.rsplit('.').next().unwrap_or_default().to_owned();
    let missing: Vec<String> =
        monotable_api::targets().map(name).filter(|action| !seeded.contains(action)).collect();
    assert_eq!(missing, [""; 0], "crates/workload/seeds.json has no request of these actions");
}

/// Most seeds are valid: otherwise the fuzzer would never get past the first checks.
#[tokio::test]
async fn the_seeds_of_the_data_plane_are_valid() {
    let harness = Harness::new().await;
    for action in DATA_PLANE {
        for call in seeds().iter().filter(|call| call.action == action) {
            let request = call.request.to_string();
            if request.contains("\"$") {
                continue;
            }
            let answer = match harness.send(action, request.as_bytes()).await {
                Ok(answer) => serde_json::from_slice(&answer).unwrap(),
                Err(error) => panic!("{:?}: {action} {request}", harness::code_and_text(error)),
            };
            assert_eq!(refused_members(&answer), [Value::Null; 0], "{action} {request}");
            let finds_nothing = answer["SearchResults"].as_array().is_some_and(Vec::is_empty);
            assert!(!finds_nothing, "{action} {request}");
        }
    }
}

/// What a batch of statements says is wrong with its members.
fn refused_members(answer: &Value) -> Vec<Value> {
    let members = answer["Responses"].as_array().into_iter().flatten();
    members.filter_map(|member| member.get("Error").cloned()).collect()
}

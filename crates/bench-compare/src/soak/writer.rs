//! A client, whose items nobody else changes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use monotable_bench::clock;
use monotable_bench::load::Histogram;
use monotable_bench::random::Random;
use monotable_conformance::client::{Client, Outcome};
use serde_json::Value;

use super::ledger::{Change, Doubt, Known, State, Unity};
use super::requests::{self, BATCH, QUERIED};

/// How long one point of a plot lasts.
pub(crate) const WINDOW: Duration = Duration::from_secs(10);

/// When requests are due.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pace {
    /// When the one before is answered.
    Unlimited,
    /// At these intervals, for each client.
    Every(Duration),
}

impl Pace {
    /// So many requests per second of all clients together.
    pub(super) fn of(requests_per_second: f64, clients: usize) -> Pace {
        Pace::Every(Duration::from_secs_f64(clients as f64 / requests_per_second.max(1.0)))
    }
}

/// Requests that were answered, by when they were due.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    windows: BTreeMap<u64, Histogram>,
    /// Requests that changed something.
    pub(crate) writes: u64,
}

impl Traffic {
    fn record(&mut self, due: Duration, latency: Duration) {
        self.windows.entry(due.as_secs() / WINDOW.as_secs()).or_default().record(latency);
    }

    pub(super) fn merge(&mut self, other: &Traffic) {
        for (window, latencies) in &other.windows {
            self.windows.entry(*window).or_default().merge(latencies);
        }
        self.writes += other.writes;
    }

    pub(crate) fn requests(&self) -> u64 {
        self.windows.values().map(Histogram::total).sum()
    }

    /// How long requests took, from when they were due.
    pub(crate) fn latencies(&self) -> Histogram {
        let mut total = Histogram::new();
        self.windows.values().for_each(|window| total.merge(window));
        total
    }

    /// The latencies of each window, with when it began.
    pub(crate) fn windows(&self) -> impl Iterator<Item = (Duration, &Histogram)> {
        let begin = |window: &u64| WINDOW * u32::try_from(*window).unwrap_or(u32::MAX);
        self.windows.iter().map(move |(window, latencies)| (begin(window), latencies))
    }
}

/// What a client does next.
enum Step {
    Write { operation: &'static str, request: Value, changes: Vec<Change>, unity: Unity },
    Read { operation: &'static str, request: Value, first: usize, last: usize },
}

/// What became of a step.
enum Progress {
    Answered,
    /// The server is gone.
    Gone,
}

/// A client and what it knows.
pub(super) struct Writer {
    pub(super) number: usize,
    pub(super) items: Vec<Known>,
    /// The last write, if it was not answered.
    pub(super) doubt: Option<Doubt>,
    random: Random,
    next_version: u64,
}

impl Writer {
    pub(super) fn new(number: usize, items: usize) -> Writer {
        let random = Random::new(number as u64 + 1);
        Writer {
            number,
            items: vec![Known::default(); items],
            doubt: None,
            random,
            next_version: 0,
        }
    }

    /// Works until it is told to stop, or the server is gone. An error is something that is not as
    /// it must be.
    pub(super) fn write(
        &mut self,
        endpoint: &str,
        pace: Pace,
        start: Instant,
        begin: Duration,
        stop: &AtomicBool,
    ) -> Result<Traffic> {
        let mut client = Client::new(endpoint);
        let mut traffic = Traffic::default();
        let mut due = start;
        while !stop.load(Ordering::Relaxed) {
            match pace {
                Pace::Unlimited => due = clock::now(),
                Pace::Every(interval) => {
                    due += interval;
                    clock::sleep_until(due);
                }
            }
            let step = self.next_step();
            let is_write = matches!(step, Step::Write { .. });
            match self.take(&mut client, step)? {
                Progress::Answered => {
                    traffic.record(begin + (due - start), due.elapsed());
                    traffic.writes += u64::from(is_write);
                }
                Progress::Gone => break,
            }
        }
        Ok(traffic)
    }

    fn next_step(&mut self) -> Step {
        let (client, item) = (self.number, self.any_item());
        let known = self.state(item);
        self.next_version += 1;
        let version = self.next_version;
        let write = |operation, request, state| {
            let (changes, unity) = (vec![(item, state)], Unity::Atomic);
            Step::Write { operation, request, changes, unity }
        };
        match self.random.below(20) {
            0..=5 => write("PutItem", requests::put(client, item, version), Some(version)),
            6..=9 => {
                let request = requests::update(client, item, known, version);
                write("UpdateItem", request, Some(version))
            }
            10..=11 => write("DeleteItem", requests::delete(client, item), None),
            12..=13 => self.next_transaction(item, version),
            14 => self.next_batch(item, version),
            15..=16 => {
                let request = requests::get(client, item);
                Step::Read { operation: "GetItem", request, first: item, last: item }
            }
            _ => {
                let last = (item + QUERIED - 1).min(self.items.len() - 1);
                let request = requests::query(client, item, last);
                Step::Read { operation: "Query", request, first: item, last }
            }
        }
    }

    fn next_transaction(&mut self, item: usize, version: u64) -> Step {
        let other = (item + 1) % self.items.len();
        let known = self.state(other);
        let request =
            requests::transaction(self.number, (item, Some(version)), (other, known, version));
        let changes = vec![(item, Some(version)), (other, Some(version))];
        Step::Write { operation: "TransactWriteItems", request, changes, unity: Unity::Atomic }
    }

    fn next_batch(&mut self, item: usize, version: u64) -> Step {
        let change = |offset: usize| {
            // One member removes its item.
            let state = (offset > 0).then_some(version);
            ((item + offset) % self.items.len(), state)
        };
        let changes: Vec<Change> = (0..BATCH).map(change).collect();
        let request = requests::batch(self.number, &changes);
        Step::Write { operation: "BatchWriteItem", request, changes, unity: Unity::Separate }
    }

    fn any_item(&mut self) -> usize {
        self.random.below(self.items.len() as u64) as usize
    }

    fn state(&self, item: usize) -> State {
        self.items.get(item).and_then(|known| known.state)
    }

    fn take(&mut self, client: &mut Client, step: Step) -> Result<Progress> {
        match step {
            Step::Write { operation, request, changes, unity } => {
                let Some(answer) = ask(client, operation, &request)? else {
                    self.doubt = Some(Doubt { changes, unity });
                    return Ok(Progress::Gone);
                };
                let left = answer.get("UnprocessedItems").and_then(Value::as_object);
                ensure!(left.is_none_or(|left| left.is_empty()), "a batch was not processed whole");
                self.apply(&changes);
            }
            Step::Read { operation, request, first, last } => {
                let Some(answer) = ask(client, operation, &request)? else {
                    return Ok(Progress::Gone);
                };
                self.compare(&answer, first, last).with_context(|| request.to_string())?;
            }
        }
        Ok(Progress::Answered)
    }

    /// Notes changes that have happened.
    pub(super) fn apply(&mut self, changes: &[Change]) {
        for (item, state) in changes {
            if let Some(known) = self.items.get_mut(*item) {
                known.note(*state);
            }
        }
    }

    /// Compares what was read of a range of items with what must be there.
    fn compare(&self, answer: &Value, first: usize, last: usize) -> Result<()> {
        let one = answer.get("Item").into_iter();
        let many = answer.get("Items").and_then(Value::as_array).into_iter().flatten();
        let found: BTreeMap<usize, State> = one
            .chain(many)
            .filter_map(|item| {
                let name = item.pointer("/sk/S")?.as_str()?;
                Some((requests::number_in(name)?, requests::version(item)))
            })
            .collect();
        for item in first..=last {
            let (found, known) = (found.get(&item).copied().flatten(), self.state(item));
            ensure!(
                found == known,
                "item {item} of client {} is {found:?} and must be {known:?}",
                self.number
            );
        }
        Ok(())
    }
}

/// Makes a call that must succeed; none if the server is gone.
pub(super) fn ask(client: &mut Client, operation: &str, request: &Value) -> Result<Option<Value>> {
    match client.call(operation, request) {
        Ok(Outcome::Success(answer)) => Ok(Some(answer)),
        Ok(Outcome::Failure(error)) => bail!("{operation} {request} failed: {}", error.body),
        Err(_) => Ok(None),
    }
}

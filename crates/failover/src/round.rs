//! One round: load, a fault, and then everything is compared.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value as Json;

use crate::caller::Caller;
use crate::changer::{self, Standing};
use crate::check;
use crate::clock::{Stopwatch, rest, until};
use crate::consumer::Seen;
use crate::dice::Dice;
use crate::fault::{Fault, Scene};
use crate::history::{Chain, Chains, History, Key, Value};
use crate::load::Load;
use crate::patroni::Cluster;
use crate::servers::{SERVERS, Servers};
use crate::table::{self, BY_GROUP, BY_VALUE, value_of};

/// Load before the fault and after it.
const CALM: Duration = Duration::from_secs(2);
/// What was under way when the load ended has ended then.
const SETTLE: Duration = Duration::from_secs(2);
/// How long a consumer may take to catch up.
const CATCH_UP: Duration = Duration::from_secs(120);

/// What a round was.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) fault: Fault,
    pub(crate) operations: usize,
    pub(crate) unanswered: usize,
    pub(crate) longest_gap_micros: u64,
    /// The round as a whole.
    pub(crate) micros: u64,
}

/// What stays from round to round.
pub(crate) struct Run<'a> {
    pub(crate) cluster: Cluster,
    pub(crate) servers: Servers,
    pub(crate) watch: Stopwatch,
    pub(crate) seed: u64,
    pub(crate) seen: &'a [Seen],
    pub(crate) next_value: AtomicU64,
    /// What the items of all rounds were when they were compared.
    pub(crate) expected: BTreeMap<Key, Value>,
    /// Values that were written without an answer and not seen: they may still come.
    pub(crate) doubtful: BTreeMap<Key, Vec<Value>>,
}

impl Run<'_> {
    /// Plays a round and compares. An error is what must not be.
    pub(crate) fn play(&mut self, round: u64) -> Result<Outcome> {
        let begin = self.watch.micros();
        let fault = Fault::of_round(round, self.seed);
        self.cluster.wait_for_standby()?;
        let (history, standing) = self.load(round, fault)?;
        let outcome = Outcome {
            fault,
            operations: history.operations.len(),
            unanswered: history.unanswered(),
            longest_gap_micros: longest_gap(&history),
            micros: 0,
        };
        rest(SETTLE);
        let chains = self.catch_up(round, &history)?;
        check::order::check(&history.operations, &chains)?;
        check::registers::check(&history.operations)?;
        self.note(&history, &chains);
        self.compare(round, &history, standing)?;
        Ok(Outcome { micros: self.watch.micros() - begin, ..outcome })
    }

    /// Lets the clients work while something breaks.
    fn load(&mut self, round: u64, fault: Fault) -> Result<(History, Standing)> {
        let (is_over, answered) = (AtomicBool::new(false), AtomicU64::new(0));
        let endpoints = self.servers.endpoints().clone();
        let numbers = (round, self.seed);
        let load =
            Load::new(&endpoints, self.watch, numbers, &is_over, &answered, &self.next_value);
        let mut dice = Dice::new(self.seed.wrapping_add(round << 20));
        let mut scene = Scene {
            cluster: &mut self.cluster,
            servers: &mut self.servers,
            dice: &mut dice,
            answered: &answered,
        };
        thread::scope(|scope| {
            let clients = scope.spawn(|| load.run());
            rest(CALM);
            let changer = scope.spawn(|| changer::change(&endpoints, round as usize));
            let played = scene.play(fault);
            rest(CALM);
            is_over.store(true, Ordering::Relaxed);
            let history = clients.join().ok().context("a client ended")?;
            let standing = changer.join().ok().context("the changer ended")?;
            played?;
            Ok((history, standing?))
        })
    }

    /// Waits until all consumers have seen everything; they have seen the same.
    fn catch_up(&self, round: u64, history: &History) -> Result<Chains> {
        let prefix = format!("r{round}-");
        let turns: Vec<u64> = self.seen.iter().map(Seen::idle_turns).collect();
        let is_idle = |(seen, before): (&Seen, &u64)| seen.idle_turns() >= before + 3;
        let idle = || self.seen.iter().zip(&turns).all(is_idle).then_some(());
        until(CATCH_UP, idle).context("a consumer of the stream does not catch up")?;
        let mut all = self.seen.iter().map(|seen| seen.chains(&prefix));
        let first = all.next().context("there is a consumer")?;
        for other in all {
            let difference = difference(&first, &other);
            ensure!(difference.is_none(), "two consumers of the stream saw {difference:?}");
        }
        ensure!(!first.is_empty() || history.answered_writes().is_empty(), "the stream is empty");
        Ok(first)
    }

    /// Takes note of what the items of the round are from here on.
    fn note(&mut self, history: &History, chains: &Chains) {
        for (key, chain) in chains {
            let last = chain.last().map_or(0, |(_, new)| *new);
            self.expected.insert(key.clone(), last);
        }
        let unanswered = history.operations.iter().filter(|operation| operation.end.is_none());
        for (key, value) in unanswered.flat_map(|operation| &operation.writes) {
            let is_there = |chain: &Vec<(Value, Value)>| chain.iter().any(|(_, new)| new == value);
            if !chains.get(key).is_some_and(is_there) {
                self.doubtful.entry(key.clone()).or_default().push(*value);
            }
        }
    }

    /// Compares the table with what it must be, and its indexes with the table.
    fn compare(&mut self, round: u64, history: &History, standing: Standing) -> Result<()> {
        let mut caller = Caller::new(self.servers.endpoints(), round as usize % SERVERS);
        let items = table::contents(&mut caller, None)?;
        for (key, item) in items.iter().filter(|(key, _)| key.starts_with('r')) {
            let (found, expected) = (value_of(Some(item)), self.expected.get(key).copied());
            if Some(found) != expected {
                self.accept_late(key, found)
                    .with_context(|| format!("{key} is {found}, expected {expected:?}"))?;
            }
        }
        for key in self.expected.keys() {
            ensure!(items.contains_key(key), "{key} is gone");
        }
        for (key, count) in &history.counts {
            let number =
                items.get(key).and_then(|item| item.pointer("/n/N")).and_then(Json::as_str);
            let number: u64 = number.map_or(Ok(0), str::parse)?;
            let most = count.answered + count.unanswered;
            let is_right = (count.answered..=most).contains(&number);
            ensure!(is_right, "{key} is {number} after {count:?}");
        }
        compare_index(&mut caller, &items, BY_GROUP, "grp")?;
        if standing == Standing::Active {
            compare_index(&mut caller, &items, BY_VALUE, "v")?;
        }
        Ok(())
    }

    /// Accepts a value that came late, of a write without an answer, if the stream shows it too.
    fn accept_late(&mut self, key: &str, found: Value) -> Result<()> {
        let is_known = self.doubtful.get(key).is_some_and(|values| values.contains(&found));
        ensure!(is_known, "nobody wrote that without hearing of it");
        let seen = self.seen.first().map(|seen| seen.chain(key)).unwrap_or_default();
        ensure!(seen.last().is_some_and(|(_, new)| *new == found), "the stream does not have it");
        self.expected.insert(key.to_owned(), found);
        Ok(())
    }
}

/// What two consumers saw of the first item of which they saw different changes.
fn difference(one: &Chains, other: &Chains) -> Option<(Key, Chain, Chain)> {
    let chain = |chains: &Chains, key: &Key| chains.get(key).cloned().unwrap_or_default();
    let both = one.keys().chain(other.keys());
    let mut seen = both.map(|key| (key.clone(), chain(one, key), chain(other, key)));
    seen.find(|(_, one, other)| one != other)
}

/// An index has an entry for each item with its attribute, and no others. Entries of an index that
/// holds keys only show the attributes that they have.
fn compare_index(
    caller: &mut Caller,
    items: &BTreeMap<Key, Json>,
    index: &str,
    attribute: &str,
) -> Result<()> {
    let entries = table::contents(caller, Some(index))?;
    let mut wanted = items.iter().filter(|(_, item)| item.get(attribute).is_some());
    for ((key, item), (found, entry)) in wanted.by_ref().zip(&entries) {
        ensure!(key == found, "{index}: {key} is missing, or {found} is too much");
        let is_same = [attribute, "v"].iter().all(|name| item.get(name) == entry.get(name));
        ensure!(is_same, "{index}: {entry} is not {item}");
    }
    let count = items.values().filter(|item| item.get(attribute).is_some()).count();
    ensure!(count == entries.len(), "{index} has {} entries for {count} items", entries.len());
    Ok(())
}

/// The longest time without an answer to a write.
fn longest_gap(history: &History) -> u64 {
    let ends = history.answered_writes();
    let gaps = ends.iter().zip(ends.iter().skip(1)).map(|(one, next)| next - one);
    gaps.max().unwrap_or(0)
}

//! The same random requests at two endpoints, and where their answers differ.
//!
//! A history makes tables of its own and plays calls on them, one after the other, at both
//! endpoints. At the first answer that differs it ends, and is made as short as it can be while the
//! difference stays: fewer calls, then fewer members of their requests. Differences that look alike
//! are shown once.
//!
//! - [`Side`] is an endpoint that calls are played at,
//! - [`normal`] takes out of an answer what no two endpoints have in common: ids, times, orders
//!   that mean nothing,
//! - [`Difference`] says how two answers differ, and which differences are alike,
//! - `shrink` makes histories short, [`report`] shows them.

mod difference;
pub mod normal;
pub mod report;
mod shrink;
mod side;

use std::collections::BTreeMap;

use anyhow::Result;
use monotable_workload::Call;
use monotable_workload::history::History;

pub use difference::{Aspect, Difference};
pub use side::{Answer, Side};

/// How a run is made.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The seed of the first history; the next one has the next seed.
    pub seed: u64,
    /// How many calls a history has at most.
    pub calls: usize,
    /// One in this many calls is spoiled; none if 0.
    pub spoiled_in: usize,
    /// Whether the capacity that answers report is compared.
    pub compares_capacity: bool,
    /// How often a history is played again to make it shorter.
    pub replays_max: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 1, calls: 40, spoiled_in: 4, compares_capacity: false, replays_max: 300 }
    }
}

/// Differences that look alike.
#[derive(Debug, Clone)]
pub struct Finding {
    /// How often one of them was met.
    pub count: usize,
    /// The seed of the history that the first was met in.
    pub seed: u64,
    /// The shortest history that shows it; the last call is the one that is answered differently.
    pub calls: Vec<Call>,
    /// The difference.
    pub difference: Difference,
}

/// What a run found.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// By what makes differences alike.
    pub by_signature: BTreeMap<String, Finding>,
    /// How many histories were played, those to make others shorter apart.
    pub histories: u64,
    /// How many calls they had.
    pub calls: u64,
}

/// Plays histories at both endpoints until it is enough.
pub fn run(
    ours: Side,
    reference: Side,
    options: &Options,
    mut is_enough: impl FnMut(&Findings) -> bool,
) -> Result<Findings> {
    let mut pair = Pair::new(ours, reference, options);
    let mut findings = Findings::default();
    while !is_enough(&findings) {
        let seed = options.seed.wrapping_add(findings.histories);
        let calls = History::new(seed, options.spoiled_in).calls(options.calls);
        findings.histories += 1;
        let met = pair.play(&calls)?;
        let played = met.as_ref().map_or(calls.len(), |met| met.place + 1);
        findings.calls += played as u64;
        if let Some(met) = met {
            note(&mut findings, &mut pair, seed, calls, met)?;
        }
    }
    Ok(findings)
}

fn note(
    findings: &mut Findings,
    pair: &mut Pair,
    seed: u64,
    calls: Vec<Call>,
    met: Met,
) -> Result<()> {
    let signature = met.difference.signature();
    if let Some(known) = findings.by_signature.get_mut(&signature) {
        known.count += 1;
        return Ok(());
    }
    let (calls, difference) = shrink::shrink(pair, calls, met)?;
    let finding = Finding { count: 1, seed, calls, difference };
    findings.by_signature.insert(signature, finding);
    Ok(())
}

/// A difference at a call of a history.
#[derive(Debug, Clone)]
pub(crate) struct Met {
    pub(crate) place: usize,
    pub(crate) difference: Difference,
}

/// Both endpoints.
#[derive(Debug)]
pub(crate) struct Pair {
    ours: Side,
    theirs: Side,
    compares_capacity: bool,
    replays_max: usize,
    played: usize,
}

impl Pair {
    fn new(ours: Side, theirs: Side, options: &Options) -> Pair {
        Pair {
            ours,
            theirs,
            compares_capacity: options.compares_capacity,
            replays_max: options.replays_max,
            played: 0,
        }
    }

    /// Plays calls on new tables; returns the first difference. The tables are deleted afterwards.
    pub(crate) fn play(&mut self, calls: &[Call]) -> Result<Option<Met>> {
        self.played += 1;
        let names = side::Names::of_play(self.played);
        let mut met = None;
        for (place, call) in calls.iter().enumerate() {
            let [ours, theirs] = [&mut self.ours, &mut self.theirs].map(|side| {
                let answer = side.call(call, &names)?;
                anyhow::Ok(normal::normal(call, answer, self.compares_capacity))
            });
            if let Some(difference) = Difference::between(call, ours?, theirs?) {
                met = Some(Met { place, difference });
                break;
            }
        }
        self.ours.delete_tables(calls, &names)?;
        self.theirs.delete_tables(calls, &names)?;
        Ok(met)
    }
}

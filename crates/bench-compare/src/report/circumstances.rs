//! What figures were measured on, which they mean nothing without.

use monotable_bench::columns::number;

use super::texts::percent;
use crate::machine::Machine;
use crate::settings::Settings;

/// A machine that others use more than this share of is not fit to measure on.
const DISTURBANCE_MAX: f64 = 0.05;

/// A reminder at the head of everything that is measured in an open loop.
pub(super) const OPEN_LOOP: &str =
    "a latency runs from the moment at which its request should have been sent";

/// The head of a report: the machine, the code, what was measured of it, and a warning if the
/// machine was not ours alone.
pub(super) fn head(machine: &Machine, about: &str, disturbance: f64) -> String {
    let Machine { cores, processor, system, commit } = machine;
    let mut head = format!(
        "{cores} cores, shared by server and load generator: {processor}, {system}\n\
         commit {commit}; {about}\n"
    );
    if disturbance >= DISTURBANCE_MAX {
        head += &format!(
            "other programs used {} of the processors meanwhile: rates are too low and latencies \
             too high;\nCPU µs and ratios are still of use\n",
            percent(disturbance)
        );
    }
    head
}

/// What was asked for of everything that is measured on the same items.
pub(super) fn asked(settings: &Settings) -> String {
    let Settings { dataset, rounds, measured, seed, .. } = settings;
    let (items, seconds) = (number(dataset.items() as f64), measured.as_secs_f64());
    format!("{items} items of 1 KB; {rounds} rounds of {seconds} s, interleaved; seed {seed}")
}

//! What figures were measured on, which they mean nothing without.

use monotable_bench::columns::number;

use crate::machine::Machine;
use crate::settings::Settings;

/// A machine that others use more than this share of is not fit to measure on.
const DISTURBANCE_MAX: f64 = 0.05;

/// A reminder at the head of everything that is measured in an open loop.
pub(super) const OPEN_LOOP: &str =
    "a latency runs from the moment at which its request should have been sent\n";

/// The machine, the code, and what was asked for.
pub(super) fn render(machine: &Machine, settings: &Settings) -> String {
    let Settings { dataset, rounds, measured, seed, .. } = settings;
    let (items, seconds) = (number(dataset.items() as f64), measured.as_secs_f64());
    let asked = format!("{items} items of 1 KB; {rounds} rounds of {seconds} s, interleaved");
    format!("{}{asked}; seed {seed}\n", code(machine))
}

/// The machine, and the beginning of a line that says what was measured of the code on it.
pub(super) fn code(machine: &Machine) -> String {
    format!("{}commit {}; ", hardware(machine), machine.commit)
}

/// The machine alone.
pub(super) fn hardware(machine: &Machine) -> String {
    let Machine { cores, processor, system, .. } = machine;
    format!("{cores} cores, shared by server and load generator: {processor}, {system}\n")
}

/// Says so if the machine was not ours alone.
pub(super) fn warning(disturbance: f64) -> String {
    if disturbance < DISTURBANCE_MAX {
        return String::new();
    }
    let percent = disturbance * 100.0;
    format!(
        "other programs used {percent:.0} % of the processors meanwhile: rates are too low and \
         latencies too high;\nCPU µs and ratios are still of use\n"
    )
}

//! What figures were measured on, which they mean nothing without.

use monotable_bench::columns::number;

use crate::machine::Machine;
use crate::settings::Settings;

/// A machine that others use more than this share of is not fit to measure on.
const DISTURBANCE_MAX: f64 = 0.05;

/// The machine, the code, and what was asked for.
pub(super) fn render(machine: &Machine, settings: &Settings) -> String {
    format!(
        "{}\ncommit {}; {} items of 1 KB; {} rounds of {} s, interleaved; seed {}\n",
        hardware(machine),
        machine.commit,
        number(settings.dataset.items() as f64),
        settings.rounds,
        settings.measured.as_secs_f64(),
        settings.seed,
    )
}

/// The machine alone.
pub(super) fn hardware(machine: &Machine) -> String {
    let Machine { cores, processor, system, .. } = machine;
    format!("{cores} cores, shared by server and load generator: {processor}, {system}")
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

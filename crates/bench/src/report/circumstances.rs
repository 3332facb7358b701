//! What figures were measured on, which they mean nothing without.

use super::columns::number;
use crate::machine::Machine;
use crate::settings::Settings;

/// A machine that others use more than this share of is not fit to measure on.
const DISTURBANCE_MAX: f64 = 0.05;

/// The machine, the code, and what was asked for.
pub(super) fn render(machine: &Machine, settings: &Settings) -> String {
    format!(
        "{} cores, shared by server and load generator: {}, {}\n\
         commit {}; {} items of 1 KB, one global index; {} rounds of {} s, interleaved; seed {}\n",
        machine.cores,
        machine.processor,
        machine.system,
        machine.commit,
        number(settings.dataset.items() as f64),
        settings.rounds,
        settings.measured.as_secs_f64(),
        settings.seed,
    )
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

//! What requests feel while expired items are removed, as a text to read.

use std::fmt::Write;

use monotable_bench::columns::{align, number};
use monotable_bench::load::Sample;

use super::circumstances;
use crate::comparison::disturbance;
use crate::machine;
use crate::settings::Settings;
use crate::ttl_sweep::{Foreground, TtlSweep};

const HEADINGS: [&str; 6] =
    ["requests", "requests/s", "p50 µs", "p99 µs", "p99.9 µs", "of usual p99"];
/// The 99th percentile during a sweep is at most this many times what it is otherwise.
const P99_RATIO_MAX: f64 = 2.0;

/// Writes what was found: the circumstances, then a table per sweep.
pub(crate) fn render(settings: &Settings, sweeps: &[TtlSweep]) -> String {
    let phases = sweeps.iter().flat_map(|sweep| [&sweep.before, &sweep.during, &sweep.after]);
    let samples = phases.map(|phase| &phase.get);
    let mut text = circumstances::render(&machine::describe(), settings);
    text += &circumstances::warning(disturbance(samples));
    for sweep in sweeps {
        let due = settings.dataset.due_items() as f64;
        let seconds = sweep.elapsed.as_secs_f64();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\n{}: {} items removed in {seconds:.2} s, {} per second; goal for p99: \
             {P99_RATIO_MAX} ×",
            sweep.server.title(),
            number(due),
            number(due / seconds),
        );
        let [idle_before, idle_after] = sweep.idle.map(|idle| number(idle.as_secs_f64() * 1e3));
        let _ =
            writeln!(text, "a sweep of nothing: {idle_before} ms before, {idle_after} ms after");
        text += &align(&rows(sweep));
    }
    text
}

fn rows(sweep: &TtlSweep) -> Vec<Vec<String>> {
    let headings = HEADINGS.map(str::to_owned).to_vec();
    let get = rows_of("GetItem", sweep, |phase| &phase.get);
    let put = rows_of("PutItem", sweep, |phase| &phase.put);
    std::iter::once(headings).chain(get).chain(put).collect()
}

fn rows_of(
    kind: &str,
    sweep: &TtlSweep,
    sample: impl Fn(&Foreground) -> &Sample,
) -> [Vec<String>; 3] {
    let usual = sample(&sweep.before);
    let phases = [("before", &sweep.before), ("during", &sweep.during), ("after", &sweep.after)];
    phases.map(|(phase, foreground)| row(format!("{kind} {phase}"), sample(foreground), usual))
}

fn row(name: String, sample: &Sample, usual: &Sample) -> Vec<String> {
    let latency = |share| number(sample.latency_microseconds(share));
    let ratio = sample.latency_microseconds(0.99) / usual.latency_microseconds(0.99);
    vec![
        name,
        number(sample.requests_per_second()),
        latency(0.5),
        latency(0.99),
        latency(0.999),
        format!("{ratio:.2} ×"),
    ]
}

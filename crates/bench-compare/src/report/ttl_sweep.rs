//! What requests feel while expired items are removed.

use std::slice;

use monotable_bench::columns::number;
use monotable_bench::load::Sample;

use super::samples::{Column, SampleTable};
use super::section::Section;
use super::texts::{milliseconds, times};
use super::{Document, circumstances};
use crate::comparison::disturbance;
use crate::machine;
use crate::settings::Settings;
use crate::ttl_sweep::{Foreground, TtlSweep};

/// The 99th percentile during a sweep is at most this many times what it is otherwise.
const P99_RATIO_MAX: f64 = 2.0;

/// A kind of request, and its sample in a phase.
type Kind = (&'static str, fn(&Foreground) -> &Sample);
const KINDS: [Kind; 2] = [("GetItem", |phase| &phase.get), ("PutItem", |phase| &phase.put)];

/// Writes what was found: a table per sweep.
pub(crate) fn render(settings: &Settings, sweeps: &[TtlSweep]) -> Document {
    let phases = sweeps.iter().flat_map(|sweep| [&sweep.before, &sweep.during, &sweep.after]);
    let disturbance = disturbance(phases.map(|phase| &phase.get));
    let due = settings.dataset.due_items() as f64;
    Document {
        head: circumstances::render(&machine::describe(), settings)
            + &circumstances::warning(disturbance),
        sections: sweeps.iter().map(|sweep| section(sweep, due)).collect(),
        ..Document::default()
    }
}

fn section(sweep: &TtlSweep, due: f64) -> Section {
    let seconds = sweep.elapsed.as_secs_f64();
    let [idle_before, idle_after] = sweep.idle.map(|idle| number(milliseconds(idle)));
    let title = format!(
        "{}: {} items removed in {seconds:.2} s, {} per second; goal for p99: {P99_RATIO_MAX} ×\n\
         a sweep of nothing: {idle_before} ms before, {idle_after} ms after",
        sweep.server.title(),
        number(due),
        number(due / seconds),
    );
    let columns = [Column::Rate, Column::P50, Column::P99, Column::P999];
    let mut table = SampleTable::new(title, &["requests"], &columns, &["of usual p99"]);
    for (kind, sample_of) in KINDS {
        let p99 = |phase| sample_of(phase).latency_microseconds(0.99);
        let phases =
            [("before", &sweep.before), ("during", &sweep.during), ("after", &sweep.after)];
        for (name, phase) in phases {
            let ratio = p99(phase) / p99(&sweep.before);
            let sample = slice::from_ref(sample_of(phase));
            table.push([format!("{kind} {name}")], sample, [times(ratio)]);
        }
    }
    table.section()
}

//! What requests feel while expired items are removed.

use monotable_bench::columns::number;
use monotable_bench::load::Sample;

use super::Document;
use super::circumstances::asked;
use super::table::{Rows, Table};
use super::texts::{precise, times};
use crate::comparison::disturbance;
use crate::settings::Settings;
use crate::ttl_sweep::{Foreground, TtlSweep};

/// The 99th percentile during a sweep is at most this many times what it is otherwise.
const P99_RATIO_MAX: f64 = 2.0;

/// A kind of request, and its sample in a phase.
type Kind = (&'static str, fn(&Foreground) -> &Sample);
const KINDS: [Kind; 2] = [("GetItem", |phase| &phase.get), ("PutItem", |phase| &phase.put)];

/// Writes what was found: a row per sweep, and a table of what was felt of each.
pub(crate) fn render(settings: &Settings, sweeps: &[TtlSweep]) -> Document {
    let phases = sweeps.iter().flat_map(|sweep| [&sweep.before, &sweep.during, &sweep.after]);
    let disturbance = disturbance(phases.map(|phase| &phase.get));
    let due = settings.dataset.due_items() as f64;
    let mut tables = vec![removal(sweeps, due)];
    tables.extend(sweeps.iter().map(felt));
    let about = format!(
        "{}\np99 during a sweep of p99 before: {P99_RATIO_MAX} × is the goal",
        asked(settings)
    );
    Document::new(about, disturbance, tables)
}

fn removal(sweeps: &[TtlSweep], due: f64) -> Table {
    Rows::new("The sweeps, and sweeps of nothing before and after", sweeps)
        .words("server", |sweep| sweep.server.title().to_owned())
        .figure("items removed", number, |_| due)
        .figure("seconds", precise, |sweep| sweep.elapsed.as_secs_f64())
        .figure("items/s", number, |sweep| due / sweep.elapsed.as_secs_f64())
        .time("of nothing before ms", |sweep| sweep.idle[0])
        .time("after ms", |sweep| sweep.idle[1])
        .table()
}

fn felt(sweep: &TtlSweep) -> Table {
    let phases = [("before", &sweep.before), ("during", &sweep.during), ("after", &sweep.after)];
    let shown = KINDS.into_iter().flat_map(|(kind, sample_of)| {
        let usual = sample_of(&sweep.before);
        phases.map(|(name, phase)| (format!("{kind} {name}"), sample_of(phase), usual))
    });
    let p99 = |sample: &Sample| sample.latency_microseconds(0.99);
    Rows::new(format!("A sweep of {}", sweep.server.title()), shown)
        .words("requests", |(name, ..)| name.clone())
        .samples(|(_, sample, _)| vec![*sample])
        .figure("of usual p99", times, |(_, sample, usual)| p99(sample) / p99(usual))
        .table()
}

//! The performance goals of this project, and whether a run meets them.

use monotable_bench::summary::Summary;
use monotable_bench::workload::Workload;

use crate::comparison::{find, rate, share_of};
use crate::footprint::Footprint;
use crate::rounds::Cell;
use crate::server::ServerKind;

/// The number of connections that goals are about.
pub(crate) const CONNECTIONS: u64 = 16;
/// Writes with a stream must reach this share of the rate without.
pub(crate) const STREAM_SHARE_MIN: f64 = 0.75;

/// A goal, with what was measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GoalResult {
    /// What is to be reached.
    pub(crate) goal: String,
    /// What was reached, in words.
    pub(crate) figure: String,
    /// Whether that is enough.
    pub(crate) is_met: bool,
}

/// What a figure is held against.
#[derive(Debug, Clone, Copy)]
enum Bar {
    /// At least this share, shown in percent.
    Share(f64),
    /// At least this many times.
    Times(f64),
    /// At most this many times.
    TimesMax(f64),
}

impl GoalResult {
    fn new(what: &str, bar: Bar, figure: f64) -> GoalResult {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        let times = |times: f64| format!("{times:.1} ×");
        let (sign, limit, figure_text, is_met) = match bar {
            Bar::Share(least) => ("≥", percent(least), percent(figure), figure >= least),
            Bar::Times(least) => ("≥", times(least), times(figure), figure >= least),
            Bar::TimesMax(most) => ("≤", times(most), times(figure), figure <= most),
        };
        GoalResult { goal: format!("{what} {sign} {limit}"), figure: figure_text, is_met }
    }

    /// A figure that must stay below a limit, in a unit.
    pub(crate) fn below(what: &str, limit: f64, figure: f64, unit: &str) -> GoalResult {
        GoalResult {
            goal: format!("{what} < {limit} {unit}"),
            figure: format!("{figure:.1} {unit}"),
            is_met: figure < limit,
        }
    }

    /// A share that must be reached.
    pub(crate) fn share(what: &str, least: f64, figure: f64) -> GoalResult {
        GoalResult::new(what, Bar::Share(least), figure)
    }

    /// A ratio that must not be exceeded.
    pub(crate) fn at_most(what: &str, most: f64, figure: f64) -> GoalResult {
        GoalResult::new(what, Bar::TimesMax(most), figure)
    }
}

/// What our server must reach of the parsing reference server.
const OF_PARSING: [(Workload, ServerKind, f64); 10] = [
    (Workload::GetItem, ServerKind::Memory, 0.6),
    (Workload::GetItem, ServerKind::Durable, 0.6),
    (Workload::Query, ServerKind::Memory, 0.7),
    (Workload::Query, ServerKind::Durable, 0.7),
    (Workload::IndexQuery, ServerKind::Memory, 0.7),
    (Workload::IndexQuery, ServerKind::Durable, 0.7),
    (Workload::Scan, ServerKind::Memory, 0.7),
    (Workload::Scan, ServerKind::Durable, 0.7),
    (Workload::PutItem, ServerKind::Memory, 0.4),
    (Workload::UpdateItem, ServerKind::Memory, 0.4),
];

/// How many times the rate of dynoxide our server must have in memory, and on disk where that is a
/// goal.
const OVER_DYNOXIDE: [(Workload, f64, Option<f64>); 9] = [
    (Workload::GetItem, 5.0, Some(5.0)),
    (Workload::Query, 8.0, Some(8.0)),
    (Workload::IndexQuery, 8.0, Some(8.0)),
    (Workload::Scan, 20.0, Some(20.0)),
    (Workload::PutItem, 5.0, Some(3.0)),
    (Workload::UpdateItem, 5.0, None),
    (Workload::TransactWriteItems, 5.0, Some(5.0)),
    (Workload::BatchWriteItem, 5.0, Some(5.0)),
    (Workload::BatchGetItem, 5.0, Some(5.0)),
];

/// How far the 99th percentile may be from the median: of reads, and of durable writes.
const READS: [Workload; 5] = [
    Workload::GetItem,
    Workload::Query,
    Workload::IndexQuery,
    Workload::Scan,
    Workload::BatchGetItem,
];
const WRITES: [Workload; 4] = [
    Workload::PutItem,
    Workload::UpdateItem,
    Workload::TransactWriteItems,
    Workload::BatchWriteItem,
];
const READ_TAIL_MAX: f64 = 5.0;
const WRITE_TAIL_MAX: f64 = 10.0;
const BARE_SHARE_MIN: f64 = 0.7;

/// Every goal that something was measured for.
pub(crate) fn judge(cells: &[Cell], footprint: &Footprint) -> Vec<GoalResult> {
    let mut verdicts = of_parsing(cells);
    verdicts.extend(over_dynoxide(cells));
    verdicts.extend(of_bare(cells));
    verdicts.extend(tails(cells));
    verdicts.extend(costs(cells));
    verdicts.extend(of_footprint(footprint));
    verdicts
}

fn of_parsing(cells: &[Cell]) -> Vec<GoalResult> {
    let verdict = |(workload, kind, least): &(Workload, ServerKind, f64)| {
        let share = share(cells, *workload, *kind, ServerKind::Parsing)?;
        let what = format!("{}, {}, of parsing", workload.title(), place(*kind));
        Some(GoalResult::share(&what, *least, share))
    };
    OF_PARSING.iter().filter_map(verdict).collect()
}

fn over_dynoxide(cells: &[Cell]) -> Vec<GoalResult> {
    let mut verdicts = Vec::new();
    for (workload, in_memory, durable) in &OVER_DYNOXIDE {
        let pairs = [
            (ServerKind::Memory, ServerKind::Dynoxide, Some(*in_memory)),
            (ServerKind::Durable, ServerKind::DynoxideFile, *durable),
        ];
        for (ours, theirs, least) in pairs {
            let Some((least, times)) = least.zip(share(cells, *workload, ours, theirs)) else {
                continue;
            };
            let what = format!("{}, {}, over {}", workload.title(), place(ours), theirs.title());
            verdicts.push(GoalResult::new(&what, Bar::Times(least), times));
        }
    }
    verdicts
}

fn of_bare(cells: &[Cell]) -> Option<GoalResult> {
    let share = share(cells, Workload::PutItem, ServerKind::Durable, ServerKind::Bare)?;
    Some(GoalResult::share("PutItem, durable, of the bare engine", BARE_SHARE_MIN, share))
}

fn tails(cells: &[Cell]) -> Vec<GoalResult> {
    let reads = READS.iter().flat_map(|workload| {
        let kinds = [ServerKind::Memory, ServerKind::Durable];
        kinds.map(|kind| (*workload, kind, READ_TAIL_MAX))
    });
    let writes = WRITES.iter().map(|workload| (*workload, ServerKind::Durable, WRITE_TAIL_MAX));
    let verdict = |(workload, kind, most): (Workload, ServerKind, f64)| {
        let summary = Summary::of(&find(cells, workload, CONNECTIONS, kind)?.samples)?;
        let tail = summary.p99_microseconds.median / summary.p50_microseconds.median;
        let what = format!("{}, {}, p99 of p50", workload.title(), place(kind));
        tail.is_finite().then(|| GoalResult::at_most(&what, most, tail))
    };
    reads.chain(writes).filter_map(verdict).collect()
}

/// What a stream and further indexes cost a writer.
fn costs(cells: &[Cell]) -> Vec<GoalResult> {
    let mut verdicts = Vec::new();
    for kind in [ServerKind::Memory, ServerKind::Durable] {
        let rate = |workload| rate(&find(cells, workload, CONNECTIONS, kind)?.samples);
        let Some(plain) = rate(Workload::PutItem) else { continue };
        if let Some(streamed) = rate(Workload::PutItemStream) {
            let what = format!("PutItem with a stream, {}, of without", place(kind));
            verdicts.push(GoalResult::share(&what, STREAM_SHARE_MIN, streamed / plain));
        }
        if let Some(indexed) = rate(Workload::PutItemIndexes) {
            // Two more indexes than the plain table has, in units of the time that a put takes
            // there.
            let cost = (plain / indexed - 1.0) / 2.0;
            let what = format!("each further index, {}, of a put", place(kind));
            verdicts.push(GoalResult::at_most(&what, 1.0, cost));
        }
    }
    verdicts
}

fn of_footprint(footprint: &Footprint) -> Vec<GoalResult> {
    let start = footprint.start_milliseconds.median;
    let mut verdicts = vec![
        GoalResult::below(
            "start on an empty store",
            Footprint::START_MILLISECONDS_MAX,
            start,
            "ms",
        ),
        GoalResult::below(
            "binary",
            Footprint::BINARY_MEGABYTES_MAX,
            footprint.binary_megabytes,
            "MB",
        ),
    ];
    verdicts.extend(
        footprint.idle_megabytes.map(|idle| {
            GoalResult::below("idle memory", Footprint::IDLE_MEGABYTES_MAX, idle, "MB")
        }),
    );
    verdicts
}

fn share(cells: &[Cell], workload: Workload, of: ServerKind, to: ServerKind) -> Option<f64> {
    share_of(find(cells, workload, CONNECTIONS, of)?, cells, to)
}

fn place(kind: ServerKind) -> &'static str {
    if kind == ServerKind::Durable { "durable" } else { "in memory" }
}

#[cfg(test)]
mod tests {
    use monotable_bench::statistics::Spread;

    use super::*;
    use crate::comparison::testing::cell;

    fn footprint() -> Footprint {
        Footprint {
            start_milliseconds: Spread { median: 10.0, least: 9.0, most: 11.0 },
            idle_megabytes: Some(31.0),
            binary_megabytes: 7.0,
        }
    }

    fn judged(cells: &[Cell]) -> Vec<String> {
        let line = |verdict: GoalResult| {
            let word = if verdict.is_met { "met" } else { "missed" };
            format!("{}: {} {word}", verdict.goal, verdict.figure)
        };
        judge(cells, &footprint()).into_iter().map(line).collect()
    }

    #[test]
    fn goals_without_figures_are_left_out() {
        assert_eq!(
            judged(&[]),
            [
                "start on an empty store < 50 ms: 10.0 ms met",
                "binary < 20 MB: 7.0 MB met",
                "idle memory < 30 MB: 31.0 MB missed",
            ]
        );
    }

    #[test]
    fn a_share_is_met_from_its_limit_on() {
        let get = |kind, rate| cell(Workload::GetItem, 16, kind, &[rate]);
        let cells = [
            get(ServerKind::Parsing, 100),
            get(ServerKind::Memory, 60),
            get(ServerKind::Durable, 59),
            get(ServerKind::Dynoxide, 12),
            get(ServerKind::DynoxideFile, 20),
        ];
        assert_eq!(
            judged(&cells)[..6],
            [
                "GetItem, in memory, of parsing ≥ 60 %: 60 % met",
                "GetItem, durable, of parsing ≥ 60 %: 59 % missed",
                "GetItem, in memory, over dynoxide 3.2.0, in memory ≥ 5.0 ×: 5.0 × met",
                "GetItem, durable, over dynoxide 3.2.0, file ≥ 5.0 ×: 3.0 × missed",
                "GetItem, in memory, p99 of p50 ≤ 5.0 ×: 1.0 × met",
                "GetItem, durable, p99 of p50 ≤ 5.0 ×: 1.0 × met",
            ]
        );
    }

    #[test]
    fn writes_are_held_against_the_engine_streams_and_indexes() {
        let durable = |workload, rate| cell(workload, 16, ServerKind::Durable, &[rate]);
        let cells = [
            durable(Workload::PutItem, 60),
            cell(Workload::PutItem, 16, ServerKind::Bare, &[80]),
            durable(Workload::PutItemStream, 42),
            durable(Workload::PutItemIndexes, 30),
        ];
        assert_eq!(
            judged(&cells)[..4],
            [
                "PutItem, durable, of the bare engine ≥ 70 %: 75 % met",
                "PutItem, durable, p99 of p50 ≤ 10.0 ×: 1.0 × met",
                "PutItem with a stream, durable, of without ≥ 75 %: 70 % missed",
                "each further index, durable, of a put ≤ 1.0 ×: 0.5 × met",
            ]
        );
    }

    #[test]
    fn other_numbers_of_connections_are_no_goals() {
        let cells = [
            cell(Workload::GetItem, 64, ServerKind::Parsing, &[100]),
            cell(Workload::GetItem, 64, ServerKind::Memory, &[1]),
        ];
        assert_eq!(judged(&cells).len(), 3);
    }
}

//! `/_monotable/insights`: what calls were in their models, which keys are hot, and what drifts.

use monotable_observe::{
    CheckMode, DURATION_BOUNDS_MICROS, DriftEntry, EntityReport, HotKey, KeyReport, ModelReport,
    PatternReport, TableReport,
};
use serde_json::{Value, json};

use crate::handler::Handler;

/// Everything that was seen.
pub(super) fn report<H: Handler>(handler: &H, now_millis: u64) -> Value {
    let Some(observer) = handler.observer() else { return json!({ "models": [] }) };
    let report = observer.report(now_millis);
    let mode = match report.mode {
        CheckMode::Off => "off",
        CheckMode::Warn => "warn",
        CheckMode::Reject => "reject",
    };
    json!({
        "check": mode,
        "models": report.models.iter().map(model).collect::<Vec<_>>(),
        "tables": report.tables.iter().map(|one| table(one, 0.0)).collect::<Vec<_>>(),
    })
}

fn table(report: &TableReport, seconds: f64) -> Value {
    let keys = report.keys.iter().map(|one| keys(one, seconds));
    json!({ "name": report.name, "keys": keys.collect::<Vec<_>>() })
}

fn model(report: &ModelReport) -> Value {
    let seconds = report.seconds;
    let patterns = report.patterns.iter().map(|one| pattern(one, seconds));
    json!({
        "name": report.name,
        "account": report.account,
        "loadedAt": report.loaded_millis,
        "seconds": seconds,
        "patterns": patterns.collect::<Vec<_>>(),
        "undecided": pattern(&report.undecided, seconds),
        "unmatched": pattern(&report.unmatched, seconds),
        "entities": report.entities.iter().map(|one| entity(one, seconds)).collect::<Vec<_>>(),
        "tables": report.tables.iter().map(|one| table(one, seconds)).collect::<Vec<_>>(),
        "drift": report.drift.iter().map(drift).collect::<Vec<_>>(),
        "otherDrift": report.other_drift,
    })
}

fn pattern(report: &PatternReport, seconds: f64) -> Value {
    let mut pattern = traffic(report, seconds);
    let estimate = json!({
        "requestsPerSecond": report.estimated_rate,
        "unitsPerRequest": report.estimated_units,
        "itemsPerRequest": report.estimated_rows,
    });
    if let Some(members) = pattern.as_object_mut() {
        members.insert("name".to_owned(), json!(report.name));
        members.insert("estimate".to_owned(), estimate);
    }
    pattern
}

/// What was counted of one pattern, or of several together.
fn traffic(report: &PatternReport, seconds: f64) -> Value {
    let rate = (seconds > 0.0).then(|| report.requests as f64 / seconds);
    json!({
        "requests": report.requests,
        "requestsPerSecond": rate,
        "readUnits": report.read_units,
        "writeUnits": report.write_units,
        "unitsPerRequest": report.units(),
        "items": report.items,
        "itemsThrownAway": report.discarded,
        "errors": report.errors,
        "throttles": report.throttles,
        "microseconds": {
            "mean": report.mean_micros,
            "median": report.median_micros,
            "p99": report.p99_micros,
            "histogram": histogram(&report.durations),
        },
    })
}

/// How many requests took how long, without the parts that have none. The last part has no end.
fn histogram(durations: &[u64]) -> Vec<Value> {
    let ends = DURATION_BOUNDS_MICROS.iter().map(Some).chain([None]);
    let parts = ends.zip(durations).filter(|(_, count)| **count > 0);
    parts.map(|(end, count)| json!({ "upTo": end, "count": count })).collect()
}

fn entity(report: &EntityReport, seconds: f64) -> Value {
    json!({
        "name": report.name,
        "reads": report.reads,
        "writes": report.writes,
        "itemsPut": report.puts,
        "bytesPut": report.put_bytes,
        "patterns": report.patterns.as_ref().map(|patterns| traffic(patterns, seconds)),
    })
}

fn keys(report: &KeyReport, seconds: f64) -> Value {
    let all = |keys: &[HotKey]| keys.iter().map(hot_key).collect::<Vec<_>>();
    let counted = |of: &Option<PatternReport>| of.as_ref().map(|one| traffic(one, seconds));
    json!({
        "index": report.index,
        "patterns": counted(&report.patterns),
        "undecided": counted(&report.undecided),
        "unmatched": counted(&report.unmatched),
        "mostAccessed": all(&report.accessed),
        "mostThrottled": all(&report.throttled),
        "mostAccessedItems": all(&report.accessed_items),
        "mostThrottledItems": all(&report.throttled_items),
    })
}

fn hot_key(key: &HotKey) -> Value {
    json!({ "key": key.key, "count": key.count, "countAtLeast": key.count_min })
}

fn drift(entry: &DriftEntry) -> Value {
    let newest = &entry.newest;
    json!({
        "table": newest.table,
        "entity": newest.entity,
        "attribute": newest.attribute,
        "index": newest.index,
        "fault": newest.fault.name(),
        "meaning": newest.fault.text(),
        "found": newest.found,
        "expected": newest.expected,
        "count": entry.count,
        "refused": entry.refused,
    })
}

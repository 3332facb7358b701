//! A report of insights as lines of text.

use serde_json::Value;

use super::Sort;
use crate::output::{self, Style};

/// The cells of a bar.
const BAR_CELLS: usize = 12;
/// How many keys of a table or index are shown.
const KEYS_SHOWN: usize = 5;
/// How many patterns of a model are shown at least.
const PATTERNS_SHOWN_MIN: usize = 3;
/// The cells of all columns but the first and the bars.
const COLUMNS_CELLS: usize = 56;
/// The cells of a name at least.
const NAME_CELLS_MIN: usize = 16;

/// How the report is laid out.
#[derive(Debug, Clone, Copy)]
struct Layout {
    sort: Sort,
    width: usize,
    /// How many patterns of a model are shown at most.
    patterns_max: usize,
    /// How many keys of a table or index are shown at most.
    keys_max: usize,
}

impl Layout {
    /// With all that there is to show.
    fn whole(sort: Sort, width: usize) -> Layout {
        Layout { sort, width, patterns_max: usize::MAX, keys_max: KEYS_SHOWN }
    }
}

/// Returns whether an answer is a report.
pub(super) fn is_report(answer: &Value) -> bool {
    lines(answer, Sort::Name, NAME_CELLS_MIN).is_some()
}

/// The report, in so many cells. Nothing if it is none.
pub(super) fn lines(report: &Value, sort: Sort, width: usize) -> Option<Vec<String>> {
    lines_of(report, Layout::whole(sort, width))
}

/// The report in so many lines, if that can be: the last patterns are left out, and then the last
/// keys, so that something of everything is seen.
pub(super) fn lines_in(
    report: &Value,
    sort: Sort,
    (width, height): (usize, usize),
) -> Option<Vec<String>> {
    let whole = Layout::whole(sort, width);
    let all = lines_of(report, whole)?;
    if all.len() <= height {
        return Some(all);
    }
    let with = |patterns_max, keys_max| {
        lines_of(report, Layout { patterns_max, keys_max, ..whole }).unwrap_or_default()
    };
    let fits = |patterns_max, keys_max| with(patterns_max, keys_max).len() <= height;
    let keys_max = (1..=KEYS_SHOWN).rev().find(|keys_max| fits(PATTERNS_SHOWN_MIN, *keys_max));
    let keys_max = keys_max.unwrap_or(1);
    // The most patterns that there is room for, between these.
    let (mut least, mut most) = (PATTERNS_SHOWN_MIN, all.len().max(PATTERNS_SHOWN_MIN));
    while least < most {
        let middle = most - (most - least) / 2;
        if fits(middle, keys_max) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    Some(with(least, keys_max))
}

fn lines_of(report: &Value, layout: Layout) -> Option<Vec<String>> {
    let models = report.get("models")?.as_array()?;
    let mut lines = Vec::new();
    if models.is_empty() {
        lines.push("no model is loaded; start monotable serve --model FILE".to_owned());
    }
    for model in models {
        lines.extend(model_lines(model, layout)?);
    }
    // Those without a model for which Contributor Insights are enabled.
    if report.get("tables").is_some() {
        lines.extend(key_lines(report, layout)?);
    }
    Some(lines)
}

fn model_lines(model: &Value, layout: Layout) -> Option<Vec<String>> {
    let seconds = model.get("seconds")?.as_f64()?;
    let title = format!("{} · {}", text(model, "name"), lasted(seconds));
    let mut lines = vec![output::styled(Style::Strong, &title), String::new()];
    lines.extend(pattern_lines(model, layout)?);
    lines.extend(key_lines(model, layout)?);
    lines.extend(drift_lines(model, layout.width)?);
    lines.push(String::new());
    Some(lines)
}

fn pattern_lines(model: &Value, layout: Layout) -> Option<Vec<String>> {
    let Layout { sort, width, patterns_max, .. } = layout;
    let mut patterns: Vec<&Value> = model.get("patterns")?.as_array()?.iter().collect();
    patterns.retain(|pattern| count(pattern, "requests") > 0);
    match sort {
        Sort::Requests => patterns.sort_by_key(|one| std::cmp::Reverse(count(one, "requests"))),
        Sort::Errors => patterns
            .sort_by_key(|one| std::cmp::Reverse(count(one, "errors") + count(one, "throttles"))),
        Sort::Units => patterns.sort_by(|a, b| units(b).total_cmp(&units(a))),
        Sort::Name => patterns.sort_by_key(|one| text(one, "name")),
    }
    // There are no bars where there is no room for them.
    let has_bars = width >= COLUMNS_CELLS + BAR_CELLS + 1 + NAME_CELLS_MIN;
    let bar_cells = if has_bars { BAR_CELLS + 1 } else { 0 };
    let name_cells = width.saturating_sub(COLUMNS_CELLS + bar_cells).max(NAME_CELLS_MIN);
    let mut lines = vec![format!(
        "{:name_cells$} {:>9}{:bar_cells$} {:>7} {:>7} {:>5} {:>7} {:>7} {:>7}",
        "pattern", "requests", "", "units", "model", "", "thrown", "p99 ms", "refused"
    )];
    let most = patterns.iter().map(|one| count(one, "requests")).max().unwrap_or(0).max(1);
    let undecided = model.get("undecided")?;
    let unmatched = model.get("unmatched")?;
    let rest = [("(of several patterns)", undecided), ("(of no pattern)", unmatched)];
    let rest = rest.into_iter().filter(|(_, one)| count(one, "requests") > 0);
    let rest = rest.map(|(name, one)| (name.to_owned(), one)).chain(unmatched_parts(model));
    let hidden = patterns.len().saturating_sub(patterns_max);
    let named = patterns.into_iter().take(patterns_max).map(|one| (text(one, "name"), one));
    for (name, pattern) in named.chain(rest) {
        let bar = if has_bars { bar(count(pattern, "requests"), most) } else { String::new() };
        let bar = format!("{:bar_cells$}", format!(" {bar}").trim_end());
        lines.push(pattern_line(&name, pattern, &bar, name_cells));
    }
    if hidden > 0 {
        lines.push(format!("({hidden} more patterns with --once)"));
    }
    Some(lines)
}

/// What is of no pattern by table and index, if there are several of these.
fn unmatched_parts(model: &Value) -> Vec<(String, &Value)> {
    let parts = parts(model).filter(|parts| parts.len() > 1).unwrap_or_default();
    let counted = parts.into_iter().filter_map(|(place, part)| {
        let unmatched = part.get("unmatched").filter(|one| count(one, "requests") > 0)?;
        Some((format!("  on {place}"), unmatched))
    });
    counted.collect()
}

/// The tables and indexes of a model with their names.
fn parts(model: &Value) -> Option<Vec<(String, &Value)>> {
    let mut parts = Vec::new();
    for table in model.get("tables")?.as_array()? {
        for part in table.get("keys")?.as_array()? {
            let place = match part.get("index").and_then(Value::as_str) {
                Some(_) => format!("{}.{}", text(table, "name"), text(part, "index")),
                None => text(table, "name"),
            };
            parts.push((place, part));
        }
    }
    Some(parts)
}

fn pattern_line(name: &str, pattern: &Value, bar: &str, name_cells: usize) -> String {
    let requests = count(pattern, "requests");
    let observed = number(pattern, &["unitsPerRequest"]);
    let estimated = number(pattern, &["estimate", "unitsPerRequest"]);
    let shown = |units: Option<f64>| units.map(|units| format!("{units:.1}")).unwrap_or_default();
    let p99 = number(pattern, &["microseconds", "p99"]).map(|micros| micros / 1000.0);
    let p99 = p99.map(|millis| format!("{millis:.1}")).unwrap_or_default();
    let refused = count(pattern, "errors") + count(pattern, "throttles");
    format!(
        "{:name_cells$} {requests:>9}{bar} {:>7} {:>7} {:>5} {:>7} {p99:>7} {refused:>7}",
        shortened(name, name_cells),
        shown(observed),
        shown(estimated),
        deviation(observed, estimated),
        count(pattern, "itemsThrownAway"),
    )
}

/// By how much an observation is off its estimate: `×2.0`, or nothing if it is near.
fn deviation(observed: Option<f64>, estimated: Option<f64>) -> String {
    match (observed, estimated) {
        (Some(observed), Some(estimated)) if estimated > 0.0 => {
            let ratio = observed / estimated;
            match ratio {
                0.8..=1.25 => "ok".to_owned(),
                100.0.. => format!("×{ratio:.0}"),
                _ => format!("×{ratio:.1}"),
            }
        }
        (_, _) => String::new(),
    }
}

fn key_lines(model: &Value, layout: Layout) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    for (place, part) in parts(model)? {
        for (member, title) in [
            ("mostAccessed", "hot keys"),
            ("mostThrottled", "throttled"),
            ("mostAccessedItems", "hot items"),
            ("mostThrottledItems", "throttled items"),
        ] {
            let Some(keys) = part.get(member).and_then(Value::as_array) else { continue };
            let Some(most) = keys.first().map(|key| count(key, "count")) else { continue };
            lines.extend([String::new(), format!("{title} of {place}")]);
            lines.extend(keys.iter().take(layout.keys_max).map(|key| {
                let requests = count(key, "count");
                let name = key.get("key").and_then(Value::as_str).unwrap_or("?");
                let name = printable(name);
                format!("  {requests:>9} {:BAR_CELLS$} {name}", bar(requests, most))
            }));
        }
    }
    Some(lines)
}

fn drift_lines(model: &Value, width: usize) -> Option<Vec<String>> {
    let entries = model.get("drift")?.as_array()?;
    if entries.is_empty() {
        return Some(Vec::new());
    }
    let mut lines = vec![String::new(), "writes that do not fit".to_owned()];
    for entry in entries {
        let entity = printable(entry.get("entity").and_then(Value::as_str).unwrap_or("?"));
        let mut line = format!(
            "  {:>9} {entity}.{}: {:?}",
            count(entry, "count"),
            text(entry, "attribute"),
            entry.get("found").and_then(Value::as_str).unwrap_or_default(),
        );
        if let Some(expected) = entry.get("expected").and_then(Value::as_str) {
            line += &format!(", expected {expected:?}");
        }
        let meaning = format!("({})", text(entry, "meaning"));
        if line.chars().count() + 1 + meaning.chars().count() <= width {
            lines.push(format!("{line} {meaning}"));
        } else {
            lines.extend([line, format!("{:12}{meaning}", "")]);
        }
    }
    Some(lines)
}

/// How long a model is watched, in its two largest units.
fn lasted(seconds: f64) -> String {
    let seconds = seconds.round().max(0.0) as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, _, _) => format!("{hours} h {} min", minutes % 60),
        (_, _, _) => format!("{days} d {} h", hours % 24),
    }
}

fn bar(value: u64, most: u64) -> String {
    let cells = (value * BAR_CELLS as u64).div_ceil(most.max(1)).min(BAR_CELLS as u64);
    "█".repeat(usize::try_from(cells).unwrap_or_default())
}

fn shortened(text: &str, cells: usize) -> String {
    if text.chars().count() <= cells {
        return text.to_owned();
    }
    text.chars().take(cells.saturating_sub(1)).chain(['…']).collect()
}

/// A text of the report, which may be one that a client has made up.
fn text(value: &Value, member: &str) -> String {
    printable(value.get(member).and_then(Value::as_str).unwrap_or_default())
}

/// A text that a terminal only shows: what would move the cursor, change colours or turn the
/// direction of writing stands there as its number.
pub(super) fn printable(text: &str) -> String {
    let escaped = text.escape_debug().to_string();
    // Quotes do a terminal no harm.
    escaped.replace("\\\"", "\"").replace("\\'", "'")
}

fn count(value: &Value, member: &str) -> u64 {
    value.get(member).and_then(Value::as_u64).unwrap_or_default()
}

fn units(pattern: &Value) -> f64 {
    let units = |member| number(pattern, &[member]).unwrap_or_default();
    units("readUnits") + units("writeUnits")
}

fn number(value: &Value, path: &[&str]) -> Option<f64> {
    path.iter().try_fold(value, |value, member| value.get(member))?.as_f64()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn patterns_keys_and_drift_are_shown_the_most_frequent_first() {
        let pattern = |name: &str, requests: u64, units: f64, estimated: f64| {
            json!({
                "name": name, "requests": requests, "unitsPerRequest": units, "itemsThrownAway": 3,
                "errors": 1, "throttles": 0, "microseconds": { "p99": 1500 },
                "estimate": { "unitsPerRequest": estimated },
            })
        };
        let key = json!({ "key": "CUSTOMER#alex", "count": 7 });
        let report = json!({ "models": [{
            "name": "shop", "seconds": 61.2,
            "patterns": [
                pattern("rare", 1, 0.5, 0.5),
                pattern("frequent", 40, 6.0, 3.0),
                pattern("never", 0, 0.0, 1.0),
            ],
            "undecided": { "requests": 0 },
            "unmatched": { "requests": 2 },
            "tables": [{ "name": "Shop", "keys": [
                {
                    "index": null, "mostAccessed": [key], "mostThrottled": [],
                    "unmatched": { "requests": 0 },
                },
                {
                    "index": "GSI1", "mostAccessed": [], "mostThrottled": [],
                    "unmatched": { "requests": 2 },
                },
            ] }],
            "drift": [{
                "entity": "Order", "attribute": "SK",
                "found": "ORDER#17", "expected": "ORDER#000017",
                "meaning": "a number lacks its leading zeros", "count": 4,
            }],
        }] });
        let lines = lines(&report, Sort::Requests, 100).unwrap();
        let expected = r#"shop · 1 min 1 s

pattern                          requests                units   model        thrown  p99 ms refused
frequent                               40 ████████████     6.0     3.0  ×2.0       3     1.5       1
rare                                    1 █                0.5     0.5    ok       3     1.5       1
(of no pattern)                         2 █                                        0               0
  on Shop.GSI1                          2 █                                        0               0

hot keys of Shop
          7 ████████████ CUSTOMER#alex

writes that do not fit
          4 Order.SK: "ORDER#17", expected "ORDER#000017" (a number lacks its leading zeros)
"#;
        assert_eq!(lines.join("\n"), expected);
    }

    #[test]
    fn keys_and_drift_are_seen_however_many_patterns_there_are() {
        let patterns: Vec<Value> = (0..34)
            .map(|number| json!({ "name": format!("p{number}"), "requests": 100 - number }))
            .collect();
        let keys: Vec<Value> =
            (0..5).map(|number| json!({ "key": format!("k{number}"), "count": 9 })).collect();
        let report = json!({ "models": [{
            "name": "shop", "seconds": 1, "patterns": patterns, "undecided": {},
            "unmatched": { "requests": 2 },
            "tables": [{ "name": "Shop", "keys": [{ "index": null, "mostAccessed": keys }] }],
            "drift": [{ "entity": "Order", "attribute": "SK", "found": "x", "count": 4 }],
        }] });
        // All of it has 49 lines: 34 patterns, 5 keys, a misfit, and what stands between them.
        let shown =
            [(60, 34, 5), (49, 34, 5), (48, 32, 5), (23, 7, 5), (19, 3, 5), (17, 3, 3), (15, 3, 1)];
        for (height, patterns, keys) in shown {
            let lines = lines_in(&report, Sort::Requests, (100, height)).unwrap();
            let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
            let is_key = |line: &&String| line.contains('█') && line.contains(" k");
            let shown_keys = lines.iter().filter(is_key).count();
            assert_eq!((count("p") - 1, shown_keys), (patterns, keys), "{height}: {lines:#?}");
            assert!(lines.len() <= height, "{height}: {lines:#?}");
            assert_eq!(count("(of no pattern)") + count("writes that"), 2);
            assert_eq!(count("("), 1 + usize::from(patterns < 34));
        }
        // There is nothing left to be left out.
        assert_eq!(lines_in(&report, Sort::Requests, (100, 4)).unwrap().len(), 15);
    }

    #[test]
    fn nothing_that_a_client_made_up_reaches_the_terminal_as_a_command() {
        let evil = "a\u{1b}]0;owned\u{7}\u{1b}[2Jb\r\n\u{9b}31m\u{202e}\"'é";
        let pattern = json!({ "name": evil, "requests": 1 });
        let key = json!({ "key": evil, "count": 7 });
        let keys = json!({ "index": evil, "mostAccessed": [key], "mostThrottled": [key] });
        let tables = json!([{ "name": evil, "keys": [keys] }]);
        let report = json!({ "tables": tables, "models": [{
            "name": evil, "seconds": 1, "patterns": [pattern], "undecided": {}, "unmatched": {},
            "tables": tables,
            "drift": [{
                "entity": evil, "attribute": evil, "found": evil, "expected": evil,
                "meaning": evil, "count": 4,
            }],
        }] });
        let lines = lines(&report, Sort::Name, 300).unwrap();
        let is_harmless = |c: char| !c.is_control() && c != '\u{202e}';
        assert!(lines.iter().all(|line| line.chars().all(is_harmless)), "{lines:#?}");
        let shown = r#"a\u{1b}]0;owned\u{7}\u{1b}[2Jb\r\n\u{9b}31m\u{202e}"'é"#;
        let count = lines.iter().filter(|line| line.contains(shown)).count();
        assert_eq!(count, 12, "{lines:#?}");
    }

    #[test]
    fn keys_of_tables_without_a_model_are_shown() {
        let key = json!({ "key": "alex", "count": 7 });
        let keys = json!([{ "index": null, "mostAccessed": [key], "mostThrottled": [] }]);
        let report = json!({ "models": [], "tables": [{ "name": "Shop", "keys": keys }] });
        let lines = lines(&report, Sort::Requests, 100).unwrap();
        assert_eq!(lines[1..], ["", "hot keys of Shop", "          7 ████████████ alex"]);
    }

    #[test]
    fn a_narrow_terminal_has_room_for_figures_but_not_for_bars() {
        let pattern = json!({ "name": "customer and newest orders", "requests": 1_000_000 });
        let model = json!({
            "patterns": [pattern], "undecided": {}, "unmatched": { "requests": 1 },
        });
        for width in [80, 84, 85, 140] {
            let lines = pattern_lines(&model, Layout::whole(Sort::Requests, width)).unwrap();
            assert!(lines.iter().all(|line| line.chars().count() == width), "{lines:#?}");
            assert_eq!(lines[1].contains('█'), width >= 85, "{width}");
        }
    }

    #[test]
    fn why_a_write_does_not_fit_has_a_line_of_its_own_where_there_is_no_room() {
        let model = json!({ "drift": [{
            "entity": "Order", "attribute": "SK", "found": "#ORDER-8",
            "expected": "#ORDER#{OrderId:ksuid}",
            "meaning": "the key has the form of no entity", "count": 3,
        }] });
        let shown = drift_lines(&model, 80).unwrap();
        assert_eq!(
            shown[2..],
            [
                r##"          3 Order.SK: "#ORDER-8", expected "#ORDER#{OrderId:ksuid}""##,
                "            (the key has the form of no entity)",
            ]
        );
        assert_eq!(drift_lines(&model, 120).unwrap().len(), 3);
    }

    #[test]
    fn a_period_is_shown_in_its_two_largest_units() {
        let cases =
            [(9.6, "10 s"), (61.2, "1 min 1 s"), (7_325.0, "2 h 2 min"), (200_000.0, "2 d 7 h")];
        for (seconds, expected) in cases {
            assert_eq!(lasted(seconds), expected);
        }
    }

    #[test]
    fn a_server_without_models_says_how_to_load_one() {
        let lines = lines(&json!({ "models": [] }), Sort::Requests, 80).unwrap();
        assert_eq!(lines, ["no model is loaded; start monotable serve --model FILE"]);
        assert_eq!(super::lines(&json!({}), Sort::Requests, 80), None);
    }
}

//! `monotable model observe`: what a server saw of a model, beside what the model says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use hyper::Method;
use monotable_database::Clock;
use monotable_model::document::{Comments, Entity, Model, Operation, Tree, write_with_comments};
use monotable_observe::estimates;
use monotable_plan::cost::EntitySize;
use monotable_plan::plan_all;
use serde_json::Value;

use super::file::ModelFile;
use super::rendering::{self, Output, OutputArguments, object};
use crate::commands::clock::call;
use crate::endpoint::EndpointArguments;
use crate::outcome::Outcome;
use crate::output;
use crate::system::SystemClock;
use crate::time::parse_interval;

/// An observation so near to its estimate is no difference.
const TOLERANCE: f64 = 0.25;
/// Of a pattern that is estimated to be asked less often than this in the time, none may be asked
/// by chance: one time in 150.
const EXPECTED_REQUESTS_MIN: f64 = 5.0;

const EXAMPLES: &str = "\
Examples:
  Which estimates of the model are wrong, and by how much, since the server has loaded it?
      monotable serve --model shop.toml
      monotable model observe shop.toml

  Only what happens in the next hour:
      monotable model observe shop.toml --for 1h

  Put the observed rates, rows and sizes into the model, whose comments stay:
      monotable model observe shop.toml --for 1h --write
      monotable model cost shop.toml

Ends with 0 if all estimates are near what was observed, and with 1 if not.";

/// Compare a model with what a server sees of it, and take over what was observed
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Observe {
    /// The model file
    file: PathBuf,

    #[command(flatten)]
    endpoint: EndpointArguments,

    /// Watch for so long; without it, all counts since the model was loaded
    #[arg(long = "for", value_name = "DURATION", value_parser = parse_interval)]
    period: Option<Duration>,

    /// Write the observed rates, rows of queries and sizes of items into the model file
    #[arg(long)]
    write: bool,

    #[command(flatten)]
    output: OutputArguments,
}

/// What was observed.
#[derive(Debug, Clone, PartialEq)]
struct Observation {
    /// Whether the server has loaded the model anew meanwhile, and has counted from then on.
    is_reloaded: bool,
    patterns: Vec<ObservedPattern>,
    entities: Vec<ObservedEntity>,
}

/// What was observed of an entity, and what the model says.
#[derive(Debug, Clone, PartialEq)]
struct ObservedEntity {
    entity: String,
    /// How many items were written whole.
    items: f64,
    /// The bytes of one of them.
    bytes: f64,
    estimated_bytes: Option<f64>,
}

/// What was observed of a pattern, and what the model says.
#[derive(Debug, Clone, PartialEq)]
struct ObservedPattern {
    pattern: String,
    requests: f64,
    rate: f64,
    estimated_rate: Option<f64>,
    /// Units of a request; none if no request was done.
    units: Option<f64>,
    estimated_units: Option<f64>,
    /// Rows of a request; none if no request was done.
    rows: Option<f64>,
    estimated_rows: Option<f64>,
}

/// Prints the comparison.
pub(super) fn run(arguments: &Observe) -> Result<Outcome> {
    let (source, document) = ModelFile::open(&arguments.file)?.into_document()?;
    let (observed, watched) = arguments.observe(&document.model)?;
    if watched != source.text() {
        let (name, file) = (&document.model.name, arguments.file.display());
        eprintln!(
            "note: the server watches another text of the model {name}: what that has counted is \
             compared with {file}"
        );
    }
    if observed.is_reloaded {
        eprintln!(
            "note: the server has loaded the model anew meanwhile: this is what it saw since"
        );
    }
    match arguments.output.output {
        Output::Text => print_text(&observed)?,
        Output::Json => rendering::json(&report(&observed))?,
    }
    if arguments.write {
        write(&arguments.file, &observed)?;
    }
    let is_wrong = observed.patterns.iter().any(|one| !one.faults().is_empty())
        || observed.entities.iter().any(|one| one.fault().is_some());
    Ok(if is_wrong { Outcome::Negative } else { Outcome::Done })
}

/// Puts what was observed into the file as it is by then: it may have been edited while the server
/// was watched.
fn write(path: &Path, observed: &Observation) -> Result<()> {
    let file = ModelFile::open(path)?;
    let format = file.format;
    let (source, mut document) = file.into_document()?;
    take_over(&mut document.model, observed);
    let comments = Comments::of(source.text(), &document.places);
    let written = write_with_comments(&document.model, format, &comments);
    std::fs::write(path, written).with_context(|| format!("cannot write {}", path.display()))
}

impl Observe {
    /// What was observed in the period, and the text of the model that the server has.
    fn observe(&self, model: &Model) -> Result<(Observation, String)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let address = self.endpoint.address();
        let url = format!("{address}/_monotable/insights");
        let fetch = || -> Result<Value> {
            let report = runtime.block_on(call(Method::GET, &url, &Value::Null))?;
            let models = report.get("models").and_then(Value::as_array);
            let is_it =
                |one: &&Value| one.get("name").and_then(Value::as_str) == Some(model.name.as_str());
            let found = models.and_then(|models| models.iter().find(is_it)).cloned();
            found.with_context(|| {
                let name = &model.name;
                format!("{address} watches no model {name}; start monotable serve --model FILE")
            })
        };
        let before = match self.period {
            Some(period) => {
                let before = fetch()?;
                runtime.block_on(SystemClock.sleep(period));
                Some(before)
            }
            None => None,
        };
        let observed = Observation::of(model, &fetch()?, before.as_ref());
        let observed = observed.context("the answer is not a report of insights")?;
        let name: String = model.name.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let url = format!("{address}/_monotable/models?name={name}");
        let watched = runtime.block_on(call(Method::GET, &url, &Value::Null))?;
        let text = watched.get("text").and_then(Value::as_str);
        Ok((observed, text.context("the answer is not a model")?.to_owned()))
    }
}

impl Observation {
    /// What was observed from one report to the next, or up to the only one.
    fn of(model: &Model, after: &Value, before: Option<&Value>) -> Option<Observation> {
        let is_same = |before: &&Value| before.get("loadedAt") == after.get("loadedAt");
        let comparable = before.filter(is_same);
        Some(Observation {
            is_reloaded: before.is_some() && comparable.is_none(),
            patterns: patterns(model, after, comparable)?,
            entities: entities(model, after, comparable)?,
        })
    }
}

/// The member of a list that has this name.
fn named<'v>(report: Option<&'v Value>, list: &str, name: &str) -> Option<&'v Value> {
    let mut members = report?.get(list)?.as_array()?.iter();
    members.find(|one| one.get("name").and_then(Value::as_str) == Some(name))
}

/// The patterns that were asked from one report to the next, or up to the only one, and those that
/// should have been. They are compared with what this model says, whatever the server has read.
fn patterns(model: &Model, after: &Value, before: Option<&Value>) -> Option<Vec<ObservedPattern>> {
    let estimates = estimates(model, &plan_all(model));
    let names = model.patterns.iter().map(|pattern| pattern.name.as_str());
    let said: BTreeMap<_, _> = names.zip(estimates).collect();
    let earlier = |path: &[&str]| before.and_then(|before| number(before, path)).unwrap_or(0.0);
    let seconds = number(after, &["seconds"])? - earlier(&["seconds"]);
    let patterns = after.get("patterns")?.as_array()?;
    let mut all = Vec::new();
    for pattern in patterns {
        let name = pattern.get("name")?.as_str()?;
        let Some(said) = said.get(name) else { continue };
        let earlier = named(before, "patterns", name);
        let grown = |member: &str| {
            let before = earlier.and_then(|one| number(one, &[member])).unwrap_or(0.0);
            number(pattern, &[member]).unwrap_or(0.0) - before
        };
        let requests = grown("requests");
        // What is refused is counted without units and rows.
        let done = requests - grown("errors") - grown("throttles");
        let of_one = |sum: f64| (done > 0.0).then(|| sum / done);
        let expected = said.rate.unwrap_or(0.0) * seconds;
        let is_asked = requests > 0.0;
        if seconds <= 0.0 || !is_asked && expected < EXPECTED_REQUESTS_MIN {
            continue;
        }
        let units = grown("readUnits") + grown("writeUnits");
        all.push(ObservedPattern {
            pattern: name.to_owned(),
            requests,
            rate: requests / seconds,
            estimated_rate: said.rate,
            units: of_one(units),
            estimated_units: said.units,
            rows: of_one(grown("items")),
            estimated_rows: said.rows,
        });
    }
    Some(all)
}

/// The entities of which items were written whole.
fn entities(model: &Model, after: &Value, before: Option<&Value>) -> Option<Vec<ObservedEntity>> {
    let mut all = Vec::new();
    for entity in after.get("entities")?.as_array()? {
        let name = entity.get("name")?.as_str()?;
        let earlier = named(before, "entities", name);
        let grown = |member: &str| {
            let before = earlier.and_then(|one| number(one, &[member])).unwrap_or(0.0);
            number(entity, &[member]).unwrap_or(0.0) - before
        };
        let (items, said) = (grown("itemsPut"), model.entity(name));
        if let Some(said) = said.filter(|_| items > 0.0) {
            all.push(ObservedEntity {
                entity: name.to_owned(),
                items,
                bytes: grown("bytesPut") / items,
                estimated_bytes: estimated_bytes(model, said),
            });
        }
    }
    Some(all)
}

/// The bytes of an item by the model; none if it is in no table.
fn estimated_bytes(model: &Model, entity: &Entity) -> Option<f64> {
    let table = entity.tables.first().and_then(|name| model.table(name))?;
    Some(EntitySize::of(model, table, entity).item_bytes as f64)
}

impl ObservedEntity {
    /// The estimate, if it is wrong, in words.
    fn fault(&self) -> Option<String> {
        fault("bytes an item", self.bytes, self.estimated_bytes?)
    }
}

impl ObservedPattern {
    /// The estimates that are wrong, in words.
    fn faults(&self) -> Vec<String> {
        let compared = [
            ("requests a second", Some(self.rate), self.estimated_rate),
            ("units a request", self.units, self.estimated_units),
            ("rows a request", self.rows, self.estimated_rows),
        ];
        compared.into_iter().filter_map(|(what, seen, said)| fault(what, seen?, said?)).collect()
    }
}

fn fault(what: &str, seen: f64, said: f64) -> Option<String> {
    let is_near = (seen - said).abs() <= TOLERANCE * said.max(seen);
    if is_near {
        return None;
    }
    let ratio = if said > 0.0 { format!(", ×{:.2}", seen / said) } else { String::new() };
    Some(format!("{what}: {} observed, {} in the model{ratio}", short(seen), short(said)))
}

fn short(number: f64) -> String {
    if number >= 100.0 { format!("{number:.0}") } else { format!("{number:.2}") }
}

fn print_text(observed: &Observation) -> Result<()> {
    if observed.patterns.iter().all(|one| one.requests <= 0.0) {
        output::line("no access pattern was asked")?;
    }
    for one in &observed.patterns {
        print_verdict(&one.pattern, &format!("{:.0} requests", one.requests), &one.faults())?;
    }
    for one in &observed.entities {
        let faults: Vec<String> = one.fault().into_iter().collect();
        print_verdict(&one.entity, &format!("{:.0} items put", one.items), &faults)?;
    }
    Ok(())
}

fn print_verdict(name: &str, count: &str, faults: &[String]) -> Result<()> {
    let verdict = if faults.is_empty() { "as the model says" } else { "not as the model says" };
    output::line(&format!("{name}: {count}, {verdict}"))?;
    faults.iter().try_for_each(|fault| output::line(&format!("  {fault}")))?;
    Ok(())
}

fn report(observed: &Observation) -> Tree {
    let number = |number: f64| Tree::Number(short(number));
    let optional = |value: Option<f64>| value.map_or(Tree::Null, number);
    let pattern = |one: &ObservedPattern| {
        let faults = one.faults().into_iter().map(Tree::String).collect();
        object([
            ("pattern", Tree::String(one.pattern.clone())),
            ("requests", number(one.requests)),
            ("requestsPerSecond", number(one.rate)),
            ("estimatedRequestsPerSecond", optional(one.estimated_rate)),
            ("unitsPerRequest", optional(one.units)),
            ("estimatedUnitsPerRequest", optional(one.estimated_units)),
            ("itemsPerRequest", optional(one.rows)),
            ("estimatedItemsPerRequest", optional(one.estimated_rows)),
            ("wrong", Tree::List(faults)),
        ])
    };
    let entity = |one: &ObservedEntity| {
        object([
            ("entity", Tree::String(one.entity.clone())),
            ("itemsPut", number(one.items)),
            ("bytesPerItem", number(one.bytes)),
            ("estimatedBytesPerItem", optional(one.estimated_bytes)),
            ("wrong", Tree::List(one.fault().into_iter().map(Tree::String).collect())),
        ])
    };
    object([
        ("patterns", Tree::List(observed.patterns.iter().map(pattern).collect())),
        ("entities", Tree::List(observed.entities.iter().map(entity).collect())),
    ])
}

/// Puts what was observed into the model. A pattern that was not asked keeps its rate: the time may
/// have been one in which nobody asks it.
fn take_over(model: &mut Model, observed: &Observation) {
    for one in observed.patterns.iter().filter(|one| one.requests > 0.0) {
        let pattern = model.patterns.iter_mut().find(|pattern| pattern.name == one.pattern);
        let Some(pattern) = pattern else { continue };
        pattern.rate = Some(rounded(one.rate));
        let reads_pages = matches!(pattern.operation, Operation::Query | Operation::Scan);
        if let Some(rows) = one.rows
            && (reads_pages || pattern.rows.is_some())
        {
            pattern.rows = Some(rounded(rows));
        }
    }
    for one in &observed.entities {
        let entity = model.entities.iter_mut().find(|entity| entity.name == one.entity);
        if let Some(entity) = entity {
            entity.average_bytes = Some((one.bytes.round() as u64).max(1));
        }
    }
}

/// A number of three digits that count.
fn rounded(number: f64) -> f64 {
    if number <= 0.0 {
        return 0.0;
    }
    let scale = 10_f64.powf(2.0 - number.log10().floor());
    (number * scale).round() / scale
}

fn number(value: &Value, path: &[&str]) -> Option<f64> {
    path.iter().try_fold(value, |value, member| value.get(member))?.as_f64()
}

#[cfg(test)]
mod tests {
    use monotable_model::document::Format;
    use serde_json::json;

    use super::*;

    fn insights(seconds: f64, requests: u64, items: u64) -> Value {
        json!({ "seconds": seconds, "patterns": [{
            "name": "orders", "requests": requests, "readUnits": requests as f64 * 0.5,
            "writeUnits": 0.0, "items": items,
            // Those of another text of the model, which the server has read.
            "estimate": {
                "requestsPerSecond": 1.0, "unitsPerRequest": 2.0, "itemsPerRequest": 3.0,
            },
        }], "entities": [
            { "name": "Order", "itemsPut": requests, "bytesPut": requests * 300 },
            { "name": "_unknown", "itemsPut": 1, "bytesPut": 7 },
        ] })
    }

    const TEXT: &str = r##"
            format = 1
            name = "shop"
            [tables.shop]
            partition_key = "pk"
            [entities.Order]
            key = { partition = "ORDER#{number}" }
            attributes = { number = "S" }
            average_bytes = 100
            [patterns.orders]
            operation = "scan"
            returns = ["Order"]
            rows = 11
            rate = 20
            [patterns."of one"]
            operation = "query"
            returns = ["Order"]
            by = ["number"]
            [patterns.one]
            operation = "get"
            entity = "Order"
            by = ["number"]
    "##;

    fn model() -> Model {
        let read = monotable_model::document::read(TEXT, Format::Toml);
        read.unwrap_or_else(|wrong| panic!("{wrong:?}")).model
    }

    fn observation(after: &Value, before: Option<&Value>) -> Observation {
        Observation::of(&model(), after, before).unwrap()
    }

    #[test]
    fn a_period_is_what_lies_between_two_reports() {
        let (before, after) = (insights(10.0, 100, 1000), insights(20.0, 150, 1150));
        let Observation { patterns: all, entities, .. } = observation(&after, Some(&before));
        assert_eq!((all[0].requests, all[0].rate, all[0].rows), (50.0, 5.0, Some(3.0)));
        assert_eq!(
            all[0].faults(),
            [
                "requests a second: 5.00 observed, 20.00 in the model, ×0.25",
                "rows a request: 3.00 observed, 11.00 in the model, ×0.27",
            ]
        );
        assert_eq!(entities.len(), 1);
        assert_eq!(
            entities[0].fault().unwrap(),
            "bytes an item: 300 observed, 100 in the model, ×3.00"
        );
        assert!(observation(&after, Some(&after)).patterns.is_empty());
        assert!(observation(&after, Some(&after)).entities.is_empty());
    }

    #[test]
    fn what_is_refused_says_nothing_about_units_and_rows_but_counts_as_asked() {
        let mut seen = insights(10.0, 200, 1100);
        let pattern = &mut seen["patterns"][0];
        pattern["readUnits"] = json!(50.0);
        pattern["errors"] = json!(60);
        pattern["throttles"] = json!(40);
        let observed = observation(&seen, None);
        let found = &observed.patterns[0];
        assert_eq!((found.units, found.rows, found.rate), (Some(0.5), Some(11.0), 20.0));
        assert!(found.faults().is_empty());
        seen["patterns"][0]["errors"] = json!(160);
        seen["entities"] = json!([]);
        let mut taken = model();
        take_over(&mut taken, &observation(&seen, None));
        assert_eq!(taken, model());
    }

    #[test]
    fn a_pattern_that_only_the_server_knows_is_left_out() {
        let mut seen = insights(10.0, 200, 2200);
        seen["patterns"][0]["name"] = json!("orders of before");
        assert!(observation(&seen, None).patterns.is_empty());
    }

    #[test]
    fn a_pattern_that_is_never_asked_is_reported_and_keeps_its_rate() {
        let seen = |seconds: f64| insights(seconds, 0, 0);
        let observed = observation(&seen(10.0), None);
        assert_eq!(
            observed.patterns[0].faults(),
            ["requests a second: 0.00 observed, 20.00 in the model, ×0.00"]
        );
        let mut taken = model();
        take_over(&mut taken, &observed);
        assert_eq!(taken, model());
        // Within a fifth of a second four requests are expected, which may all be late.
        assert!(observation(&seen(0.2), None).patterns.is_empty());
    }

    #[test]
    fn what_was_counted_of_a_model_that_was_loaded_anew_is_all_that_there_is() {
        let mut before = insights(100.0, 1000, 9000);
        before["loadedAt"] = json!(1);
        let mut after = insights(10.0, 60, 660);
        after["loadedAt"] = json!(2);
        let observed = observation(&after, Some(&before));
        assert!(observed.is_reloaded);
        assert_eq!((observed.patterns[0].requests, observed.patterns[0].rate), (60.0, 6.0));
    }

    #[test]
    fn patterns_and_entities_of_two_reports_are_those_of_one_name() {
        let (mut before, mut after) = (insights(10.0, 100, 1000), insights(20.0, 150, 1150));
        let other = json!({ "name": "other", "requests": 7, "itemsPut": 7, "bytesPut": 7 });
        before["patterns"].as_array_mut().unwrap().insert(0, other.clone());
        after["entities"].as_array_mut().unwrap().insert(0, other);
        let observed = observation(&after, Some(&before));
        assert_eq!((observed.patterns[0].requests, observed.entities[0].items), (50.0, 50.0));
    }

    #[test]
    fn what_is_observed_is_written_into_the_file_as_it_is_by_then() {
        let directory = tempfile::TempDir::new().unwrap();
        let path = directory.path().join("shop.toml");
        let observed = observation(&insights(30.0, 100, 700), None);
        let edited = TEXT.replace("number = \"S\"", "number = \"S\", day = \"S\"");
        let edited = format!("# Edited meanwhile.\n{edited}");
        std::fs::write(&path, edited).unwrap();
        write(&path, &observed).unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        for part in ["# Edited meanwhile.", "day = \"S\"", "rate = 3.33"] {
            assert!(written.contains(part), "{written}");
        }
    }

    #[test]
    fn what_was_observed_becomes_the_workload() {
        let mut model = model();
        take_over(&mut model, &observation(&insights(30.0, 100, 700), None));
        assert_eq!((model.patterns[0].rate, model.patterns[0].rows), (Some(3.33), Some(7.0)));
        assert_eq!(model.entities[0].average_bytes, Some(300));
    }

    #[test]
    fn rows_of_queries_are_taken_over_whether_the_model_says_any_or_not() {
        let mut model = model();
        let pattern = |name: &str| json!({ "name": name, "requests": 10, "items": 25 });
        let patterns = [pattern("of one"), pattern("one")];
        let seen = json!({ "seconds": 5, "patterns": patterns, "entities": [] });
        take_over(&mut model, &observation(&seen, None));
        let rows: Vec<_> = model.patterns.iter().map(|pattern| pattern.rows).collect();
        assert_eq!(rows, [Some(11.0), Some(2.5), None]);
    }

    #[test]
    fn numbers_are_rounded_to_three_digits() {
        for (number, expected) in [(0.0, 0.0), (1234.5, 1230.0), (0.012_345, 0.012_3), (7.0, 7.0)] {
            assert!((rounded(number) - expected).abs() < 1e-9, "{number}");
        }
    }
}

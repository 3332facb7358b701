//! `monotable model observe`: what a server saw of a model, beside what the model says.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use hyper::Method;
use monotable_database::Clock;
use monotable_model::document::{Comments, Entity, Model, Operation, Tree, write_with_comments};
use monotable_plan::cost::EntitySize;
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
    units: f64,
    estimated_units: Option<f64>,
    rows: f64,
    estimated_rows: Option<f64>,
}

/// Prints the comparison.
pub(super) fn run(arguments: &Observe) -> Result<Outcome> {
    let file = ModelFile::open(&arguments.file)?;
    let format = file.format;
    let (source, mut document) = file.into_document()?;
    let observed = arguments.observe(&document.model)?;
    match arguments.output.output {
        Output::Text => print_text(&observed)?,
        Output::Json => rendering::json(&report(&observed))?,
    }
    if arguments.write {
        take_over(&mut document.model, &observed);
        let comments = Comments::of(source.text(), &document.places);
        let written = write_with_comments(&document.model, format, &comments);
        std::fs::write(&arguments.file, written)
            .with_context(|| format!("cannot write {}", arguments.file.display()))?;
    }
    let is_wrong = observed.patterns.iter().any(|one| !one.faults().is_empty())
        || observed.entities.iter().any(|one| one.fault().is_some());
    Ok(if is_wrong { Outcome::Negative } else { Outcome::Done })
}

impl Observe {
    /// What was observed in the period.
    fn observe(&self, model: &Model) -> Result<Observation> {
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
        let after = fetch()?;
        let patterns = patterns(&after, before.as_ref());
        let entities = entities(model, &after, before.as_ref());
        let observed = patterns.zip(entities);
        let observed = observed.map(|(patterns, entities)| Observation { patterns, entities });
        observed.context("the answer is not a report of insights")
    }
}

/// The patterns that were asked from one report to the next, or up to the only one.
fn patterns(after: &Value, before: Option<&Value>) -> Option<Vec<ObservedPattern>> {
    let earlier = |path: &[&str]| before.and_then(|before| number(before, path)).unwrap_or(0.0);
    let seconds = number(after, &["seconds"])? - earlier(&["seconds"]);
    let patterns = after.get("patterns")?.as_array()?;
    let known = before.and_then(|before| before.get("patterns")?.as_array());
    let mut all = Vec::new();
    for (position, pattern) in patterns.iter().enumerate() {
        let earlier = known.and_then(|known| known.get(position));
        let grown = |member: &str| {
            let before = earlier.and_then(|one| number(one, &[member])).unwrap_or(0.0);
            number(pattern, &[member]).unwrap_or(0.0) - before
        };
        let requests = grown("requests");
        if requests <= 0.0 || seconds <= 0.0 {
            continue;
        }
        all.push(ObservedPattern {
            pattern: pattern.get("name")?.as_str()?.to_owned(),
            requests,
            rate: requests / seconds,
            estimated_rate: number(pattern, &["estimate", "requestsPerSecond"]),
            units: (grown("readUnits") + grown("writeUnits")) / requests,
            estimated_units: number(pattern, &["estimate", "unitsPerRequest"]),
            rows: grown("items") / requests,
            estimated_rows: number(pattern, &["estimate", "itemsPerRequest"]),
        });
    }
    Some(all)
}

/// The entities of which items were written whole.
fn entities(model: &Model, after: &Value, before: Option<&Value>) -> Option<Vec<ObservedEntity>> {
    let known = before.and_then(|before| before.get("entities")?.as_array());
    let mut all = Vec::new();
    for (position, entity) in after.get("entities")?.as_array()?.iter().enumerate() {
        let earlier = known.and_then(|known| known.get(position));
        let grown = |member: &str| {
            let before = earlier.and_then(|one| number(one, &[member])).unwrap_or(0.0);
            number(entity, &[member]).unwrap_or(0.0) - before
        };
        let name = entity.get("name")?.as_str()?;
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
            ("requests a second", self.rate, self.estimated_rate),
            ("units a request", self.units, self.estimated_units),
            ("rows a request", self.rows, self.estimated_rows),
        ];
        compared.into_iter().filter_map(|(what, seen, said)| fault(what, seen, said?)).collect()
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
    if observed.patterns.is_empty() {
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
            ("unitsPerRequest", number(one.units)),
            ("estimatedUnitsPerRequest", optional(one.estimated_units)),
            ("itemsPerRequest", number(one.rows)),
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

/// Puts what was observed into the model.
fn take_over(model: &mut Model, observed: &Observation) {
    for one in &observed.patterns {
        let pattern = model.patterns.iter_mut().find(|pattern| pattern.name == one.pattern);
        let Some(pattern) = pattern else { continue };
        pattern.rate = Some(rounded(one.rate));
        let reads_pages = matches!(pattern.operation, Operation::Query | Operation::Scan);
        if reads_pages || pattern.rows.is_some() {
            pattern.rows = Some(rounded(one.rows));
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
            "name": "orders", "requests": requests, "readUnits": requests as f64 * 2.0,
            "writeUnits": 0.0, "items": items,
            "estimate": {
                "requestsPerSecond": 20.0, "unitsPerRequest": 2.0, "itemsPerRequest": 11.0,
            },
        }], "entities": [
            { "name": "Order", "itemsPut": requests, "bytesPut": requests * 300 },
            { "name": "_unknown", "itemsPut": 1, "bytesPut": 7 },
        ] })
    }

    fn model() -> Model {
        let text = r##"
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
            [patterns."of one"]
            operation = "query"
            returns = ["Order"]
            by = ["number"]
            [patterns.one]
            operation = "get"
            entity = "Order"
            by = ["number"]
        "##;
        let read = monotable_model::document::read(text, Format::Toml);
        read.unwrap_or_else(|wrong| panic!("{wrong:?}")).model
    }

    fn observation(after: &Value, before: Option<&Value>) -> Observation {
        let (patterns, entities) = (patterns(after, before), entities(&model(), after, before));
        Observation { patterns: patterns.unwrap(), entities: entities.unwrap() }
    }

    #[test]
    fn a_period_is_what_lies_between_two_reports() {
        let (before, after) = (insights(10.0, 100, 1000), insights(20.0, 150, 1150));
        let Observation { patterns: all, entities } = observation(&after, Some(&before));
        assert_eq!((all[0].requests, all[0].rate, all[0].rows), (50.0, 5.0, 3.0));
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

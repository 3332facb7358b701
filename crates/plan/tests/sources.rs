//! The planner finds, for each access pattern of the sources, the requests that the source gives.
//!
//! A file in `sources/` holds the access patterns of one model. Each has the words of the source,
//! the patterns of the model that it became, and the requests that the source gives, in the names
//! of the model:
//!
//! ```text
//! Query GSI1: GSI1PK = ORDER#{OrderId} [AND GSI1SK < {last}], descending, limit 11, filter Status = :status
//! ```
//!
//! Brackets are around what may be left out. Where the source names no direction, any will do.
//! `ours` are the requests of the planner if they differ, `leaks` the entities that may come back
//! besides, and `why` says why that is no worse.

use std::path::{Path, PathBuf};

use monotable_model::document::{Format, Model, Order, read};
use monotable_plan::{FanOut, FilterPlan, KeyPart, PlannedAction, PlannedRequest, QueryPlan, plan};
use toml::{Table, Value};

/// The access patterns of the sources, and those where the planner answers otherwise.
const PATTERNS: usize = 206;
const DIFFERENT: usize = 8;

fn model(name: &str) -> Model {
    read(&monotable_model_fixture::example(name).text, Format::Toml)
        .unwrap_or_else(|found| panic!("{found:#?}"))
        .model
}

/// The models of the sources, each with its access patterns.
fn sources() -> Vec<(Model, Vec<Table>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let source = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut table: Table = text.parse().unwrap();
        let Some(Value::Array(patterns)) = table.remove("pattern") else { panic!("{file:?}") };
        let patterns = patterns.into_iter().map(|pattern| match pattern {
            Value::Table(pattern) => pattern,
            other => panic!("{other:?} is no access pattern"),
        });
        (model(file.file_stem().unwrap().to_str().unwrap()), patterns.collect())
    };
    files.map(source).collect()
}

fn texts(pattern: &Table, member: &str) -> Option<Vec<String>> {
    let texts = pattern.get(member)?.as_array().unwrap().iter();
    Some(texts.map(|text| text.as_str().unwrap().to_owned()).collect())
}

/// The requests that the planner makes of the patterns of an access pattern.
fn planned(model: &Model, source: &Table) -> Vec<PlannedRequest> {
    let names = texts(source, "patterns").unwrap();
    let plans = names.iter().map(|name| {
        let pattern = model.pattern(name).unwrap_or_else(|| panic!("{}: {name}", model.name));
        plan(model, pattern)
    });
    plans
        .inspect(|plan| assert!(plan.is_served(), "{plan:#?}"))
        .flat_map(|plan| plan.steps)
        .collect()
}

/// A request in the words of the sources; one line for each member of a batch or transaction.
fn lines(request: &PlannedRequest) -> Vec<String> {
    let (operation, members) = match &request.action {
        PlannedAction::BatchGet(members) => ("BatchGetItem", members),
        PlannedAction::BatchWrite(members) => ("BatchWriteItem", members),
        PlannedAction::TransactGet(members) => ("TransactGetItems", members),
        PlannedAction::TransactWrite(members) => ("TransactWriteItems", members),
        _ => return vec![without_encodings(&line(request))],
    };
    let key = |member: &PlannedRequest| format!("{operation} {}: {}", member.target, key(member));
    members.iter().map(|member| without_encodings(&key(member))).collect()
}

/// A request as the sources write it, who name attributes and say elsewhere how they are written.
fn without_encodings(line: &str) -> String {
    let mut bare = String::new();
    let mut is_encoding = false;
    let mut depth = 0_usize;
    for character in line.chars() {
        match character {
            '{' => depth += 1,
            '}' | '…' => is_encoding = false,
            ':' if depth > 0 => is_encoding = true,
            _ => {}
        }
        if character == '}' {
            depth = depth.saturating_sub(1);
        }
        if !is_encoding {
            bare.push(character);
        }
    }
    bare
}

fn line(request: &PlannedRequest) -> String {
    let target = &request.target;
    let line = match &request.action {
        PlannedAction::Query(query) => {
            let condition = condition(query, request.without_range.is_some());
            format!("Query {target}: {condition}{}", reading(query))
        }
        PlannedAction::Scan(scan) => format!("Scan {target}{}", filter(&scan.filter)),
        PlannedAction::Get(_) => format!("GetItem {target}: {}", key(request)),
        PlannedAction::Put(_) => format!("PutItem {target}: {}", key(request)),
        PlannedAction::Update(_) => format!("UpdateItem {target}: {}", key(request)),
        PlannedAction::Delete(_) => format!("DeleteItem {target}: {}", key(request)),
        other => panic!("no source has {other:?}"),
    };
    request.fan_out.iter().fold(line, |line, fan_out| line + &repeats(fan_out))
}

fn key(request: &PlannedRequest) -> String {
    let parts = match &request.action {
        PlannedAction::Get(get) => &get.key,
        PlannedAction::Put(put) => &put.key,
        PlannedAction::Update(update) => &update.key,
        PlannedAction::Delete(delete) | PlannedAction::Check(delete) => &delete.key,
        other => panic!("{other:?} is about no single item"),
    };
    conditions(parts).join(" AND ")
}

fn conditions(parts: &[KeyPart]) -> Vec<String> {
    parts.iter().map(|part| format!("{} = {}", part.attribute, part.text)).collect()
}

fn condition(query: &QueryPlan, optional: bool) -> String {
    match &query.sort {
        Some((attribute, sort)) if optional => {
            let whole = conditions(&query.partition).join(" AND ");
            format!("{whole} [AND {}]", sort.describe(attribute))
        }
        Some(_) | None => query.condition_words(),
    }
}

fn reading(query: &QueryPlan) -> String {
    let order = match query.order {
        Order::Ascending => ", ascending",
        Order::Descending => ", descending",
    };
    let limit = query.limit.map(|limit| format!(", limit {limit}")).unwrap_or_default();
    format!("{order}{limit}{}", filter(&query.filter))
}

fn filter(filter: &FilterPlan) -> String {
    let declared = filter.declared.iter().map(ToString::to_string);
    let all: Vec<String> = declared.chain(filter.added.iter().map(|added| added.words())).collect();
    if all.is_empty() { String::new() } else { format!(", filter {}", all.join(" AND ")) }
}

fn repeats(fan_out: &FanOut) -> String {
    match fan_out {
        FanOut::Shards { count, .. } => format!(", for each of {count} shards"),
        FanOut::Tables(tables) => format!(", in each of {}", tables.join(", ")),
        FanOut::Periods { .. } | FanOut::PeriodTables { .. } | FanOut::Copies { .. } => {
            String::new()
        }
    }
}

/// The planner's line without its direction where the source names none.
fn as_exact_as(line: &str, source: &str) -> String {
    let directions = [", ascending", ", descending"];
    let names_one = directions.iter().any(|direction| source.contains(direction));
    let without = |line: String, direction: &&str| line.replace(*direction, "");
    if names_one { line.to_owned() } else { directions.iter().fold(line.to_owned(), without) }
}

/// The entities that queries return and nobody wants. A scan reads everything anyway.
fn leaks(requests: &[PlannedRequest]) -> Vec<String> {
    let queries = requests.iter().filter_map(|request| match &request.action {
        PlannedAction::Query(query) => Some(query),
        _ => None,
    });
    queries.flat_map(|query| query.collection.leaks().map(str::to_owned)).collect()
}

#[test]
fn the_planner_finds_what_the_sources_give_or_something_better() {
    let (mut count, mut different) = (0, 0);
    for (model, patterns) in sources() {
        for source in &patterns {
            let place = format!("{}: {:?}", model.name, source["source"]);
            let requests = planned(&model, source);
            let found: Vec<String> = requests.iter().flat_map(lines).collect();
            let given = texts(source, "requests").unwrap();
            let expected = texts(source, "ours").unwrap_or_else(|| given.clone());
            assert_eq!(found.len(), expected.len(), "{place}: {found:#?}");
            let found: Vec<String> = found
                .iter()
                .zip(&expected)
                .map(|(line, source)| as_exact_as(line, source))
                .collect();
            assert_eq!(found, expected, "{place}");
            let leaking = texts(source, "leaks").unwrap_or_default();
            assert_eq!(leaks(&requests), leaking, "{place}");
            let explains = expected != given || !leaking.is_empty();
            assert_eq!(explains, source.contains_key("why"), "{place}");
            count += 1;
            different += usize::from(expected != given);
        }
    }
    assert_eq!((count, different), (PATTERNS, DIFFERENT));
}

#[test]
fn every_pattern_of_the_models_is_in_a_source_or_a_step_of_one() {
    for (model, patterns) in sources() {
        let named: Vec<String> =
            patterns.iter().flat_map(|source| texts(source, "patterns").unwrap()).collect();
        for pattern in &model.patterns {
            let is_step = |name: &String| {
                let steps = model.pattern(name).into_iter().flat_map(|outer| &outer.steps);
                steps.into_iter().any(|step| step.pattern == pattern.name)
            };
            let is_known = named.contains(&pattern.name) || named.iter().any(is_step);
            assert!(is_known, "{}: {}", model.name, pattern.name);
        }
    }
}

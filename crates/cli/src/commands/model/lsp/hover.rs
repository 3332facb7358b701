//! What there is to know about what stands at a byte.

use monotable_item::{Item, Value as ItemValue};
use monotable_model::diagnostic::Span;
use monotable_model::document::{Document, Entity, Model};
use monotable_model::template::KeySet;
use monotable_plan::cost::{
    DEFAULT_REGION, Estimate, PatternCost, Settings, money, number, prices_of,
};
use monotable_plan::plan;

use super::occurrence::step_pattern;
use super::schema_member;

/// How many samples are shown.
const SAMPLES_MAX: usize = 3;

/// Markdown about what stands at a byte, and the bytes that it is about.
pub(super) fn hover(document: &Document, at: usize) -> Option<(String, Span)> {
    let member = document.places.at(at)?;
    let on_name = member.key.filter(|key| key.start <= at && at <= key.end);
    let steps = member.place.steps();
    let words: Vec<&str> = steps.iter().map(String::as_str).collect();
    let model = &document.model;
    let mut text = match words.as_slice() {
        ["entities", name, rest @ ..] if is_about_keys(rest) => keys_of(model, name)?,
        ["patterns", name, ..] => pattern_text(model, name)?,
        ["tests", test, "steps", number, "pattern"] => {
            pattern_text(model, step_pattern(model, test, number)?)?
        }
        _ => String::new(),
    };
    if let Some(meaning) = meaning(&steps) {
        text = format!("{meaning}\n\n{text}");
    }
    let text = text.trim().to_owned();
    (!text.is_empty()).then(|| (text, on_name.unwrap_or(member.value)))
}

/// What the schema says about a member. Numbers of elements are no part of its path.
fn meaning(steps: &[String]) -> Option<&'static str> {
    let is_name = |step: &&String| !step.bytes().all(|byte| byte.is_ascii_digit());
    let path: Vec<String> = steps.iter().filter(is_name).cloned().collect();
    schema_member::meaning(&path)
}

fn is_about_keys(rest: &[&str]) -> bool {
    match rest {
        [] | ["key" | "indexes", ..] => true,
        [_, ..] => false,
    }
}

/// The keys of an entity, as its samples have them.
fn keys_of(model: &Model, name: &str) -> Option<String> {
    let entity = model.entity(name)?;
    let samples = model.samples.iter().filter(|sample| sample.entity == name);
    let items: Vec<Item> =
        samples.filter_map(|sample| model.item_of_sample(sample).ok()).take(SAMPLES_MAX).collect();
    let names = key_names(model, entity);
    if items.is_empty() {
        return Some(format!("**{name}**\n\n{}", templates(entity).join("\n")));
    }
    let mut lines =
        vec![format!("| {} |", names.join(" | ")), format!("|{}", "---|".repeat(names.len()))];
    for item in &items {
        let cells: Vec<String> = names.iter().map(|name| cell(item.get(*name))).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    Some(format!("**{name}**\n\n{}", lines.join("\n")))
}

/// The attributes of the keys that the entity's items have.
fn key_names<'m>(model: &'m Model, entity: &'m Entity) -> Vec<&'m str> {
    let mut names = Vec::new();
    for table in model.tables_of(entity) {
        let indexes = table.indexes.iter().filter(|it| entity.index_key(&it.name).is_some());
        let keys = table.key_attributes().chain(indexes.flat_map(|it| it.key_attributes()));
        for key in keys {
            if !names.contains(&key.name.as_str()) {
                names.push(key.name.as_str());
            }
        }
    }
    names
}

/// The templates of an entity, each with a key that it could build.
fn templates(entity: &Entity) -> Vec<String> {
    let domains = entity.domains();
    let keys = entity.key.iter().chain(entity.indexes.iter().map(|index| &index.keys));
    let templates = keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    templates
        .map(|template| match KeySet::new(template, &domains).example() {
            Some(example) => format!("- `{template}`, such as `{example}`"),
            None => format!("- `{template}`"),
        })
        .collect()
}

fn cell(value: Option<&ItemValue>) -> String {
    match value {
        Some(ItemValue::String(text)) => format!("`{}`", text.replace('|', "\\|")),
        Some(ItemValue::Number(number)) => format!("`{number}`"),
        Some(ItemValue::Binary(bytes)) => format!("{} bytes", bytes.len()),
        Some(_) | None => "–".to_owned(),
    }
}

/// How a pattern is served, and what it costs.
fn pattern_text(model: &Model, name: &str) -> Option<String> {
    let plan = plan(model, model.pattern(name)?);
    let mut lines = vec![format!("**{name}**"), String::new(), "```text".to_owned()];
    lines.extend(plan.lines());
    lines.push("```".to_owned());
    let region = model.workload.region.as_deref().unwrap_or(DEFAULT_REGION);
    if let Some(prices) = prices_of(region).or_else(|| prices_of(DEFAULT_REGION)) {
        let estimate = Estimate::of(model, &Settings::new(prices));
        lines.extend(estimate.patterns.iter().find(|cost| cost.name == name).map(cost_line));
    }
    Some(lines.join("\n"))
}

fn units(count: f64, kind: &str) -> String {
    let count = number(count);
    let noun = if count == "1" { "unit" } else { "units" };
    format!("{count} {kind} {noun}")
}

fn cost_line(cost: &PatternCost) -> String {
    let (mut read, mut write) = (0.0, 0.0);
    for usage in cost.usage.values() {
        for load in usage.indexes.values().chain([&usage.table]) {
            read += load.read;
            write += load.write;
        }
    }
    let units = format!("{}, {} a call", units(read, "read"), units(write, "write"));
    match cost.month {
        Some(month) => format!("{units}; {} a month", money(month)),
        None => units,
    }
}

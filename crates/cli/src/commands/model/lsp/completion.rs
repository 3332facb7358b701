//! What can be typed next.

use monotable_item::Type;
use monotable_lint::rules;
use monotable_model::document::Model;
use monotable_model::template::{ENCODINGS, SHARD_FUNCTIONS};
use monotable_plan::run::{PatternParameter, parameters_of};
use serde_json::{Value, json};

use super::cursor::{At, Cursor};
use super::open_file::OpenFile;
use super::schema_member;

/// The kinds of the protocol that are used here.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Function = 3,
    Field = 5,
    Class = 7,
    Property = 10,
    Word = 20,
}

/// What can stand at a byte.
pub(super) fn completion(file: &OpenFile, offset: usize) -> Vec<Value> {
    if !file.is_model() {
        return Vec::new();
    }
    let cursor = Cursor::new(&file.text, file.format, offset);
    let path: Vec<&str> = cursor.path.iter().map(String::as_str).collect();
    match &cursor.at {
        At::Name(_) => {
            let before = file.text.get(..offset).unwrap_or_default();
            let mut names = file.models().map(|model| names_at(model, &path, before));
            names.find(|items| !items.is_empty()).unwrap_or_else(|| members(&cursor.path))
        }
        At::Text(typed) => {
            let mut texts = file.models().map(|model| texts_at(model, &path, typed));
            texts.find(|items| !items.is_empty()).unwrap_or_else(|| words(&cursor.path))
        }
        At::Value => words(&cursor.path),
    }
}

fn item(label: &str, kind: Kind, detail: &str) -> Value {
    json!({ "label": label, "kind": kind as u8, "detail": detail })
}

fn members(path: &[String]) -> Vec<Value> {
    let members = schema_member::members(path).into_iter();
    members.map(|member| item(member.name, Kind::Property, member.description)).collect()
}

fn words(path: &[String]) -> Vec<Value> {
    schema_member::words(path).into_iter().map(|word| item(word, Kind::Word, "")).collect()
}

/// Names that the model gives, where members have any.
fn names_at(model: &Model, path: &[&str], before: &str) -> Vec<Value> {
    match path {
        ["samples"] | ["tests", _, "samples"] | ["tests", _, "steps", "expect"] => entities(model),
        ["samples", entity]
        | ["tests", _, "samples", entity]
        | ["tests", _, "steps", "expect", entity] => attributes(model, &[*entity]),
        ["tests", _, "steps", "with"] => parameters(model, before),
        ["entities", _, "indexes"] => indexes(model),
        ["patterns", pattern, "by" | "values"]
        | ["patterns", pattern, "actions", "by" | "values"] => of_pattern(model, pattern),
        _ => Vec::new(),
    }
}

fn texts_at(model: &Model, path: &[&str], typed: &str) -> Vec<Value> {
    match path {
        ["entities", entity, "key", "partition" | "sort"]
        | ["entities", entity, "indexes", _, "partition" | "sort"] => {
            in_template(model, entity, typed)
        }
        ["entities", entity, "lock" | "ttl" | "created" | "touched"]
        | ["entities", entity, "unique" | "copies", "attribute"]
        | ["entities", entity, "indexes", _, "when"] => attributes(model, &[*entity]),
        ["entities", _, "variant_of" | "copy_of"]
        | ["entities", _, "unique", "by"]
        | ["relationships", "from" | "to" | "through"]
        | ["patterns", _, "entity" | "returns"]
        | ["patterns", _, "actions", "get" | "put" | "update" | "delete" | "check"] => {
            entities(model)
        }
        ["patterns", _, "index"] => indexes(model),
        ["patterns", _, "table"] | ["entities", _, "table" | "tables"] => tables(model),
        ["patterns", _, "steps"]
        | ["patterns", _, "steps", "pattern"]
        | ["tests", _, "steps", "pattern"] => patterns(model),
        ["tests", _, "steps", "expect"] => {
            let refused = item("refused", Kind::Word, "a condition is not met");
            entities(model).into_iter().chain([refused]).collect()
        }
        ["patterns", pattern, "by" | "values"]
        | ["patterns", pattern, "range" | "filter" | "condition" | "change" | "project"]
        | ["patterns", pattern, "actions", "by" | "values" | "condition" | "change"] => {
            of_pattern(model, pattern)
        }
        ["allow", "rule"] => {
            rules().map(|rule| item(rule.code, Kind::Word, rule.summary)).collect()
        }
        _ => Vec::new(),
    }
}

/// Attributes and shards after a brace, encodings after a colon.
fn in_template(model: &Model, entity: &str, typed: &str) -> Vec<Value> {
    let Some((_, inside)) = typed.rsplit_once('{').filter(|(_, inside)| !inside.contains('}'))
    else {
        return Vec::new();
    };
    if inside.contains(':') {
        let detail = |word: &monotable_model::template::EncodingWord| {
            format!("{} `{}` gives `{}`", word.meaning, word.example, word.key)
        };
        return ENCODINGS.iter().map(|word| item(word.usage, Kind::Word, &detail(word))).collect();
    }
    let shards = SHARD_FUNCTIONS.iter().map(|one| item(one.usage, Kind::Function, one.meaning));
    attributes(model, &[entity]).into_iter().chain(shards).collect()
}

fn entities(model: &Model) -> Vec<Value> {
    let entities = model.entities.iter();
    entities
        .map(|entity| {
            item(&entity.name, Kind::Class, entity.description.as_deref().unwrap_or_default())
        })
        .collect()
}

fn indexes(model: &Model) -> Vec<Value> {
    let indexes = model.tables.iter().flat_map(|table| &table.indexes);
    indexes.map(|index| item(&index.name, Kind::Class, "index")).collect()
}

fn tables(model: &Model) -> Vec<Value> {
    model.tables.iter().map(|table| item(&table.name, Kind::Class, "table")).collect()
}

fn patterns(model: &Model) -> Vec<Value> {
    let patterns = model.patterns.iter();
    patterns.map(|pattern| item(&pattern.name, Kind::Function, "access pattern")).collect()
}

/// The parameters of the pattern that a step of a test names before its arguments.
fn parameters(model: &Model, before: &str) -> Vec<Value> {
    let pattern = named_before(before).and_then(|name| model.pattern(name));
    let parameters = pattern.map(|pattern| parameters_of(model, pattern)).unwrap_or_default();
    let parameter = |parameter: &PatternParameter| {
        let need = if parameter.is_required { "required" } else { "optional" };
        let kind = parameter.kind().map_or("any type", Type::code);
        item(&parameter.name, Kind::Field, &format!("{kind}, {need}"))
    };
    parameters.iter().map(parameter).collect()
}

/// The value of the last member `pattern`, which is written in the same way in every format but for
/// its quotes.
fn named_before(before: &str) -> Option<&str> {
    let (_, after) = before.rsplit_once("pattern")?;
    let value = after.trim_start_matches(['"', '\'', ' ']).strip_prefix(['=', ':'])?.trim_start();
    let quote = value.chars().next()?;
    if matches!(quote, '"' | '\'') {
        return value.get(1..)?.split(quote).next();
    }
    value.lines().next().map(str::trim_end)
}

/// The attributes of the entities of a pattern; of all entities, if it is not known yet.
fn of_pattern(model: &Model, name: &str) -> Vec<Value> {
    let mut names: Vec<&str> = Vec::new();
    if let Some(pattern) = model.pattern(name) {
        names.extend(pattern.entities.iter().map(String::as_str));
        names.extend(pattern.actions.iter().map(|action| action.entity.as_str()));
    }
    if names.is_empty() {
        names.extend(model.entities.iter().map(|entity| entity.name.as_str()));
    }
    attributes(model, &names)
}

fn attributes(model: &Model, entities: &[&str]) -> Vec<Value> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for entity in entities.iter().filter_map(|name| model.entity(name)) {
        for attribute in &entity.attributes {
            if found.iter().all(|(name, _)| *name != attribute.name) {
                found.push((
                    &attribute.name,
                    format!("{} of {}", attribute.kind.code(), entity.name),
                ));
            }
        }
    }
    found.iter().map(|(name, detail)| item(name, Kind::Field, detail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_of_a_step_is_known_in_every_format() {
        for before in [
            "pattern = \"get order\"\nwith = { ",
            "pattern = 'get order'\nwith = { ",
            "{ \"pattern\": \"get order\", \"with\": { \"",
            "  - pattern: get order\n    with:\n      ",
            "pattern = \"put order\"\n\n[[x]]\npattern = \"get order\"\nwith = {",
        ] {
            assert_eq!(named_before(before), Some("get order"), "{before}");
        }
        assert_eq!(named_before("with = { "), None);
    }
}

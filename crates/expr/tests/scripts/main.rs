//! Runs the golden scripts in `testscripts`.
//!
//! A script gives an item and lets expressions meet it. Commands:
//!
//! - `item JSON`, `names JSON`, `values JSON`: what the following commands work with.
//! - `parse condition|projection|update TEXT`: the parsed form, printed.
//! - `condition TEXT`: whether the item meets it.
//! - `project TEXT`: what of the item it selects.
//! - `update TEXT`: the item afterwards, and what the old and the new one have at the targets.
//! - `update_absent TEXT`: the same for an item that is not in the table.
//! - `key TEXT`: the comparisons of a key condition.
//! - `size TEXT`: the bytes of an update.
//! - `statement TEXT`: what a PartiQL statement is about.
//! - `insert TEXT`: the item that an `INSERT` writes.
//! - `select TEXT`: whether the item meets the condition of a `SELECT`, and its columns.
//! - `run TEXT`: the item after an `UPDATE`.
//! - `plan TEXT`: the reads that a condition comes to.
//!
//! A command that fails is written with `!`, and prints its error's data.

mod json;
mod partiql;

use std::error::Error;
use std::path::Path;

use goldenscript::{Command, Context, Runner};
use json::{item, names, print, print_item};
use monotable_expr::{
    Condition, EvaluationError, KeyCondition, Resolver, Update, parse_condition, parse_projection,
    parse_update,
};
use monotable_item::{Item, Value};

/// An error whose message is its data.
fn data(error: impl std::fmt::Debug) -> Box<dyn Error> {
    format!("{error:?}").into()
}

#[derive(Default)]
struct Expressions {
    item: Item,
    names: std::collections::BTreeMap<String, String>,
    values: Item,
}

impl Expressions {
    fn condition(&self, text: &str) -> Result<Condition, Box<dyn Error>> {
        let parsed = parse_condition(text).map_err(data)?;
        Resolver::new(&self.names, &self.values).condition(&parsed).map_err(data)
    }

    fn update(&self, text: &str) -> Result<Update, Box<dyn Error>> {
        let parsed = parse_update(text).map_err(data)?;
        Resolver::new(&self.names, &self.values).update(&parsed).map_err(data)
    }

    fn project(&self, text: &str) -> Result<String, Box<dyn Error>> {
        let parsed = parse_projection(text).map_err(data)?;
        let projection =
            Resolver::new(&self.names, &self.values).projection(&parsed).map_err(data)?;
        Ok(print_item(&projection.project(&self.item)))
    }

    fn key(&self, text: &str) -> Result<String, Box<dyn Error>> {
        let key = KeyCondition::new(&self.condition(text)?).map_err(data)?;
        let lines = key.comparisons().iter().map(|(name, comparison)| {
            use monotable_expr::KeyComparison as Key;
            let (operator, operands): (&str, Vec<&Value>) = match comparison {
                Key::Equal(value) => ("=", vec![value]),
                Key::Less(value) => ("<", vec![value]),
                Key::LessOrEqual(value) => ("<=", vec![value]),
                Key::Greater(value) => (">", vec![value]),
                Key::GreaterOrEqual(value) => (">=", vec![value]),
                Key::Between(lower, upper) => ("between", vec![lower, upper]),
                Key::BeginsWith(value) => ("begins_with", vec![value]),
                Key::NotIndexable => ("?", vec![]),
            };
            let operands: Vec<String> = operands.into_iter().map(print).collect();
            format!("{name} {operator} {}", operands.join(" "))
        });
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    fn changes(&self, update: &Update, new: &Item) -> String {
        let targets = update.targets_as_projection();
        let (old_part, new_part) = (targets.project(&self.item), targets.project(new));
        format!("{}\nold {}\nnew {}", print_item(new), print_item(&old_part), print_item(&new_part))
    }
}

fn parse(kind: &str, text: &str) -> Result<String, Box<dyn Error>> {
    match kind {
        "condition" => parse_condition(text).map(|parsed| parsed.to_string()).map_err(data),
        "projection" => parse_projection(text).map(|parsed| parsed.to_string()).map_err(data),
        "update" => parse_update(text).map(|parsed| parsed.to_string()).map_err(data),
        other => Err(format!("no kind {other}").into()),
    }
}

impl Runner for Expressions {
    type Command = Command;

    fn run(&mut self, command: &Command, _: &Context) -> Result<String, Box<dyn Error>> {
        let mut arguments = command.consume_args();
        let mut next = || arguments.next_pos().ok_or("an argument is missing");
        match command.name.as_str() {
            "item" => self.item = item(next()?),
            "names" => self.names = names(next()?),
            "values" => self.values = item(next()?),
            "parse" => return parse(next()?, next()?),
            "condition" => return Ok(self.condition(next()?)?.matches(&self.item).to_string()),
            "project" => return self.project(next()?),
            "key" => return self.key(next()?),
            "size" => return Ok(self.update(next()?)?.size_bytes().to_string()),
            "update" => {
                let update = self.update(next()?)?;
                let new = update.apply(&self.item).map_err(refusal)?;
                return Ok(self.changes(&update, &new));
            }
            "update_absent" => {
                let update = self.update(next()?)?;
                let new = update.apply_to_absent(&self.item).map_err(refusal)?;
                let created = if update.creates_item() { "created" } else { "not created" };
                return Ok(format!("{created} {}", print_item(&new)));
            }
            "statement" => return partiql::statement(next()?),
            "insert" => return partiql::insert(next()?),
            "select" => return partiql::select(next()?, &self.item),
            "run" => return partiql::update(next()?, &self.item),
            "plan" => return partiql::plan(next()?),
            other => return Err(format!("no command {other}").into()),
        }
        arguments.reject_next()?;
        Ok(String::new())
    }
}

/// Why an update cannot be applied.
fn refusal(error: EvaluationError) -> Box<dyn Error> {
    match error {
        EvaluationError::Update(error) => data(error),
        EvaluationError::Corrupt(corrupt) => corrupt.into(),
    }
}

/// The scripts of a topic, each of which states in its first comment the facts it proves.
fn run_topic(topic: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testscripts").join(topic);
    let mut scripts: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.sort();
    for script in scripts {
        goldenscript::run(&mut Expressions::default(), &script).unwrap();
    }
}

#[test]
fn parse_scripts() {
    run_topic("parse");
}

#[test]
fn condition_scripts() {
    run_topic("condition");
}

#[test]
fn projection_scripts() {
    run_topic("projection");
}

#[test]
fn update_scripts() {
    run_topic("update");
}

#[test]
fn key_condition_scripts() {
    run_topic("key_condition");
}

#[test]
fn partiql_scripts() {
    run_topic("partiql");
}

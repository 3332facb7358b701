//! The commands about PartiQL statements.

use std::error::Error;

use monotable_expr::Condition;
use monotable_expr::partiql::{Bound, KeyPlan, PartiqlError, Statement, parse};
use monotable_item::Item;

use crate::json::print_item;
use crate::{data, refusal};

/// An error as its data and its place.
fn placed(error: &PartiqlError) -> Box<dyn Error> {
    format!("{:?} at {}", error.kind(), error.place()).into()
}

fn bound(text: &str) -> Result<(Statement, Bound), Box<dyn Error>> {
    let statement = parse(text).map_err(|error| placed(&error))?;
    let bound = statement.bind(&[]).map_err(|error| placed(&error))?;
    Ok((statement, bound))
}

/// What a statement is about.
pub(crate) fn statement(text: &str) -> Result<String, Box<dyn Error>> {
    let statement = parse(text).map_err(|error| placed(&error))?;
    let mut lines = vec![format!("{:?} {}", statement.kind(), statement.table())];
    lines.extend(statement.index().map(|index| format!("index {index}")));
    if statement.parameter_count() > 0 {
        lines.push(format!("{} parameters", statement.parameter_count()));
    }
    if let Some(columns) = statement.columns() {
        let paths: Vec<String> = columns.paths().iter().map(ToString::to_string).collect();
        lines.push(format!("columns {}", paths.join(", ")));
    }
    for key in statement.order() {
        lines.push(format!("by {}{}", key.path, if key.descends { " descending" } else { "" }));
    }
    lines.extend(statement.returning().map(|returning| format!("returning {returning}")));
    for attribute in ["Artist", "SongTitle", "Genre"] {
        if statement.pins(attribute) {
            lines.push(format!("pins {attribute}"));
        }
    }
    Ok(lines.join("\n"))
}

/// The item that a statement inserts.
pub(crate) fn insert(text: &str) -> Result<String, Box<dyn Error>> {
    match bound(text)?.1 {
        Bound::Insert { item } => Ok(print_item(&item)),
        other => Err(data(other)),
    }
}

/// Whether a statement selects an item, and what of it.
pub(crate) fn select(text: &str, item: &Item) -> Result<String, Box<dyn Error>> {
    let (statement, bound) = bound(text)?;
    let Bound::Select { condition } = bound else { return Err(data(bound)) };
    let selects = condition.is_none_or(|condition| condition.matches(item));
    let columns = statement.columns().map(|columns| print_item(&columns.of(item)));
    Ok(format!("{selects} {}", columns.unwrap_or_default()).trim().to_owned())
}

/// The item after a statement.
pub(crate) fn update(text: &str, item: &Item) -> Result<String, Box<dyn Error>> {
    match bound(text)?.1 {
        Bound::Update { update, .. } => Ok(print_item(&update.apply(item).map_err(refusal)?)),
        other => Err(data(other)),
    }
}

/// The reads that a condition comes to.
pub(crate) fn plan(text: &str) -> Result<String, Box<dyn Error>> {
    let (_, bound) = bound(&format!("SELECT * FROM t WHERE {text}"))?;
    let Bound::Select { condition: Some(condition) } = bound else { return Err(data(bound)) };
    let Some(plan) = planned(&condition)? else { return Ok("scan".to_owned()) };
    let mut lines = vec![if plan.is_exact() { "exact" } else { "filtered" }.to_owned()];
    for read in plan.reads().map_err(data)? {
        lines.push(format!("{:?} {:?}", read.partition, read.sort));
    }
    Ok(lines.join("\n"))
}

fn planned(condition: &Condition) -> Result<Option<KeyPlan>, Box<dyn Error>> {
    KeyPlan::new(condition, "pk", Some("sk")).map_err(data)
}

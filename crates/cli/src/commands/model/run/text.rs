//! A run for people.

use std::io;

use monotable_model::document::{Index, Model, Pattern, Table};
use monotable_plan::run::{PatternParameter, parameters_of};
use monotable_plan::{Request, value_text};

use super::outcome::{Played, PlayedRequest, Row, estimated};
use crate::commands::model::rendering::counted;
use crate::output::{self, Style, styled};

/// Cells are cut after this many characters.
const CELL_CHARS_MAX: usize = 60;
/// The last column holds all attributes but the keys, and is longer.
const ATTRIBUTES_CHARS_MAX: usize = 120;

/// Lists the patterns of a model with what they need to know.
pub(super) fn print_patterns(model: &Model) -> io::Result<()> {
    for pattern in &model.patterns {
        let usage = usage(&parameters_of(model, pattern));
        output::line(&styled(Style::Strong, &pattern.name))?;
        output::line(format!("    {usage}").trim_end())?;
    }
    Ok(())
}

/// What a pattern takes: `customer=TEXT [since=TEXT]`.
pub(super) fn usage(parameters: &[PatternParameter]) -> String {
    if parameters.is_empty() {
        return "nothing".to_owned();
    }
    let word = |parameter: &PatternParameter| {
        let pair = format!("{}={}", parameter.name, parameter.example());
        if parameter.is_required { pair } else { format!("[{pair}]") }
    };
    parameters.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Prints requests without sending them.
pub(super) fn print_requests(requests: &[Request]) -> io::Result<()> {
    for request in requests {
        request.lines().iter().try_for_each(|line| output::line(&styled(Style::Strong, line)))?;
    }
    Ok(())
}

/// Prints each request with its rows, and the units at the end.
pub(super) fn print(model: &Model, pattern: &Pattern, played: &Played) -> io::Result<()> {
    for request in &played.requests {
        print_requests(std::slice::from_ref(&request.request))?;
        print_rows(model, request)?;
        output::line(&format!("  {}", summary(request)))?;
        if let Some(next) = &request.next {
            output::line(&format!("  there is more: --start '{next}'"))?;
        }
        print_refusal(request)?;
    }
    if played.requests.is_empty() {
        return output::line("nothing to ask: the pattern makes no requests of items");
    }
    output::line(&units(model, pattern, played))
}

fn print_refusal(played: &PlayedRequest) -> io::Result<()> {
    let Some(refusal) = &played.refusal else { return Ok(()) };
    output::line(&styled(Style::Failure, &format!("  {}", refusal.message)))?;
    for (number, member) in refusal.members.iter().enumerate() {
        output::line(&format!("    member {}: {member}", number + 1))?;
    }
    Ok(())
}

fn summary(played: &PlayedRequest) -> String {
    let mut parts = vec![counted(played.rows.len(), "row", "rows")];
    if let Some(discarded) = played.discarded().filter(|discarded| *discarded > 0) {
        parts.push(format!("{discarded} read and thrown away by the filter"));
    }
    if played.pages > 1 {
        parts.push(format!("{} pages", played.pages));
    }
    parts.extend(played.consumed.iter().map(|(arm, units)| format!("{units} units of {arm}")));
    parts.join(", ")
}

fn units(model: &Model, pattern: &Pattern, played: &Played) -> String {
    let consumed = played.consumed();
    let estimated = estimated(model, pattern);
    let side = |word: &str, units: f64, expected: Option<f64>| {
        let is_shown = units > 0.0 || expected.is_some_and(|expected| expected > 0.0);
        let expected = expected.map(|expected| format!(" (estimated {})", rounded(expected)));
        is_shown.then(|| format!("{} {word} units{}", rounded(units), expected.unwrap_or_default()))
    };
    let sides = [
        side("read", consumed.read, estimated.map(|load| load.read)),
        side("write", consumed.write, estimated.map(|load| load.write)),
    ];
    let sides: Vec<String> = sides.into_iter().flatten().collect();
    if sides.is_empty() {
        "consumed nothing".to_owned()
    } else {
        format!("consumed {}", sides.join(", "))
    }
}

/// At most two decimals, and only as many as there are.
fn rounded(units: f64) -> f64 {
    (units * 100.0).round() / 100.0
}

/// Rows under one another: the entity, the keys of what was asked, and all other attributes.
fn print_rows(model: &Model, played: &PlayedRequest) -> io::Result<()> {
    let rows = &played.rows;
    let index = index_of(&played.request);
    let cells: Vec<Vec<String>> = rows.iter().map(|row| cells(model, row, index)).collect();
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let texts = cells.iter().filter_map(|row| row.get(column));
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (row, cells) in rows.iter().zip(&cells) {
        let padded = cells.iter().zip(&widths).map(|(text, width)| format!("{text:<width$}"));
        let line = padded.collect::<Vec<_>>().join("  ");
        output::line(&format!("  {}", coloured(model, row, line.trim_end())))?;
    }
    Ok(())
}

/// The index that a request asks.
fn index_of(request: &Request) -> Option<&str> {
    match request {
        Request::Query(query) => query.index.as_deref(),
        Request::Scan(scan) => scan.index.as_deref(),
        Request::Get(_)
        | Request::Write(_)
        | Request::BatchGet(_)
        | Request::BatchWrite(_)
        | Request::TransactGet(_)
        | Request::TransactWrite(_) => None,
    }
}

fn coloured(model: &Model, row: &Row, line: &str) -> String {
    let entity = row.entity(model);
    let number =
        entity.and_then(|entity| model.entities.iter().position(|other| other.name == entity.name));
    number.map_or_else(|| line.to_owned(), |number| styled(Style::Kind(number), line))
}

fn cells(model: &Model, row: &Row, index: Option<&str>) -> Vec<String> {
    let entity = row.entity(model);
    let table = row.table_of(model);
    let shown = table.map(|table| key_names(table, index)).unwrap_or_default();
    let mut cells = vec![entity.map_or("?", |entity| entity.name.as_str()).to_owned()];
    let key = |name: &&str| Some(cut(&plain(row.item.get(*name)?), CELL_CHARS_MAX));
    cells.extend(shown.iter().filter_map(key));
    // Keys repeat attributes, so they are shown where they are asked for only.
    let is_key = |name: &str| table.is_some_and(|table| is_any_key(table, name));
    let is_attribute = |name: &str| {
        let mut attributes = entity.into_iter().flat_map(|entity| &entity.attributes);
        attributes.any(|attribute| attribute.item_name() == name)
    };
    let rest = row.item.iter().filter(|(name, _)| {
        !shown.contains(&name.as_str()) && (is_attribute(name) || !is_key(name))
    });
    let rest: Vec<String> = rest.map(|(name, value)| format!("{name}={}", plain(value))).collect();
    cells.push(cut(&rest.join(" "), ATTRIBUTES_CHARS_MAX));
    cells
}

/// The attributes of the key of a table, or of one of its indexes.
fn key_names<'m>(table: &'m Table, index: Option<&str>) -> Vec<&'m str> {
    match index.and_then(|name| table.index(name)) {
        Some(index) => index.key_attributes().map(|key| key.name.as_str()).collect(),
        None => table.key_attributes().map(|key| key.name.as_str()).collect(),
    }
}

fn is_any_key(table: &Table, name: &str) -> bool {
    let of_indexes = table.indexes.iter().flat_map(Index::key_attributes);
    table.key_attributes().chain(of_indexes).any(|key| key.name == name)
}

/// Texts without quotes, all else as in a model.
fn plain(value: &monotable_item::Value) -> String {
    match value {
        monotable_item::Value::String(text) => text.clone(),
        other => value_text(other),
    }
}

fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    text.chars().take(chars_max.saturating_sub(1)).chain(['…']).collect()
}

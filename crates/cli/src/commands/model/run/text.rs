//! A run for people.

use std::collections::BTreeSet;
use std::io;

use monotable_model::document::{Entity, Index, Model, Pattern, Table};
use monotable_plan::Request;
use monotable_plan::run::{PatternParameter, parameters_of};
use monotable_remote::encode_item;

use crate::commands::model::player::{Played, PlayedRequest, Row, estimated};
use crate::commands::model::rendering::counted;
use crate::grid::{self, Layout};
use crate::line_fit;
use crate::output::{self, Style, styled};

/// What stands before each line of a table.
const MARGIN: &str = "    ";

/// Lists the patterns of a model with what they need to know.
pub(super) fn print_patterns(model: &Model) -> io::Result<()> {
    for pattern in &model.patterns {
        let usage = usage(&parameters_of(model, pattern));
        line_fit::print(&styled(Style::Strong, &pattern.name))?;
        line_fit::print(&format!("    {usage}"))?;
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
        request
            .lines()
            .iter()
            .try_for_each(|line| line_fit::print(&styled(Style::Strong, line)))?;
    }
    Ok(())
}

/// Prints each request with its rows, and the units at the end.
pub(super) fn print(model: &Model, pattern: &Pattern, played: &Played) -> io::Result<()> {
    for request in &played.requests {
        print_requests(std::slice::from_ref(&request.request))?;
        print_rows(model, request)?;
        line_fit::print(&format!("  {}", summary(request)))?;
        if let Some(next) = &request.next {
            output::line(&format!("  there is more: --start {}", shell_quoted(&next.to_string())))?;
        }
        print_refusal(request)?;
    }
    if played.requests.is_empty() {
        return output::line("nothing to ask: the pattern makes no requests of items");
    }
    output::line(&units(model, pattern, played))
}

/// A text as one word of a shell.
fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
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
    let consumed = played.consumed.iter();
    parts.extend(consumed.map(|(arm, units)| format!("{units} {} of {arm}", unit_word(*units))));
    parts.join(", ")
}

fn units(model: &Model, pattern: &Pattern, played: &Played) -> String {
    let consumed = played.consumed();
    let estimated = estimated(model, pattern);
    let side = |word: &str, units: f64, expected: Option<f64>| {
        let is_shown = units > 0.0 || expected.is_some_and(|expected| expected > 0.0);
        let expected = expected.map(|expected| format!(" (estimated {})", rounded(expected)));
        let expected = expected.unwrap_or_default();
        let (units, noun) = (rounded(units), unit_word(rounded(units)));
        is_shown.then(|| format!("{units} {word} {noun}{expected}"))
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

fn unit_word(units: f64) -> &'static str {
    if units == 1.0 { "unit" } else { "units" }
}

/// At most two decimals, and only as many as there are.
fn rounded(units: f64) -> f64 {
    (units * 100.0).round() / 100.0
}

/// Rows as tables, in the order of the answer: one for each entity that follows another.
fn print_rows(model: &Model, played: &PlayedRequest) -> io::Result<()> {
    let index = index_of(&played.request);
    let recognised: Vec<(&Row, Option<&Entity>)> =
        played.rows.iter().map(|row| (row, row.entity(model))).collect();
    let mut number = 1;
    for rows in recognised.chunk_by(|(_, one), (_, other)| name_of(*one) == name_of(*other)) {
        let entity = rows.first().and_then(|(_, entity)| *entity);
        let rows: Vec<&Row> = rows.iter().map(|(row, _)| *row).collect();
        output::line(&format!("  {}", heading(model, entity)))?;
        let columns = columns(model, entity, &rows, index);
        let items: Vec<grid::Row> = rows.iter().map(|row| attributes_of(row)).collect();
        let table = grid::render(&columns, &items, Layout::Automatic, room_cells(), number);
        for line in table.lines() {
            output::line(&format!("{MARGIN}{line}"))?;
        }
        number += rows.len() as u64;
    }
    Ok(())
}

fn name_of(entity: Option<&Entity>) -> Option<&str> {
    entity.map(|entity| entity.name.as_str())
}

fn attributes_of(row: &Row) -> grid::Row {
    encode_item(&row.item).as_object().cloned().unwrap_or_default()
}

/// The cells that a table has on a terminal. What is not read by eye is not cut.
fn room_cells() -> Option<usize> {
    line_fit::output_cells().map(|cells| cells.saturating_sub(MARGIN.len()))
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

/// The name of an entity, in its colour.
fn heading(model: &Model, entity: Option<&Entity>) -> String {
    let Some(entity) = entity else { return "of no entity".to_owned() };
    let number = model.entities.iter().position(|other| other.name == entity.name);
    styled(Style::Kind(number.unwrap_or_default()), &entity.name)
}

/// The attributes that rows of one entity have: the keys of what was asked, then what the model
/// says of the entity, then all others. Other keys repeat attributes, and are left out.
fn columns(
    model: &Model,
    entity: Option<&Entity>,
    rows: &[&Row],
    index: Option<&str>,
) -> Vec<String> {
    let table = rows.first().and_then(|row| row.table_of(model));
    let attributes = entity
        .into_iter()
        .flat_map(|entity| &entity.attributes)
        .map(|attribute| attribute.item_name());
    let keys = table.map(|table| key_names(table, index)).unwrap_or_default();
    let is_key = |name: &str| table.is_some_and(|table| is_any_key(table, name));
    let all: BTreeSet<&str> =
        rows.iter().flat_map(|row| row.item.keys()).map(String::as_str).collect();
    let others = all.iter().copied().filter(|name| !is_key(name));
    let mut columns: Vec<String> = Vec::new();
    for name in keys.into_iter().chain(attributes).chain(others) {
        if all.contains(name) && !columns.iter().any(|column| column == name) {
            columns.push(name.to_owned());
        }
    }
    columns
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_quotes_is_one_word_of_a_shell() {
        assert_eq!(shell_quoted(r#"{"PK":{"S":"O'Neil"}}"#), r#"'{"PK":{"S":"O'\''Neil"}}'"#);
    }
}

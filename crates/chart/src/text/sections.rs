//! The parts of a chart as tables.

use monotable_plan::cost::number;

use super::TextStyle;
use super::grid::{Grid, GridCell, Ink, paint};
use super::wrap::wrap;
use crate::collection::{AbsentItem, Cell, CollectionItem, CollectionTable};
use crate::display_width::printable;
use crate::entity_chart::EntityChart;
use crate::er::{BoxAttribute, End, Line, Link};
use crate::pattern_table::PatternRow;
use crate::request_row::RequestRow;
use crate::sheet::Chart;
use crate::view::View;

/// The entities with their attributes, and what relates them.
pub(super) fn diagram(chart: &Chart, style: TextStyle) -> String {
    let mut grid = Grid::new(["entity", "attributes"]);
    for (place, entity) in chart.diagram.boxes.iter().enumerate() {
        let attributes: Vec<String> = entity.attributes.iter().map(attribute_words).collect();
        let name = if entity.is_embedded { " (embedded)" } else { "" };
        grid.part(vec![
            GridCell::new(&format!("{}{name}", entity.entity), Ink::Entity(place)),
            GridCell::plain(&attributes.join(", ")),
        ]);
    }
    let mut text = heading("Entities and relationships", style) + &grid.render(style);
    for link in &chart.diagram.links {
        text += &link_line(chart, link, style);
    }
    text
}

fn attribute_words(attribute: &BoxAttribute) -> String {
    let optional = if attribute.is_required { "" } else { "?" };
    match attribute.mark() {
        "" => format!("{}{optional}", attribute.name),
        mark => format!("{}{optional} [{mark}]", attribute.name),
    }
}

fn link_line(chart: &Chart, link: &Link, style: TextStyle) -> String {
    let name = |place: usize| {
        let entity = chart.diagram.boxes.get(place).map_or("", |entity| entity.entity.as_str());
        paint(&printable(entity), Ink::Entity(place), style.colour)
    };
    let from = match link.from_end {
        End::One => "1",
        End::AtMostOne => "0..1",
        End::Many => "n",
    };
    let to = match link.to_end {
        End::One => "1",
        End::AtMostOne => "0..1",
        End::Many => "n",
    };
    let line = match link.line {
        Line::Solid => "────",
        Line::Dashed => "╌╌╌╌",
    };
    let label = printable(&link.label);
    let text = format!("  {} {from} {line} {to} {}  {label}", name(link.from), name(link.to));
    text.trim_end().to_owned() + "\n"
}

/// The entity chart of a table or index.
pub(super) fn entity_chart(chart: &Chart, of: &EntityChart, style: TextStyle) -> String {
    let mut head = vec!["entity"];
    head.extend(of.view.key().map(|(_, name)| name));
    if of.is_sparse() {
        head.push("present when");
    }
    let mut grid = Grid::new(head);
    for row in &of.rows {
        let mut cells = vec![GridCell::new(&row.entity, Ink::Entity(chart.place_of(&row.entity)))];
        cells.extend(row.templates.iter().map(|template| GridCell::plain(template)));
        cells.extend(row.condition.as_deref().map(GridCell::plain));
        grid.part(cells);
    }
    let body = if of.rows.is_empty() { "  no entity\n".to_owned() } else { grid.render(style) };
    view_heading(&of.view, style) + &body
}

/// The access-pattern table.
pub(super) fn patterns(chart: &Chart, style: TextStyle) -> String {
    let head = ["pattern", "operation", "on", "key condition", "order, limit", "rows", "units"];
    let mut grid = Grid::new(head);
    for pattern in &chart.patterns {
        add_pattern(&mut grid, pattern);
    }
    heading("Access patterns", style) + &grid.render(style)
}

/// A row for each request of a pattern; the first has what is to be said of the whole.
fn add_pattern(grid: &mut Grid, pattern: &PatternRow) {
    let empty = || GridCell::plain("");
    let mut requests = pattern.requests.iter().map(|one| request_cells(one, pattern.operation));
    let first = requests.next().unwrap_or_else(|| [empty(), empty(), empty()]);
    let mut cells =
        vec![GridCell::new(&pattern.name, Ink::Strong), GridCell::plain(pattern.operation)];
    cells.extend(first);
    cells.push(GridCell::plain(&pattern.rows.map(number).unwrap_or_default()));
    cells.push(GridCell::plain(&units(pattern)));
    grid.part(cells);
    for request in requests {
        grid.join([empty(), empty()].into_iter().chain(request).collect());
    }
    if !pattern.is_served() {
        let reasons = GridCell::paragraphs(pattern.unserved.iter().map(String::as_str), Ink::Alarm);
        grid.join(vec![GridCell::new("NOT SERVED", Ink::Alarm), empty(), empty(), reasons]);
    }
}

/// The target of a request, its condition, and its order.
fn request_cells(request: &RequestRow, operation: &str) -> [GridCell; 3] {
    let target = GridCell::plain(request.target.as_deref().unwrap_or(""));
    [target, request_cell(request, operation), order_cell(request)]
}

/// The units of one run: `0.5 R`, `2 W`.
fn units(pattern: &PatternRow) -> String {
    let reads = (pattern.read_units > 0.0).then(|| format!("{} R", number(pattern.read_units)));
    let writes = (pattern.write_units > 0.0).then(|| format!("{} W", number(pattern.write_units)));
    reads.into_iter().chain(writes).collect::<Vec<_>>().join(" ")
}

fn order_cell(request: &RequestRow) -> GridCell {
    let limit = request.limit.map(|limit| format!("limit {limit}"));
    let parts = request.order.iter().copied().chain(limit.as_deref());
    GridCell::paragraphs(parts, Ink::Plain)
}

fn request_cell(request: &RequestRow, operation: &str) -> GridCell {
    let step = request.step.as_ref().map(|step| format!("{step}:"));
    let is_plain = ["get", "query", "scan", "put", "update", "delete"].contains(&operation);
    let call = (!is_plain).then(|| request.operation.to_owned());
    let key = request.key.clone();
    let change = request.change.clone();
    let filter = request.filter.as_ref().map(|filter| format!("filter {filter}"));
    let condition = request.condition.as_ref().map(|condition| format!("if {condition}"));
    let parts = [step, call, key, change, filter, condition];
    let remarks = request.remarks.iter().cloned();
    let all: Vec<String> = parts.into_iter().flatten().chain(remarks).collect();
    GridCell::paragraphs(all.iter().map(String::as_str), Ink::Plain)
}

/// The items of a table or index.
pub(super) fn collection(chart: &Chart, of: &CollectionTable, style: TextStyle) -> String {
    let is_sorted = !of.view.sort_key.is_empty();
    let mut head: Vec<&str> = of.view.partition_key.iter().map(String::as_str).collect();
    if is_sorted {
        head.push("↓");
    }
    head.extend(of.view.sort_key.iter().map(String::as_str));
    head.extend(["entity", "attributes"]);
    let mut grid = Grid::new(head);
    for partition in &of.partitions {
        for (number, item) in partition.items.iter().enumerate() {
            let key = partition.key.iter().map(|cell| if number == 0 { &cell.value } else { "" });
            let mut cells: Vec<GridCell> = key.map(GridCell::plain).collect();
            if is_sorted {
                cells.push(GridCell::plain(&(number + 1).to_string()));
            }
            cells.extend(item_cells(chart, item));
            if number == 0 { grid.part(cells) } else { grid.join(cells) }
        }
    }
    let mut text = view_heading(&of.view, style);
    text += &if of.partitions.is_empty() { "  no item\n".to_owned() } else { grid.render(style) };
    text += &absent_lines(&of.absent, style);
    text + &of.faults.iter().map(|fault| printable(fault) + "\n").collect::<String>()
}

fn item_cells(chart: &Chart, item: &CollectionItem) -> Vec<GridCell> {
    let ink = Ink::Entity(chart.place_of(&item.entity));
    let mut cells: Vec<GridCell> =
        item.sort.iter().map(|cell| GridCell::new(&cell.value, ink)).collect();
    cells.push(GridCell::new(&item.entity, ink));
    let attributes: Vec<String> = item.attributes.iter().map(named).collect();
    cells.push(GridCell::plain(&attributes.join(" · ")));
    cells
}

fn named(cell: &Cell) -> String {
    format!("{}: {}", cell.name, cell.value)
}

fn absent_lines(absent: &[AbsentItem], style: TextStyle) -> String {
    let mut text = String::new();
    if !absent.is_empty() {
        let items = if absent.len() == 1 { "item" } else { "items" };
        text += &format!("  {} {items} of the table not here:\n", absent.len());
    }
    for item in absent {
        let key: Vec<&str> = item.key.iter().map(|cell| cell.value.as_str()).collect();
        let line = format!("{} {} ({})", item.entity, key.join(" / "), item.absence.words());
        for (number, part) in
            wrap(&printable(&line), style.width.saturating_sub(6)).iter().enumerate()
        {
            text += &format!("{}{part}\n", if number == 0 { "    " } else { "      " });
        }
    }
    text
}

fn view_heading(view: &View, style: TextStyle) -> String {
    let mut text = heading(&view.heading(), style);
    let projection = view.projection.as_ref().filter(|words| *words != "all attributes");
    let remarks = view.description.iter().chain(projection);
    for remark in remarks {
        for line in wrap(&printable(remark), style.width.saturating_sub(2)) {
            text += &format!("  {line}\n");
        }
    }
    text
}

fn heading(words: &str, style: TextStyle) -> String {
    format!("\n{}\n", paint(&printable(words), Ink::Strong, style.colour))
}

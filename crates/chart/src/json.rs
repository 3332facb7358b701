//! The chart for programs: members are never renamed.

use monotable_model::document::Tree;

use super::collection::{AbsentItem, Cell, CollectionItem, CollectionTable, Partition};
use super::entity_chart::{EntityChart, EntityRow};
use super::er::{BoxAttribute, End, EntityBox, Line, Link};
use super::part::{Part, Selection};
use super::pattern_table::PatternRow;
use super::request_row::RequestRow;
use super::sheet::Chart;
use super::view::View;

/// The selected parts of a chart as a tree for
/// [`write_tree`](monotable_model::document::write_tree). Parts that are not selected are empty.
pub fn render_json(chart: &Chart, selection: &Selection) -> Tree {
    let if_selected = |part: Part, list: Vec<Tree>| {
        Tree::List(if selection.has(part) { list } else { Vec::new() })
    };
    let boxes = chart.diagram.boxes.iter().map(entity).collect();
    let links = chart.diagram.links.iter().map(|one| link(chart, one)).collect();
    let charts = chart.selected_entity_charts(selection).map(entity_chart).collect();
    let collections = chart.selected_collections(selection).map(collection).collect();
    object([
        ("model", text(&chart.name)),
        ("title", optional(chart.title.as_deref())),
        ("entities", if_selected(Part::Diagram, boxes)),
        ("links", if_selected(Part::Diagram, links)),
        ("entity_charts", if_selected(Part::Entities, charts)),
        ("patterns", if_selected(Part::Patterns, chart.patterns.iter().map(pattern).collect())),
        ("collections", if_selected(Part::Collections, collections)),
    ])
}

fn entity(entity: &EntityBox) -> Tree {
    object([
        ("entity", text(&entity.entity)),
        ("description", optional(entity.description.as_deref())),
        ("embedded", Tree::Bool(entity.is_embedded)),
        ("attributes", Tree::List(entity.attributes.iter().map(attribute).collect())),
    ])
}

fn attribute(attribute: &BoxAttribute) -> Tree {
    object([
        ("name", text(&attribute.name)),
        ("type", text(attribute.kind.code())),
        ("required", Tree::Bool(attribute.is_required)),
        ("partition_key", Tree::Bool(attribute.in_partition_key)),
        ("sort_key", Tree::Bool(attribute.in_sort_key)),
        ("indexes", texts(&attribute.in_indexes)),
    ])
}

fn link(chart: &Chart, link: &Link) -> Tree {
    let name = |place: usize| chart.diagram.boxes.get(place).map(|entity| entity.entity.as_str());
    let end = |end: End| match end {
        End::One => "1",
        End::AtMostOne => "0..1",
        End::Many => "n",
    };
    object([
        ("from", optional(name(link.from))),
        ("from_end", text(end(link.from_end))),
        ("to", optional(name(link.to))),
        ("to_end", text(end(link.to_end))),
        ("relationship", Tree::Bool(link.line == Line::Solid)),
        ("label", text(&link.label)),
    ])
}

fn view(view: &View) -> Vec<(String, Tree)> {
    let members = [
        ("table", text(&view.target.table)),
        ("index", optional(view.target.index.as_deref())),
        ("kind", text(view.kind_words())),
        ("partition_key", texts(&view.partition_key)),
        ("sort_key", texts(&view.sort_key)),
        ("projection", optional(view.projection.as_deref())),
    ];
    members.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

fn entity_chart(chart: &EntityChart) -> Tree {
    let row = |row: &EntityRow| {
        object([
            ("entity", text(&row.entity)),
            ("templates", texts(&row.templates)),
            ("condition", optional(row.condition.as_deref())),
        ])
    };
    let mut members = view(&chart.view);
    members.push(("rows".to_owned(), Tree::List(chart.rows.iter().map(row).collect())));
    Tree::Map(members)
}

fn pattern(pattern: &PatternRow) -> Tree {
    object([
        ("pattern", text(&pattern.name)),
        ("operation", text(pattern.operation)),
        ("entities", texts(&pattern.entities)),
        ("served", Tree::Bool(pattern.is_served())),
        ("unserved", texts(&pattern.unserved)),
        ("rows", quantity(pattern.rows)),
        ("read_units", quantity(Some(pattern.read_units))),
        ("write_units", quantity(Some(pattern.write_units))),
        ("rate", quantity(pattern.rate)),
        ("requests", Tree::List(pattern.requests.iter().map(request).collect())),
    ])
}

fn request(request: &RequestRow) -> Tree {
    object([
        ("step", optional(request.step.as_deref())),
        ("operation", text(request.operation)),
        ("member", Tree::Bool(request.is_member)),
        ("target", optional(request.target.as_deref())),
        ("key_condition", optional(request.key.as_deref())),
        ("filter", optional(request.filter.as_deref())),
        ("order", optional(request.order)),
        ("limit", quantity(request.limit.map(|limit| limit as f64))),
        ("change", optional(request.change.as_deref())),
        ("condition", optional(request.condition.as_deref())),
        ("remarks", texts(&request.remarks)),
    ])
}

fn collection(table: &CollectionTable) -> Tree {
    let mut members = view(&table.view);
    let partitions = table.partitions.iter().map(partition).collect();
    members.push(("partitions".to_owned(), Tree::List(partitions)));
    let absent = table.absent.iter().map(absent).collect();
    members.push(("absent".to_owned(), Tree::List(absent)));
    members.push(("faults".to_owned(), texts(&table.faults)));
    Tree::Map(members)
}

fn partition(partition: &Partition) -> Tree {
    let item = |item: &CollectionItem| {
        object([
            ("entity", text(&item.entity)),
            ("sort_key", cells(&item.sort)),
            ("attributes", cells(&item.attributes)),
        ])
    };
    object([
        ("partition_key", cells(&partition.key)),
        ("items", Tree::List(partition.items.iter().map(item).collect())),
    ])
}

fn absent(item: &AbsentItem) -> Tree {
    object([
        ("entity", text(&item.entity)),
        ("key", cells(&item.key)),
        ("reason", text(&item.absence.words())),
    ])
}

fn cells(cells: &[Cell]) -> Tree {
    Tree::Map(cells.iter().map(|cell| (cell.name.clone(), text(&cell.value))).collect())
}

fn object<const N: usize>(members: [(&str, Tree); N]) -> Tree {
    Tree::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn text(text: &str) -> Tree {
    Tree::String(text.to_owned())
}

fn texts(texts: &[String]) -> Tree {
    Tree::List(texts.iter().map(|one| text(one)).collect())
}

fn optional(value: Option<&str>) -> Tree {
    value.map_or(Tree::Null, text)
}

fn quantity(value: Option<f64>) -> Tree {
    value.map_or(Tree::Null, |value| Tree::Number(value.to_string()))
}

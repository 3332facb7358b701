//! The access-pattern table.

use monotable_plan::cost::number;

use super::Section;
use super::widget::{chip, code, code_if, column, number_column, table};
use crate::markup::Element;
use crate::pattern_table::PatternRow;
use crate::request_row::RequestRow;
use crate::sheet::Chart;

/// The section of all patterns.
pub(super) fn section(chart: &Chart) -> Section {
    let head = vec![
        column("Pattern"),
        column("Operation"),
        column("On"),
        column("Key condition, filter"),
        column("Order, limit"),
        number_column("Rows"),
        number_column("Read units"),
        number_column("Write units"),
    ];
    let bodies = chart.patterns.iter().map(|pattern| body(chart, pattern)).collect();
    Section {
        id: "patterns",
        title: "Access patterns",
        lead: "What the application asks, the request that answers it, and the units that one run \
               consumes.",
        content: vec![table("patterns", head, bodies)],
    }
}

/// The rows of a pattern: one for each request, and one for the reasons if nothing serves it.
fn body(chart: &Chart, pattern: &PatternRow) -> Element {
    let places: Vec<String> =
        pattern.entities.iter().map(|entity| chart.place_of(entity).to_string()).collect();
    let count = pattern.requests.len().max(1) + usize::from(!pattern.is_served());
    let mut requests = pattern.requests.iter();
    let first = Element::new("tr")
        .child(name_cell(chart, pattern, count))
        .children(request_cells(pattern, requests.next()))
        .children(figures(pattern, count));
    let others =
        requests.map(|request| Element::new("tr").children(request_cells(pattern, Some(request))));
    let class = if pattern.is_served() { "served" } else { "unserved" };
    Element::new("tbody")
        .class(class)
        .attribute("data-e", places.join(" "))
        .child(first)
        .children(others)
        .child_if((!pattern.is_served()).then(|| reasons(pattern)))
}

fn name_cell(chart: &Chart, pattern: &PatternRow, rows: usize) -> Element {
    let mark = Element::new("strong").class("alarm").text("not served");
    let chips = Element::new("span")
        .class("chips")
        .children(pattern.entities.iter().map(|entity| chip(chart, entity)));
    Element::new("th")
        .attribute("scope", "rowgroup")
        .attribute("rowspan", rows)
        .text(&pattern.name)
        .child_if((!pattern.is_served()).then_some(mark))
        .child_if(pattern.description.as_deref().map(|text| Element::new("small").text(text)))
        .child(chips)
}

fn request_cells(pattern: &PatternRow, request: Option<&RequestRow>) -> Vec<Element> {
    let cell = || Element::new("td");
    let Some(request) = request else {
        return vec![cell().text(pattern.operation), cell(), cell(), cell()];
    };
    let member = if request.is_member { "member" } else { "" };
    vec![
        cell().class(member).text(request.operation),
        cell().text(request.target.as_deref().unwrap_or("")),
        key_cell(request),
        order_cell(request),
    ]
}

/// The order and, under it, the limit. An arrow says which way the numbers of the collections are
/// read.
fn order_cell(request: &RequestRow) -> Element {
    let arrow = |order: &str| if order == "descending" { "↑" } else { "↓" };
    let order = request.order.map(|order| format!("{} {order}", arrow(order)));
    let limit = request.limit.map(|limit| format!("limit {limit}"));
    Element::new("td")
        .class("order")
        .text(&order.unwrap_or_default())
        .child_if(limit.map(|limit| Element::new("small").text(&limit)))
}

fn key_cell(request: &RequestRow) -> Element {
    let step = request.step.as_deref();
    let line = |label: &str, text: &str| {
        Element::new("div")
            .class("clause")
            .child(Element::new("span").text(label))
            .child(code(text))
    };
    Element::new("td")
        .class("condition")
        .child_if(step.map(|step| Element::new("div").class("step").text(step)))
        .child_if(code_if(request.key.as_deref()))
        .child_if(request.filter.as_deref().map(|filter| line("filter ", filter)))
        .child_if(request.change.as_deref().map(|change| line("change ", change)))
        .child_if(request.condition.as_deref().map(|condition| line("if ", condition)))
        .children(request.remarks.iter().map(|remark| Element::new("small").text(remark)))
}

fn figures(pattern: &PatternRow, rows: usize) -> Vec<Element> {
    let cell =
        |text: String| Element::new("td").class("number").attribute("rowspan", rows).text(&text);
    let units = |units: f64| if units > 0.0 { number(units) } else { String::new() };
    vec![
        cell(pattern.rows.map(number).unwrap_or_default()),
        cell(units(pattern.read_units)),
        cell(units(pattern.write_units)),
    ]
}

fn reasons(pattern: &PatternRow) -> Element {
    let items = pattern.unserved.iter().map(|reason| Element::new("li").text(reason));
    let cell = Element::new("td").attribute("colspan", 4).child(Element::new("ul").children(items));
    Element::new("tr").class("reasons").child(cell)
}

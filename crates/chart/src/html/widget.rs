//! Small elements that many parts of the page use.

use crate::markup::Element;
use crate::sheet::Chart;
use crate::view::{View, ViewKind};

/// The name of an entity in its colour.
pub(super) fn chip(chart: &Chart, entity: &str) -> Element {
    let place = chart.place_of(entity);
    Element::new("span").class(&format!("chip e{place}")).attribute("data-e", place).text(entity)
}

/// Code that may be broken after the marks that part a key.
pub(super) fn code(text: &str) -> Element {
    text.split_inclusive(['#', ',', '/', '(', '}']).enumerate().fold(
        Element::new("code"),
        |code, (number, part)| {
            let code = if number == 0 { code } else { code.child(Element::new("wbr")) };
            code.text(part)
        },
    )
}

/// Code, if there is any.
pub(super) fn code_if(text: Option<&str>) -> Option<Element> {
    text.filter(|text| !text.is_empty()).map(code)
}

/// What kind of table or index it is, beside its name.
pub(super) fn view_title(tag: &'static str, view: &View) -> Element {
    let kind = match view.kind {
        ViewKind::Table => "Table",
        ViewKind::LocalIndex => "Local index",
        ViewKind::GlobalIndex => "Global index",
    };
    Element::new(tag)
        .child(Element::new("span").class("kind").text(kind))
        .text(" ")
        .text(view.name())
}

/// What a view is for, and what it holds.
pub(super) fn view_remarks(view: &View) -> Element {
    let projection = view.projection.as_ref().map(|words| format!("Holds {words}."));
    let description = view.description.as_deref().map(|text| format!("{text}. "));
    Element::new("p")
        .class("remark")
        .text(&description.unwrap_or_default())
        .text(&projection.unwrap_or_default())
}

/// A table in a box that scrolls sideways where the page is too narrow.
pub(super) fn table(class: &str, head: Vec<Element>, bodies: Vec<Element>) -> Element {
    let head = Element::new("thead").child(Element::new("tr").children(head));
    let table = Element::new("table").class(class).child(head).children(bodies);
    Element::new("div").class("scroll").attribute("tabindex", 0).child(table)
}

/// The heading of a column.
pub(super) fn column(name: &str) -> Element {
    Element::new("th").attribute("scope", "col").text(name)
}

/// The heading of a column of numbers.
pub(super) fn number_column(name: &str) -> Element {
    Element::new("th").attribute("scope", "col").class("number").text(name)
}

/// The heading of a column that is an attribute of a key: its name, and what it is for.
pub(super) fn key_column((role, name): (&'static str, &str)) -> Element {
    Element::new("th")
        .attribute("scope", "col")
        .child(Element::new("code").text(name))
        .child(Element::new("small").text(role))
}

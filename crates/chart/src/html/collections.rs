//! The sample items as the table and each index hold them, one under the other or behind tabs.

use super::Section;
use super::widget::{chip, code, column, key_column, table, view_remarks, view_title};
use crate::collection::{AbsentItem, Cell, CollectionItem, CollectionTable, Partition};
use crate::markup::Element;
use crate::part::Selection;
use crate::sheet::Chart;

/// More absent items than this are shown only when they are asked for.
const ABSENT_SHOWN_MAX: usize = 8;

/// The section of all tables and indexes.
pub(super) fn section(chart: &Chart, selection: &Selection) -> Section {
    let tables: Vec<&CollectionTable> = chart.selected_collections(selection).collect();
    let tab = |(number, of): (usize, &&CollectionTable)| {
        Element::new("button")
            .attribute("type", "button")
            .attribute("role", "tab")
            .attribute("id", format!("tab-{number}"))
            .attribute("aria-controls", format!("view-{number}"))
            .text(of.view.name())
            .child(Element::new("small").text(&of.item_count().to_string()))
    };
    let tabs = Element::new("div")
        .class("tabs")
        .attribute("role", "tablist")
        .attribute("aria-label", "Table or index")
        .children(tables.iter().enumerate().map(tab));
    let panels = tables.iter().enumerate().map(|(number, of)| panel(chart, number, of));
    Section {
        id: "collections",
        title: "Item collections",
        lead: "The sample items, partition by partition, in the byte order of the sort key: the \
               order in which a query returns them. In an index the same items lie under other \
               keys, and those without its key are not there.",
        content: std::iter::once(tabs).chain(panels).collect(),
    }
}

fn panel(chart: &Chart, number: usize, of: &CollectionTable) -> Element {
    let faults = of.faults.iter().map(|fault| Element::new("p").class("alarm").text(fault));
    Element::new("article")
        .class("panel")
        .attribute("id", format!("view-{number}"))
        .attribute("role", "tabpanel")
        .attribute("aria-labelledby", format!("tab-{number}"))
        .child(view_title("h3", &of.view))
        .child(view_remarks(&of.view))
        .child(if of.partitions.is_empty() {
            Element::new("p").class("nothing").text("No sample item is here.")
        } else {
            items(chart, of)
        })
        .child_if((!of.absent.is_empty()).then(|| absent(chart, &of.absent)))
        .children(faults)
}

fn items(chart: &Chart, of: &CollectionTable) -> Element {
    let is_sorted = !of.view.sort_key.is_empty();
    let partition_columns = of.view.partition_key.len();
    let mut head: Vec<Element> = of.view.key().take(partition_columns).map(key_column).collect();
    head.extend(
        is_sorted.then(|| {
            column("↓").class("position").attribute("title", "in the order of the sort key")
        }),
    );
    head.extend(of.view.key().skip(partition_columns).map(key_column));
    head.push(column("Entity"));
    head.push(column("Attributes"));
    let bodies = of.partitions.iter().map(|one| partition(chart, one, is_sorted)).collect();
    table("items", head, bodies)
}

fn partition(chart: &Chart, partition: &Partition, is_sorted: bool) -> Element {
    let rows = partition.items.iter().enumerate().map(|(number, item)| {
        let place = chart.place_of(&item.entity);
        let key = (number == 0).then_some(&partition.key).into_iter().flatten();
        let position = (number + 1).to_string();
        Element::new("tr")
            .class(&format!("e{place}"))
            .attribute("data-e", place)
            .children(key.map(|cell| key_cell(cell, partition.items.len())))
            .child_if(is_sorted.then(|| Element::new("td").class("position").text(&position)))
            .children(
                item.sort
                    .iter()
                    .map(|cell| Element::new("td").class("sort").child(code(&cell.value))),
            )
            .child(Element::new("td").child(chip(chart, &item.entity)))
            .child(attributes(item))
    });
    Element::new("tbody").children(rows)
}

fn key_cell(cell: &Cell, rows: usize) -> Element {
    Element::new("th")
        .attribute("scope", "rowgroup")
        .attribute("rowspan", rows)
        .class("partition")
        .child(code(&cell.value))
}

fn attributes(item: &CollectionItem) -> Element {
    let pair = |cell: &Cell| {
        let class = if cell.is_key { "attribute key" } else { "attribute" };
        Element::new("div")
            .class(class)
            .child(Element::new("dt").text(&cell.name))
            .child(Element::new("dd").child(code(&cell.value)))
    };
    let pairs = Element::new("dl").children(item.attributes.iter().map(pair));
    Element::new("td").class("attributes").child(pairs)
}

fn absent(chart: &Chart, absent: &[AbsentItem]) -> Element {
    let items = if absent.len() == 1 { "item" } else { "items" };
    let words = format!("{} {items} of the table not here", absent.len());
    let entry = |item: &AbsentItem| {
        let place = chart.place_of(&item.entity);
        let entry = Element::new("li").attribute("data-e", place).child(chip(chart, &item.entity));
        let keyed =
            item.key.iter().fold(entry, |entry, cell| entry.text(" ").child(code(&cell.value)));
        keyed.child(Element::new("small").text(&item.absence.words()))
    };
    let details = Element::new("details").class("absent");
    let details =
        if absent.len() <= ABSENT_SHOWN_MAX { details.attribute("open", "open") } else { details };
    details
        .child(Element::new("summary").text(&words))
        .child(Element::new("ul").children(absent.iter().map(entry)))
}

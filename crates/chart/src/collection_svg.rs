//! The items of a table or index as a picture, for places that show no page.

use super::collection::{Cell, CollectionItem, CollectionTable};
use super::display_width::{char_width, display_width, printable};
use super::markup::Element;
use super::part::Selection;
use super::sheet::Chart;
use super::svg_style::svg_style;

/// A character of a value, 12 pixels tall, where fonts are widest.
const CHARACTER: f64 = 7.3;
/// The height of an item.
const ROW: f64 = 40.0;
/// The height of a heading, and of the line of column headings.
const HEADING: f64 = 34.0;
/// Between the edge of a cell and its text.
const PADDING: f64 = 10.0;
/// The width of the position of an item.
const POSITION: f64 = 30.0;
/// The most characters of a value.
const VALUE_MAX: usize = 38;
/// The most cells of attributes beside the key.
const ATTRIBUTES_MAX: usize = 8;

/// Draws the sample items of the selected tables and indexes, one under the other.
pub fn render_collections_svg(chart: &Chart, selection: &Selection) -> String {
    let mut drawing = Drawing { chart, elements: Vec::new(), top: 0.0, width: 0.0 };
    for table in chart.selected_collections(selection) {
        drawing.table(table);
    }
    let (width, height) = (drawing.width.max(320.0) + 2.0, drawing.top + 4.0);
    Element::new("svg")
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        .class("collections")
        .attribute("viewBox", format!("0 0 {width:.0} {height:.0}"))
        .attribute("width", format!("{width:.0}"))
        .attribute("height", format!("{height:.0}"))
        .attribute("role", "img")
        .attribute("aria-label", "Item collections")
        .child(Element::new("style").trusted(&svg_style("collections", chart.legend.len())))
        .child(
            Element::new("rect")
                .class("sheet")
                .attribute("width", "100%")
                .attribute("height", "100%"),
        )
        .children(drawing.elements)
        .render()
}

struct Drawing<'c> {
    chart: &'c Chart,
    elements: Vec<Element>,
    /// How far down the next thing is drawn.
    top: f64,
    /// The widest line so far.
    width: f64,
}

/// The left edges of the columns of a table.
struct Edges {
    position: f64,
    sort: f64,
    entity: f64,
    attributes: f64,
}

impl Drawing<'_> {
    fn table(&mut self, table: &CollectionTable) {
        let heading = text(&table.view.heading(), 2.0, self.top + 22.0).class("name");
        self.elements.push(heading);
        self.top += HEADING;
        let edges = edges(table);
        self.headings(table, &edges);
        for partition in &table.partitions {
            self.rule(table, &edges);
            let key = joined(&partition.key);
            let baseline = self.top + 25.0;
            self.elements.push(value(&key, 2.0, baseline));
            for (number, item) in partition.items.iter().enumerate() {
                self.item(item, number, &edges);
            }
        }
        self.rule(table, &edges);
        let absent = table.absent.len();
        if absent > 0 {
            let items = if absent == 1 { "item" } else { "items" };
            let words = format!("{absent} {items} of the table not here");
            self.elements.push(text(&words, 2.0, self.top + 18.0).class("note"));
            self.top += 26.0;
        }
        self.top += 14.0;
    }

    fn headings(&mut self, table: &CollectionTable, edges: &Edges) {
        let baseline = self.top + 8.0;
        let view = &table.view;
        let sort = if view.sort_key.is_empty() { String::new() } else { view.sort_key.join(", ") };
        let arrow = if sort.is_empty() { "" } else { "↓" };
        let columns = [
            (view.partition_key.join(", "), 2.0),
            (arrow.to_owned(), edges.position + 6.0),
            (sort, edges.sort + PADDING),
            ("entity".to_owned(), edges.entity + PADDING),
            ("attributes".to_owned(), edges.attributes + PADDING),
        ];
        for (words, left) in columns {
            self.elements.push(text(&words, left, baseline).class("note"));
        }
        self.top += 18.0;
    }

    fn item(&mut self, item: &CollectionItem, number: usize, edges: &Edges) {
        let baseline = self.top + 25.0;
        let cells: Vec<(f64, &Cell)> = attribute_edges(item, edges.attributes);
        let right = cells.last().map_or(edges.attributes, |(left, cell)| left + cell_width(cell));
        let position = if item.sort.is_empty() { String::new() } else { (number + 1).to_string() };
        let mut group = Element::new("g")
            .class(&format!("e{}", self.chart.place_of(&item.entity)))
            .child(self.stripe("band", edges.position, right + PADDING - edges.position))
            .child(self.stripe("bar", edges.position, 4.0))
            .child(text(&position, edges.position + 10.0, baseline).class("note"))
            .child(value(&joined(&item.sort), edges.sort + PADDING, baseline))
            .child(text(&item.entity, edges.entity + PADDING, baseline).class("name"));
        for (left, cell) in cells {
            let caption = text(&shortened(&cell.name), left + PADDING, self.top + 14.0);
            group = group.child(caption.class("caption")).child(value(
                &cell.value,
                left + PADDING,
                self.top + 30.0,
            ));
        }
        let left_out = item.attributes.len().saturating_sub(ATTRIBUTES_MAX);
        if left_out > 0 {
            let words = format!("+ {left_out}");
            group = group.child(text(&words, right + 2.0 * PADDING, baseline).class("note"));
        }
        self.elements.push(group);
        self.width = self.width.max(right + 5.0 * PADDING);
        self.top += ROW;
    }

    /// A coloured rectangle as high as the item that is being drawn.
    fn stripe(&self, class: &str, left: f64, width: f64) -> Element {
        Element::new("rect")
            .class(class)
            .attribute("x", format!("{left:.1}"))
            .attribute("y", format!("{:.1}", self.top + 1.0))
            .attribute("width", format!("{width:.1}"))
            .attribute("height", ROW - 2.0)
    }

    /// A line between partitions, as wide as the table.
    fn rule(&mut self, table: &CollectionTable, edges: &Edges) {
        let items = table.partitions.iter().flat_map(|partition| &partition.items);
        let right = items
            .filter_map(|item| {
                let cells = attribute_edges(item, edges.attributes);
                cells.last().map(|(left, cell)| left + cell_width(cell))
            })
            .fold(edges.attributes, f64::max);
        let course = format!("M0 {:.1}H{:.1}", self.top, right + PADDING);
        self.elements.push(Element::new("path").class("rule").attribute("d", course));
    }
}

fn edges(table: &CollectionTable) -> Edges {
    let keys = table.partitions.iter().map(|partition| joined(&partition.key));
    let items = || table.partitions.iter().flat_map(|partition| &partition.items);
    let widest = |texts: &mut dyn Iterator<Item = String>, least: f64| {
        texts.map(|text| text_width(&text)).fold(least, f64::max)
    };
    let least = |names: &[String]| text_width(&names.join(", "));
    let position = widest(&mut keys.into_iter(), least(&table.view.partition_key)) + 2.0 * PADDING;
    let is_sorted = !table.view.sort_key.is_empty();
    let sort = position + if is_sorted { POSITION } else { 0.0 };
    let sort_width =
        widest(&mut items().map(|item| joined(&item.sort)), least(&table.view.sort_key));
    let entity = sort + if is_sorted { sort_width + 2.0 * PADDING } else { 0.0 };
    let names = widest(&mut items().map(|item| item.entity.clone()), 40.0) * 1.22;
    Edges { position, sort, entity, attributes: entity + names + 2.0 * PADDING }
}

/// The attributes that are shown, each with its left edge.
fn attribute_edges(item: &CollectionItem, left: f64) -> Vec<(f64, &Cell)> {
    let mut next = left;
    let place = |cell| {
        let own = next;
        next += cell_width(cell) + 2.0 * PADDING;
        (own, cell)
    };
    item.attributes.iter().take(ATTRIBUTES_MAX).map(place).collect()
}

fn cell_width(cell: &Cell) -> f64 {
    text_width(&shortened(&cell.value)).max(text_width(&shortened(&cell.name)) * 0.92)
}

fn joined(cells: &[Cell]) -> String {
    let values: Vec<&str> = cells.iter().map(|cell| cell.value.as_str()).collect();
    shortened(&values.join(" · "))
}

fn text_width(text: &str) -> f64 {
    display_width(text) as f64 * CHARACTER
}

/// What fits into a cell.
fn shortened(text: &str) -> String {
    let text = printable(text);
    if display_width(&text) <= VALUE_MAX {
        return text;
    }
    let mut width = 1;
    let fits = |character: &char| {
        width += char_width(*character);
        width <= VALUE_MAX
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

fn value(content: &str, x: f64, y: f64) -> Element {
    text(&shortened(content), x, y).class("value")
}

fn text(content: &str, x: f64, y: f64) -> Element {
    Element::new("text")
        .attribute("x", format!("{x:.1}"))
        .attribute("y", format!("{y:.1}"))
        .text(&printable(content))
}

//! What leads through the page: heading, contents, legend.

use monotable_plan::cost::money;

use super::Section;
use crate::markup::Element;
use crate::sheet::{Chart, LegendEntry};
use crate::view::ViewKind;

/// A link for those who do not want to hear the contents first.
pub(super) fn skip() -> Element {
    Element::new("a").class("skip").attribute("href", "#main").text("Skip to the charts")
}

/// The title, the description and the figures of the model.
pub(super) fn header(chart: &Chart) -> Element {
    let name = Element::new("p").class("model").text(&chart.name);
    let description = chart.description.as_deref();
    Element::new("header")
        .child(name)
        .child(Element::new("h1").text(chart.heading()))
        .child_if(description.map(|text| Element::new("p").class("description").text(text)))
        .child(Element::new("dl").class("facts").children(facts(chart)))
}

fn facts(chart: &Chart) -> Vec<Element> {
    let is_table = |kind: ViewKind| kind == ViewKind::Table;
    let tables = chart.views().filter(|view| is_table(view.kind)).count();
    let indexes = chart.views().filter(|view| !is_table(view.kind)).count();
    let tables_only = chart.collections.iter().filter(|table| is_table(table.view.kind));
    let items: usize = tables_only.map(|table| table.item_count()).sum();
    let mut facts = vec![
        fact(tables, "table", "tables"),
        fact(indexes, "index", "indexes"),
        fact(chart.legend.len(), "entity", "entities"),
        fact(chart.patterns.len(), "access pattern", "access patterns"),
        fact(items, "sample item", "sample items"),
    ];
    let unserved = chart.patterns.iter().filter(|pattern| !pattern.is_served()).count();
    if unserved > 0 {
        facts.push(fact(unserved, "pattern not served", "patterns not served").class("alarm"));
    }
    let total = chart.estimate.total();
    if total > 0.0 {
        let currency = format!("{} a month", chart.estimate.prices.currency);
        facts.push(figure(&money(total), &currency));
    }
    facts
}

fn fact(count: usize, singular: &str, plural: &str) -> Element {
    figure(&count.to_string(), if count == 1 { singular } else { plural })
}

fn figure(value: &str, name: &str) -> Element {
    Element::new("div").child(Element::new("dt").text(name)).child(Element::new("dd").text(value))
}

/// The contents and the legend, which stay in sight.
pub(super) fn contents(chart: &Chart, sections: &[Section]) -> Element {
    let entry = |section: &Section| {
        let target = format!("#{}", section.id);
        let link = Element::new("a").attribute("href", target).text(section.title);
        Element::new("li").child(link)
    };
    Element::new("nav")
        .attribute("aria-label", "Contents and legend")
        .child(Element::new("h2").text("Contents"))
        .child(Element::new("ol").children(sections.iter().map(entry)))
        .child(Element::new("h2").text("Entities"))
        .child(legend(&chart.legend))
}

fn legend(entries: &[LegendEntry]) -> Element {
    let entry = |(place, entry): (usize, &LegendEntry)| {
        let embedded = if entry.is_embedded { " embedded" } else { "" };
        let title = entry.description.as_deref().unwrap_or("");
        let button = Element::new("button")
            .attribute("type", "button")
            .class(&format!("chip e{place}{embedded}"))
            .attribute("data-e", place)
            .attribute("aria-pressed", "false")
            .attribute("title", title)
            .text(&entry.entity);
        Element::new("li").child(button)
    };
    Element::new("ul").class("legend").children(entries.iter().enumerate().map(entry))
}

/// Where the page comes from.
pub(super) fn footer(chart: &Chart) -> Element {
    let words = format!("Drawn from the model {} by monotable model chart.", chart.name);
    Element::new("footer").child(Element::new("p").text(&words))
}

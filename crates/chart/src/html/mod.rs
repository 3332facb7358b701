//! The chart as one page that needs nothing else: styles, script and pictures are in it, and it
//! asks no server.
//!
//! The page is complete without its script, and prints as it is. The script only folds the
//! collections into tabs and lights up an entity everywhere when it is pointed at or chosen. An
//! entity has one colour throughout, and its name stands wherever the colour does.

mod collections;
mod cost;
mod entities;
mod findings;
mod navigation;
mod patterns;
mod widget;

use super::markup::Element;
use super::palette::{Theme, entity_colours};
use super::part::{Part, Selection};
use super::sheet::Chart;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Writes the page of a chart.
pub fn render_html(chart: &Chart, selection: &Selection) -> String {
    let sections = sections(chart, selection);
    let body = Element::new("body")
        .child(navigation::skip())
        .child(navigation::header(chart))
        .child(
            Element::new("div")
                .class("frame")
                .child(navigation::contents(chart, &sections))
                .child(main(&sections)),
        )
        .child(navigation::footer(chart))
        .child(Element::new("script").trusted(&format!("\n{SCRIPT}")));
    let page = Element::new("html").attribute("lang", "en").child(head(chart)).child(body);
    format!("<!doctype html>\n{}", page.render())
}

/// A part of the page.
struct Section {
    id: &'static str,
    title: &'static str,
    /// What is to be said before it begins.
    lead: &'static str,
    content: Vec<Element>,
}

fn sections(chart: &Chart, selection: &Selection) -> Vec<Section> {
    let mut sections = Vec::new();
    if !chart.findings.is_empty() {
        sections.push(findings::section(chart));
    }
    if selection.has(Part::Diagram) {
        sections.push(entities::diagram(chart));
    }
    if selection.has(Part::Entities) {
        sections.push(entities::charts(chart, selection));
    }
    if selection.has(Part::Patterns) {
        sections.push(patterns::section(chart));
    }
    if selection.has(Part::Collections) {
        sections.push(collections::section(chart, selection));
    }
    if selection.has(Part::Cost) {
        sections.push(cost::section(chart));
    }
    sections
}

fn main(sections: &[Section]) -> Element {
    Element::new("main").attribute("id", "main").children(sections.iter().map(|section| {
        Element::new("section")
            .attribute("id", section.id)
            .child(Element::new("h2").text(section.title))
            .child(Element::new("p").class("lead").text(section.lead))
            .children(section.content.iter().cloned())
    }))
}

fn head(chart: &Chart) -> Element {
    let style = format!("\n{STYLE}{}", colour_rules(chart.legend.len()));
    let viewport = "width=device-width, initial-scale=1";
    Element::new("head")
        .child(Element::new("meta").attribute("charset", "utf-8"))
        .child(Element::new("meta").attribute("name", "viewport").attribute("content", viewport))
        .child(
            Element::new("meta")
                .attribute("name", "color-scheme")
                .attribute("content", "light dark"),
        )
        .child(Element::new("title").text(chart.heading()))
        .child(Element::new("style").trusted(&style))
}

/// A class for each entity with its colours, light and dark.
fn colour_rules(entities: usize) -> String {
    let rules = |theme: Theme| -> String {
        let rule = |place: usize| {
            let colours = entity_colours(place, theme);
            format!(".e{place}{{--ink:{};--tint:{}}}\n", colours.ink, colours.tint)
        };
        (0..entities).map(rule).collect()
    };
    let (light, dark) = (rules(Theme::Light), rules(Theme::Dark));
    format!("{light}@media screen and (prefers-color-scheme:dark){{\n{dark}}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_and_the_style_cannot_end_their_elements() {
        assert!(!SCRIPT.contains("</") && !STYLE.contains("</"));
    }
}

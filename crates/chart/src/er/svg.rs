//! The diagram as a picture.

use super::diagram::{BoxAttribute, Diagram, EntityBox, Line, Link};
use super::layout::{Layout, Rect, lay_out};
use super::metrics::{FEET, HEADING, PADDING, ROW};
use super::tip::tip;
use crate::display_width::printable;
use crate::markup::Element;
use crate::svg_style::svg_style;

/// The height of the line that explains the marks.
const KEY_HEIGHT: f64 = 26.0;
/// The least width, so that the line that explains the marks fits.
const WIDTH_MIN: f64 = 660.0;

/// Draws the diagram. The picture needs nothing else, and follows the light or dark of whatever
/// shows it.
pub fn render_svg(diagram: &Diagram) -> String {
    let layout = lay_out(diagram);
    let (width, height) = (layout.width.max(WIDTH_MIN), layout.height + KEY_HEIGHT);
    let links = || diagram.links.iter().zip(&layout.paths);
    let boxes = diagram.boxes.iter().zip(&layout.boxes).enumerate();
    Element::new("svg")
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        .class("er")
        .attribute("viewBox", format!("0 0 {width:.0} {height:.0}"))
        .attribute("width", format!("{width:.0}"))
        .attribute("height", format!("{height:.0}"))
        .attribute("role", "img")
        .attribute("aria-label", "Entities and relationships")
        .child(Element::new("style").trusted(&svg_style("er", diagram.boxes.len())))
        .child(
            Element::new("rect")
                .class("sheet")
                .attribute("width", "100%")
                .attribute("height", "100%"),
        )
        .children(links().map(|(link, path)| draw_link(diagram, link, path)))
        // Above all lines, so that none crosses a label.
        .children(links().filter_map(|(link, path)| draw_label(link, path)))
        .children(boxes.map(|(place, (entity, rect))| draw_box(entity, *rect, place)))
        .child(marks_explained(&layout))
        .render()
}

fn draw_box(entity: &EntityBox, rect: Rect, place: usize) -> Element {
    let embedded = if entity.is_embedded { " embedded" } else { "" };
    let description = entity.description.as_deref().map(tooltip);
    let heading = text(&entity.entity, rect.left + PADDING, rect.top + 20.0).class("name");
    let rows = entity.attributes.iter().enumerate();
    Element::new("g")
        .class(&format!("box e{place}{embedded}"))
        .attribute("data-e", place)
        .child_if(description)
        .child(rounded(rect).class("body"))
        .child(Element::new("path").class("band").attribute("d", band(rect)))
        .child(rounded(rect).class("frame"))
        .child(heading)
        .children(rows.map(|(row, attribute)| {
            let baseline = rect.top + HEADING + ROW * row as f64 + 14.0;
            draw_attribute(attribute, rect, baseline)
        }))
}

fn draw_attribute(attribute: &BoxAttribute, rect: Rect, baseline: f64) -> Element {
    let optional = if attribute.is_required { "" } else { "?" };
    let kind = format!("{}{optional}", attribute.kind.code());
    let right = rect.left + rect.width - PADDING;
    let name = rect.left + super::metrics::MARKS;
    let mark = attribute.mark();
    let key = if mark.is_empty() { "attribute" } else { "attribute key" };
    Element::new("g")
        .class(key)
        .child_if(attribute.key_words().map(|words| tooltip(&words)))
        .child(text(mark, rect.left + PADDING, baseline).class("mark"))
        .child(text(&attribute.name, name, baseline))
        .child(text(&kind, right, baseline).class("kind").attribute("text-anchor", "end"))
}

fn draw_link(diagram: &Diagram, link: &Link, path: &[(f64, f64)]) -> Element {
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return Element::new("g") };
    let name = |place: usize| diagram.boxes.get(place).map_or("", |entity| entity.entity.as_str());
    let words = format!("{} – {} {}", name(link.from), name(link.to), link.label);
    let words = match &link.description {
        Some(description) => format!("{}: {description}", words.trim()),
        None => words.trim().to_owned(),
    };
    let class = match link.line {
        Line::Solid => "link",
        Line::Dashed => "link dashed",
    };
    let (leaves, reaches) = directions(path);
    Element::new("g")
        .class(class)
        .attribute("data-e", format!("{} {}", link.from, link.to))
        .child(tooltip(&words))
        .child(Element::new("path").class("course").attribute("d", course(path)))
        .children(tip(link.from_end, *first, leaves))
        .children(tip(link.to_end, *last, reaches))
}

/// How many there are, beside the end of the line.
fn draw_label(link: &Link, path: &[(f64, f64)]) -> Option<Element> {
    let last = path.last().filter(|_| !link.label.is_empty())?;
    let (_, reaches) = directions(path);
    let anchor = if reaches > 0.0 { "start" } else { "end" };
    // The label stands on the side of the line that the curve does not come from.
    let comes_from = path.iter().rev().nth(1).map_or(last.1, |point| point.1);
    let drop = if comes_from < last.1 - 1.0 { 15.0 } else { -6.0 };
    let label = text(&link.label, last.0 + reaches * (FEET + 3.0), last.1 + drop);
    let group = Element::new("g").attribute("data-e", format!("{} {}", link.from, link.to));
    Some(group.child(label.class("label").attribute("text-anchor", anchor)))
}

/// In which directions the line leads from its two boxes: to the right (1) or to the left (-1).
fn directions(path: &[(f64, f64)]) -> (f64, f64) {
    match (path.first(), path.last()) {
        (Some(first), Some(last)) if first.0 < last.0 => (1.0, -1.0),
        (Some(first), Some(last)) if first.0 > last.0 => (-1.0, 1.0),
        _ => (1.0, 1.0),
    }
}

/// A curve through the points, level where it leaves and reaches boxes.
fn course(path: &[(f64, f64)]) -> String {
    let (leaves, reaches) = directions(path);
    if leaves == reaches {
        return around(path);
    }
    let mut course = String::new();
    for pair in path.chunks_exact(2) {
        let [(x, y), (to_x, to_y)] = pair else { continue };
        let start = if course.is_empty() { 'M' } else { 'L' };
        let (x_out, x_in) = (x + leaves * FEET, to_x + reaches * FEET);
        let middle = (x_out + x_in) / 2.0;
        course += &format!(
            "{start}{x:.1} {y:.1}L{x_out:.1} {y:.1}C{middle:.1} {y:.1} {middle:.1} {to_y:.1} \
             {x_in:.1} {to_y:.1}L{to_x:.1} {to_y:.1}"
        );
    }
    course
}

/// A loop from a box to itself.
fn around(path: &[(f64, f64)]) -> String {
    let (Some((x, y)), Some((_, to_y))) = (path.first(), path.last()) else { return String::new() };
    let (out, far) = (x + FEET, x + 2.4 * FEET);
    format!(
        "M{x:.1} {y:.1}L{out:.1} {y:.1}C{far:.1} {y:.1} {far:.1} {to_y:.1} {out:.1} \
         {to_y:.1}L{x:.1} {to_y:.1}"
    )
}

fn marks_explained(layout: &Layout) -> Element {
    let words = "PK in the partition key · SK in the sort key · IX in the key of an index · ? \
                 optional · dashed: inside, a variant or a copy";
    text(words, super::metrics::MARGIN, layout.height + 12.0).class("note")
}

fn rounded(rect: Rect) -> Element {
    Element::new("rect")
        .attribute("x", format!("{:.1}", rect.left))
        .attribute("y", format!("{:.1}", rect.top))
        .attribute("width", format!("{:.1}", rect.width))
        .attribute("height", format!("{:.1}", rect.height))
        .attribute("rx", 6)
}

/// The coloured band behind a heading, round at the top.
fn band(rect: Rect) -> String {
    let (left, top, right) = (rect.left, rect.top, rect.left + rect.width);
    let bottom = top + HEADING - 2.0;
    format!(
        "M{left:.1} {bottom:.1}V{:.1}Q{left:.1} {top:.1} {:.1} {top:.1}H{:.1}Q{right:.1} {top:.1} \
         {right:.1} {:.1}V{bottom:.1}Z",
        top + 6.0,
        left + 6.0,
        right - 6.0,
        top + 6.0
    )
}

fn text(content: &str, x: f64, y: f64) -> Element {
    Element::new("text")
        .attribute("x", format!("{x:.1}"))
        .attribute("y", format!("{y:.1}"))
        .text(&printable(content))
}

fn tooltip(words: &str) -> Element {
    Element::new("title").text(words)
}

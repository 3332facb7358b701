//! How large things are drawn, in pixels.

use super::diagram::{EntityBox, Link};
use crate::display_width::display_width;

/// The height of a box's heading.
pub(super) const HEADING: f64 = 30.0;
/// The height of an attribute.
pub(super) const ROW: f64 = 20.0;
/// Between the last attribute and the edge of the box.
pub(super) const FOOT: f64 = 7.0;
/// The width of the marks of keys.
pub(super) const MARKS: f64 = 52.0;
/// Between the text and the edge of a box.
pub(super) const PADDING: f64 = 10.0;
/// The space that a link needs beside a box.
pub(super) const PORT: f64 = 18.0;
/// How far the feet of a crow reach from the box.
pub(super) const FEET: f64 = 20.0;
/// Between boxes of a column.
pub(super) const GAP: f64 = 30.0;
/// The height that a link takes in a column that it passes.
pub(super) const SLOT: f64 = 14.0;
/// Around the whole.
pub(super) const MARGIN: f64 = 12.0;

/// A character of the type that attributes are set in, 12 pixels tall, where fonts are widest.
const CHARACTER: f64 = 7.3;
/// A character of a heading, 14 pixels tall and bold.
const HEADING_CHARACTER: f64 = 8.9;
/// A character of a label, 11 pixels tall.
const LABEL_CHARACTER: f64 = 6.6;
/// The least width of a box.
const BOX_WIDTH_MIN: f64 = 150.0;
/// The least width between two columns.
const CHANNEL_MIN: f64 = 96.0;

/// The width and height of a box that so many links meet on one side.
pub(super) fn box_size(entity: &EntityBox, ports: usize) -> (f64, f64) {
    let heading = width(&entity.entity, HEADING_CHARACTER) + 2.0 * PADDING;
    let rows = entity.attributes.iter().map(|attribute| {
        let kind = attribute.kind.code().len() + usize::from(!attribute.is_required);
        let text = width(&attribute.name, CHARACTER) + kind as f64 * CHARACTER;
        MARKS + text + 2.0 * PADDING + CHARACTER
    });
    let widest = rows.fold(heading, f64::max).max(BOX_WIDTH_MIN).ceil();
    let content = HEADING + entity.attributes.len() as f64 * ROW + FOOT;
    (widest, content.max((ports + 1) as f64 * PORT))
}

/// The width between two columns, wide enough for the labels of the links that end there.
pub(super) fn channel_width<'l>(links: impl Iterator<Item = &'l Link>) -> f64 {
    let labels = links.map(|link| label_width(&link.label) + 2.0 * FEET + 8.0);
    labels.fold(CHANNEL_MIN, f64::max).ceil()
}

/// The width of a label.
pub(super) fn label_width(label: &str) -> f64 {
    width(label, LABEL_CHARACTER)
}

fn width(text: &str, character: f64) -> f64 {
    display_width(text) as f64 * character
}

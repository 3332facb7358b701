//! The chart for terminals: tables of box characters that fit the width, coloured by entity.

mod grid;
mod sections;
mod wrap;

use monotable_model::diagnostic::Colour;

use super::display_width::printable;
use super::part::{Part, Selection};
use super::sheet::Chart;

/// How to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStyle {
    /// The cells of a line.
    pub width: usize,
    /// Whether to colour.
    pub colour: Colour,
}

/// Writes the selected parts of a chart.
pub fn render_text(chart: &Chart, selection: &Selection, style: TextStyle) -> String {
    let title = chart.title.as_ref().map(|title| format!(": {title}")).unwrap_or_default();
    let mut text = printable(&format!("{}{title}", chart.name)) + "\n";
    if selection.has(Part::Diagram) {
        text += &sections::diagram(chart, style);
    }
    if selection.has(Part::Entities) {
        for one in chart.selected_entity_charts(selection) {
            text += &sections::entity_chart(chart, one, style);
        }
    }
    if selection.has(Part::Patterns) {
        text += &sections::patterns(chart, style);
    }
    if selection.has(Part::Collections) {
        for one in chart.selected_collections(selection) {
            text += &sections::collection(chart, one, style);
        }
    }
    text
}

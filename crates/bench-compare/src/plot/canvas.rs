//! An SVG file while it is written.

use std::fmt::Write;

/// Colours of what is plotted, which are readable on light backgrounds and on dark ones.
const COLOURS: [&str; 8] =
    ["#1f6feb", "#2da44e", "#8c959f", "#bc4c00", "#8250df", "#bf3989", "#9a6700", "#6e7681"];

/// Everything that is not coloured, for readers who prefer light and those who prefer dark.
const STYLE: &str = "\
svg { font: 12px system-ui, sans-serif; background: #ffffff }
text { fill: #24292f } .faint { fill: #57606a } .title { font-size: 15px; font-weight: 600 }
.grid { stroke: #d0d7de } .line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117 } text { fill: #e6edf3 } .faint { fill: #9198a1 }
.grid { stroke: #30363d }
}
";

/// The colour of a number. There are eight; the ninth is the first again.
pub(super) fn colour(number: usize) -> &'static str {
    COLOURS.iter().cycle().nth(number).expect("a cycle has no end")
}

/// What has been drawn so far.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    elements: String,
}

impl Canvas {
    /// Writes text that starts, has its middle or ends at a point, as the anchor says.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" \
             class=\"{class}\">{text}</text>"
        ));
    }

    /// Draws a line of the grid.
    pub(super) fn grid(&mut self, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.add(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"grid\"/>"
        ));
    }

    /// Draws a line through points, broken into dashes if it is told how.
    pub(super) fn line(&mut self, points: &[(f64, f64)], colour: &str, dashes: &str) {
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.add(format_args!(
            "<polyline points=\"{}\" class=\"line\" stroke=\"{colour}\" \
             stroke-dasharray=\"{dashes}\"/>",
            path.join(" ")
        ));
    }

    /// Draws a point.
    pub(super) fn dot(&mut self, (x, y): (f64, f64), colour: &str) {
        self.add(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"));
    }

    /// The whole file.
    pub(super) fn finish(self, width: f64, height: f64) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\">\n<style>\n{STYLE}</style>\n{}</svg>\n",
            self.elements
        )
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.elements, "{element}");
    }
}

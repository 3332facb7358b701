//! An SVG file while it is written.

use std::fmt::Write;

/// Colours of what is plotted: on a light background, and on a dark one.
const COLOURS: [(&str, &str); 8] = [
    ("#1f6feb", "#58a6ff"),
    ("#1a7f37", "#3fb950"),
    ("#8c959f", "#9198a1"),
    ("#bc4c00", "#f0883e"),
    ("#8250df", "#bc8cff"),
    ("#bf3989", "#f778ba"),
    ("#9a6700", "#d29922"),
    ("#57606a", "#6e7681"),
];

/// How text lies around its position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// What has been drawn so far.
#[derive(Debug)]
pub(super) struct Canvas {
    width: f64,
    height: f64,
    elements: String,
}

impl Canvas {
    /// An empty canvas with a title.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Canvas {
        let mut canvas = Canvas { width, height, elements: String::new() };
        canvas.text(16.0, 26.0, Anchor::Start, "title", title);
        canvas
    }

    /// Writes text.
    pub(super) fn text(&mut self, x: f64, y: f64, anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" \
             class=\"{class}\">{text}</text>"
        ));
    }

    /// Draws a filled rectangle.
    pub(super) fn rectangle(&mut self, x: f64, y: f64, width: f64, height: f64, colour: &str) {
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\" \
             class=\"fill {colour}\"/>"
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
            "<polyline points=\"{}\" class=\"line {colour}\" stroke-dasharray=\"{dashes}\"/>",
            path.join(" ")
        ));
    }

    /// Draws a point.
    pub(super) fn dot(&mut self, (x, y): (f64, f64), colour: &str) {
        self.add(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" class=\"fill {colour}\"/>"
        ));
    }

    /// The whole file.
    pub(super) fn finish(self) -> String {
        let Canvas { width, height, elements } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\">\n<style>\n{}</style>\n{elements}</svg>\n",
            style()
        )
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.elements, "{element}");
    }
}

/// The class of a colour. There are eight; the ninth is the first again.
pub(super) fn colour(number: usize) -> String {
    format!("c{}", number % COLOURS.len())
}

/// The style sheet. It names every colour twice rather than once as a variable, which not every
/// program that shows SVG knows.
fn style() -> String {
    let rules = |colour: fn(&(&'static str, &'static str)) -> &'static str| -> String {
        let rule = |(number, pair)| {
            let colour = colour(pair);
            format!(".fill.c{number} {{ fill: {colour} }} .line.c{number} {{ stroke: {colour} }}\n")
        };
        COLOURS.iter().enumerate().map(rule).collect()
    };
    let (light, dark) = (rules(|pair| pair.0), rules(|pair| pair.1));
    format!(
        "svg {{ font: 12px system-ui, sans-serif; background: #ffffff }}\n\
         text {{ fill: #24292f }} .faint {{ fill: #57606a }}\n\
         .title {{ font-size: 15px; font-weight: 600 }}\n\
         .grid {{ stroke: #d0d7de; stroke-width: 1 }} .line {{ fill: none; stroke-width: 2 }}\n\
         {light}@media (prefers-color-scheme: dark) {{\n\
         svg {{ background: #0d1117 }} text {{ fill: #e6edf3 }} .faint {{ fill: #9198a1 }}\n\
         .grid {{ stroke: #30363d }}\n{dark}}}\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

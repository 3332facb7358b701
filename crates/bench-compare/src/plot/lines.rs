//! Lines over one another, with a legend.

use serde_json::{Value, json};

use super::canvas::{Canvas, colour};
use super::scale::{Scale, ScaleKind};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 370.0;
const LEGEND_LINE: f64 = 20.0;

/// How lines of the same colour are told apart: by their dashes, in SVG's way.
pub(crate) const SOLID: &str = "";

/// What is drawn of latencies, and with which dashes.
const PERCENTILES: [(&str, f64, &str); 3] =
    [("p50", 0.5, SOLID), ("p99.9", 0.999, "6 3"), ("max", 1.0, "2 3")];

#[derive(Debug, Clone)]
struct Series {
    label: String,
    colour: usize,
    dashes: &'static str,
    /// From left to right.
    points: Vec<(f64, f64)>,
}

/// What an axis means, and how its values are spread.
type Axis = (&'static str, ScaleKind);

/// Lines on the same axes.
#[derive(Debug, Clone)]
pub(crate) struct LineChart {
    name: String,
    title: String,
    x_axis: Axis,
    y_axis: Axis,
    series: Vec<Series>,
}

impl LineChart {
    /// A chart without lines: its name among others, what it shows, and its axes.
    pub(crate) fn new(
        name: impl Into<String>,
        title: impl Into<String>,
        x_axis: Axis,
        y_axis: Axis,
    ) -> LineChart {
        LineChart { name: name.into(), title: title.into(), x_axis, y_axis, series: Vec::new() }
    }

    /// The chart with another line; the same without points.
    pub(crate) fn line(
        mut self,
        label: impl Into<String>,
        colour: usize,
        dashes: &'static str,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> LineChart {
        let points: Vec<(f64, f64)> = points.into_iter().collect();
        if !points.is_empty() {
            self.series.push(Series { label: label.into(), colour, dashes, points });
        }
        self
    }

    /// The chart with a line for each percentile that is drawn of latencies, of which the share is
    /// given.
    pub(crate) fn latencies<P: IntoIterator<Item = (f64, f64)>>(
        self,
        label: &str,
        colour: usize,
        points: impl Fn(f64) -> P,
    ) -> LineChart {
        PERCENTILES.into_iter().fold(self, |chart, (percentile, share, dashes)| {
            chart.line(format!("{label}, {percentile}"), colour, dashes, points(share))
        })
    }

    /// Whether there is nothing to draw.
    pub(crate) fn is_empty(&self) -> bool {
        self.series.is_empty()
    }

    /// Its name among the charts of a report.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        let line = |one: &Series| json!({ "label": one.label, "points": one.points });
        json!({
            "name": self.name,
            "title": self.title,
            "x": self.x_axis.0,
            "y": self.y_axis.0,
            "lines": self.series.iter().map(line).collect::<Value>(),
        })
    }

    /// Draws the chart.
    pub(crate) fn render(&self) -> String {
        let mut canvas = Canvas::default();
        canvas.text((16.0, 26.0), "start", "title", &self.title);
        canvas.text((16.0, 46.0), "start", "faint", self.y_axis.0);
        canvas.text(((LEFT + RIGHT) / 2.0, BOTTOM + 38.0), "middle", "faint", self.x_axis.0);
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x_scale = Scale::over(self.x_axis.1, points().map(|point| point.0));
        let y_scale = Scale::over(self.y_axis.1, points().map(|point| point.1));
        draw_axes(&mut canvas, &x_scale, &y_scale);
        for (number, series) in self.series.iter().enumerate() {
            draw_series(&mut canvas, &x_scale, &y_scale, series);
            draw_legend(&mut canvas, series, TOP + 12.0 + number as f64 * LEGEND_LINE);
        }
        canvas.finish(WIDTH, HEIGHT)
    }
}

fn x_of(scale: &Scale, value: f64) -> f64 {
    LEFT + scale.position(value) * (RIGHT - LEFT)
}

fn y_of(scale: &Scale, value: f64) -> f64 {
    BOTTOM - scale.position(value) * (BOTTOM - TOP)
}

fn draw_axes(canvas: &mut Canvas, x_scale: &Scale, y_scale: &Scale) {
    for (value, text) in x_scale.ticks() {
        let x = x_of(x_scale, value);
        canvas.grid((x, TOP), (x, BOTTOM));
        canvas.text((x, BOTTOM + 18.0), "middle", "faint", &text);
    }
    for (value, text) in y_scale.ticks() {
        let y = y_of(y_scale, value);
        canvas.grid((LEFT, y), (RIGHT, y));
        canvas.text((LEFT - 8.0, y + 4.0), "end", "faint", &text);
    }
}

/// A line with a dot at each point, unless there are too many to tell them apart.
fn draw_series(canvas: &mut Canvas, x_scale: &Scale, y_scale: &Scale, series: &Series) {
    let place = |(x, y): &(f64, f64)| (x_of(x_scale, *x), y_of(y_scale, *y));
    let points: Vec<(f64, f64)> = series.points.iter().map(place).collect();
    canvas.line(&points, colour(series.colour), series.dashes);
    for point in points.iter().filter(|_| points.len() <= 20) {
        canvas.dot(*point, colour(series.colour));
    }
}

fn draw_legend(canvas: &mut Canvas, series: &Series, y: f64) {
    let x = RIGHT + 16.0;
    canvas.line(&[(x, y - 4.0), (x + 24.0, y - 4.0)], colour(series.colour), series.dashes);
    canvas.text((x + 30.0, y), "start", "", &series.label);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_line_goes_through_its_points() {
        let x_axis = ("requests per second", ScaleKind::Logarithmic);
        let chart = LineChart::new("latency", "Latency", x_axis, ("µs", ScaleKind::Linear));
        let svg = chart.line("p99", 0, SOLID, [(100.0, 5.0), (1000.0, 10.0)]).render();
        let body = svg.split_once("</style>\n").unwrap().1;
        let (head, axis_and_line) = body.split_once("2</text>\n").unwrap();
        expect![[r#"
            <text x="16.0" y="26.0" text-anchor="start" class="title">Latency</text>
            <text x="16.0" y="46.0" text-anchor="start" class="faint">µs</text>
            <text x="355.0" y="408.0" text-anchor="middle" class="faint">requests per second</text>
            <line x1="70.0" y1="64.0" x2="70.0" y2="370.0" class="grid"/>
            <text x="70.0" y="388.0" text-anchor="middle" class="faint">100</text>
            <line x1="640.0" y1="64.0" x2="640.0" y2="370.0" class="grid"/>
            <text x="640.0" y="388.0" text-anchor="middle" class="faint">1,000</text>
            <line x1="70.0" y1="370.0" x2="640.0" y2="370.0" class="grid"/>
            <text x="62.0" y="374.0" text-anchor="end" class="faint">0</text>
            <line x1="70.0" y1="311.7" x2="640.0" y2="311.7" class="grid"/>
            <text x="62.0" y="315.7" text-anchor="end" class="faint">"#]]
        .assert_eq(head);
        let line = axis_and_line.split_once("10</text>\n").unwrap().1;
        expect![[r##"
            <polyline points="70.0,224.3 640.0,78.6" class="line" stroke="#1f6feb" stroke-dasharray=""/>
            <circle cx="70.0" cy="224.3" r="3" fill="#1f6feb"/>
            <circle cx="640.0" cy="78.6" r="3" fill="#1f6feb"/>
            <polyline points="656.0,72.0 680.0,72.0" class="line" stroke="#1f6feb" stroke-dasharray=""/>
            <text x="686.0" y="76.0" text-anchor="start" class="">p99</text>
            </svg>
        "##]]
        .assert_eq(line);
    }
}

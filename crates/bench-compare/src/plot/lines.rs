//! Lines over one another, with a legend.

use super::canvas::{Anchor, Canvas, colour};
use super::scale::{Scale, ScaleKind};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 370.0;
const LEGEND_LINE: f64 = 20.0;

/// A line.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    /// What it stands for.
    pub(crate) label: String,
    /// Which colour it has.
    pub(crate) colour: usize,
    /// How it is broken into dashes, in SVG's way; empty if it is not.
    pub(crate) dashes: &'static str,
    /// Its points from left to right.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines on the same axes.
#[derive(Debug, Clone)]
pub(crate) struct LineChart {
    /// What is shown.
    pub(crate) title: String,
    /// What the axis at the bottom means.
    pub(crate) x_label: String,
    /// What the axis at the left means.
    pub(crate) y_label: String,
    /// How the axis at the bottom is spread.
    pub(crate) x_kind: ScaleKind,
    /// How the axis at the left is spread.
    pub(crate) y_kind: ScaleKind,
    /// The lines.
    pub(crate) series: Vec<Series>,
}

impl LineChart {
    /// Draws the chart.
    pub(crate) fn render(&self) -> String {
        let mut canvas = Canvas::new(WIDTH, HEIGHT, &self.title);
        canvas.text(16.0, 46.0, Anchor::Start, "faint", &self.y_label);
        canvas.text((LEFT + RIGHT) / 2.0, BOTTOM + 38.0, Anchor::Middle, "faint", &self.x_label);
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x_scale = Scale::over(self.x_kind, points().map(|point| point.0));
        let y_scale = Scale::over(self.y_kind, points().map(|point| point.1));
        draw_axes(&mut canvas, &x_scale, &y_scale);
        for (number, series) in self.series.iter().enumerate() {
            draw_series(&mut canvas, &x_scale, &y_scale, series);
            draw_legend(&mut canvas, series, TOP + 12.0 + number as f64 * LEGEND_LINE);
        }
        canvas.finish()
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
        canvas.text(x, BOTTOM + 18.0, Anchor::Middle, "faint", &text);
    }
    for (value, text) in y_scale.ticks() {
        let y = y_of(y_scale, value);
        canvas.grid((LEFT, y), (RIGHT, y));
        canvas.text(LEFT - 8.0, y + 4.0, Anchor::End, "faint", &text);
    }
}

/// A line with a dot at each point, unless there are too many to tell them apart.
fn draw_series(canvas: &mut Canvas, x_scale: &Scale, y_scale: &Scale, series: &Series) {
    let place = |(x, y): &(f64, f64)| (x_of(x_scale, *x), y_of(y_scale, *y));
    let points: Vec<(f64, f64)> = series.points.iter().map(place).collect();
    canvas.line(&points, &colour(series.colour), series.dashes);
    for point in points.iter().filter(|_| points.len() <= 20) {
        canvas.dot(*point, &colour(series.colour));
    }
}

fn draw_legend(canvas: &mut Canvas, series: &Series, y: f64) {
    let x = RIGHT + 16.0;
    canvas.line(&[(x, y - 4.0), (x + 24.0, y - 4.0)], &colour(series.colour), series.dashes);
    canvas.text(x + 30.0, y, Anchor::Start, "", &series.label);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_line_goes_through_its_points() {
        let chart = LineChart {
            title: "Latency".to_owned(),
            x_label: "requests per second".to_owned(),
            y_label: "µs".to_owned(),
            x_kind: ScaleKind::Logarithmic,
            y_kind: ScaleKind::Linear,
            series: vec![Series {
                label: "p99".to_owned(),
                colour: 0,
                dashes: "",
                points: vec![(100.0, 10.0), (1000.0, 20.0)],
            }],
        };
        let svg = chart.render();
        let body = svg.split_once("</style>\n").unwrap().1;
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
            <line x1="70.0" y1="340.9" x2="640.0" y2="340.9" class="grid"/>
            <text x="62.0" y="344.9" text-anchor="end" class="faint">2</text>
            <line x1="70.0" y1="311.7" x2="640.0" y2="311.7" class="grid"/>
            <text x="62.0" y="315.7" text-anchor="end" class="faint">4</text>
            <line x1="70.0" y1="282.6" x2="640.0" y2="282.6" class="grid"/>
            <text x="62.0" y="286.6" text-anchor="end" class="faint">6</text>
            <line x1="70.0" y1="253.4" x2="640.0" y2="253.4" class="grid"/>
            <text x="62.0" y="257.4" text-anchor="end" class="faint">8</text>
            <line x1="70.0" y1="224.3" x2="640.0" y2="224.3" class="grid"/>
            <text x="62.0" y="228.3" text-anchor="end" class="faint">10</text>
            <line x1="70.0" y1="195.1" x2="640.0" y2="195.1" class="grid"/>
            <text x="62.0" y="199.1" text-anchor="end" class="faint">12</text>
            <line x1="70.0" y1="166.0" x2="640.0" y2="166.0" class="grid"/>
            <text x="62.0" y="170.0" text-anchor="end" class="faint">14</text>
            <line x1="70.0" y1="136.9" x2="640.0" y2="136.9" class="grid"/>
            <text x="62.0" y="140.9" text-anchor="end" class="faint">16</text>
            <line x1="70.0" y1="107.7" x2="640.0" y2="107.7" class="grid"/>
            <text x="62.0" y="111.7" text-anchor="end" class="faint">18</text>
            <line x1="70.0" y1="78.6" x2="640.0" y2="78.6" class="grid"/>
            <text x="62.0" y="82.6" text-anchor="end" class="faint">20</text>
            <polyline points="70.0,224.3 640.0,78.6" class="line c0" stroke-dasharray=""/>
            <circle cx="70.0" cy="224.3" r="3" class="fill c0"/>
            <circle cx="640.0" cy="78.6" r="3" class="fill c0"/>
            <polyline points="656.0,72.0 680.0,72.0" class="line c0" stroke-dasharray=""/>
            <text x="686.0" y="76.0" text-anchor="start" class="">p99</text>
            </svg>
        "#]]
        .assert_eq(body);
    }
}

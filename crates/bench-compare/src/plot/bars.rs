//! Horizontal bars in groups, with the value at the end of each.

use monotable_bench::columns::number;

use super::canvas::{Anchor, Canvas, colour};
use super::scale::{Scale, ScaleKind};

const WIDTH: f64 = 860.0;
const LABEL_WIDTH: f64 = 190.0;
const VALUE_WIDTH: f64 = 90.0;
const TOP: f64 = 64.0;
const BAR_HEIGHT: f64 = 16.0;
const GROUP_HEAD: f64 = 24.0;
const GROUP_GAP: f64 = 10.0;

/// A bar: what it stands for, its length, and which colour it has.
pub(crate) type Bar = (String, f64, usize);

/// Groups of bars on one logarithmic axis.
#[derive(Debug, Clone)]
pub(crate) struct BarChart {
    /// What is shown.
    pub(crate) title: String,
    /// How to read it.
    pub(crate) subtitle: String,
    /// The groups of bars that are compared with one another, from top to bottom, with titles.
    pub(crate) groups: Vec<(String, Vec<Bar>)>,
}

impl BarChart {
    /// Draws the chart.
    pub(crate) fn render(&self) -> String {
        let height = |bars: &[Bar]| GROUP_HEAD + bars.len() as f64 * BAR_HEIGHT + GROUP_GAP;
        let heights = self.groups.iter().map(|(_, bars)| height(bars));
        let bottom = TOP + heights.sum::<f64>();
        let mut canvas = Canvas::new(WIDTH, bottom + 30.0, &self.title);
        canvas.text(16.0, 46.0, Anchor::Start, "faint", &self.subtitle);
        let values = self.groups.iter().flat_map(|(_, bars)| bars).map(|(_, value, _)| *value);
        let scale = Scale::over(ScaleKind::Logarithmic, values);
        for (value, text) in scale.ticks() {
            let x = position(&scale, value);
            canvas.grid((x, TOP), (x, bottom));
            canvas.text(x, bottom + 16.0, Anchor::Middle, "faint", &text);
        }
        let mut y = TOP;
        for (title, bars) in &self.groups {
            canvas.text(16.0, y + 16.0, Anchor::Start, "", title);
            y += GROUP_HEAD;
            for bar in bars {
                draw(&mut canvas, &scale, bar, y);
                y += BAR_HEIGHT;
            }
            y += GROUP_GAP;
        }
        canvas.finish()
    }
}

fn position(scale: &Scale, value: f64) -> f64 {
    LABEL_WIDTH + scale.position(value) * (WIDTH - LABEL_WIDTH - VALUE_WIDTH)
}

fn draw(canvas: &mut Canvas, scale: &Scale, (label, value, number_of_colour): &Bar, y: f64) {
    let end = position(scale, *value);
    let baseline = y + BAR_HEIGHT - 4.0;
    canvas.text(LABEL_WIDTH - 8.0, baseline, Anchor::End, "faint", label);
    let height = BAR_HEIGHT - 3.0;
    canvas.rectangle(
        LABEL_WIDTH,
        y,
        (end - LABEL_WIDTH).max(1.0),
        height,
        &colour(*number_of_colour),
    );
    canvas.text(end + 6.0, baseline, Anchor::Start, "", &number(*value));
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn bars_are_as_long_as_the_logarithm_of_their_values() {
        let bar = |label: &str, value, colour| (label.to_owned(), value, colour);
        let chart = BarChart {
            title: "Requests <per second>".to_owned(),
            subtitle: "logarithmic".to_owned(),
            groups: vec![(
                "GetItem".to_owned(),
                vec![bar("ours", 10_000.0, 0), bar("theirs", 100.0, 3)],
            )],
        };
        let svg = chart.render();
        let body = svg.split_once("</style>\n").unwrap().1;
        expect![[r#"
            <text x="16.0" y="26.0" text-anchor="start" class="title">Requests &lt;per second&gt;</text>
            <text x="16.0" y="46.0" text-anchor="start" class="faint">logarithmic</text>
            <line x1="190.0" y1="64.0" x2="190.0" y2="130.0" class="grid"/>
            <text x="190.0" y="146.0" text-anchor="middle" class="faint">100</text>
            <line x1="480.0" y1="64.0" x2="480.0" y2="130.0" class="grid"/>
            <text x="480.0" y="146.0" text-anchor="middle" class="faint">1,000</text>
            <line x1="770.0" y1="64.0" x2="770.0" y2="130.0" class="grid"/>
            <text x="770.0" y="146.0" text-anchor="middle" class="faint">10k</text>
            <text x="16.0" y="80.0" text-anchor="start" class="">GetItem</text>
            <text x="182.0" y="100.0" text-anchor="end" class="faint">ours</text>
            <rect x="190.0" y="88.0" width="580.0" height="13.0" rx="2" class="fill c0"/>
            <text x="776.0" y="100.0" text-anchor="start" class="">10,000</text>
            <text x="182.0" y="116.0" text-anchor="end" class="faint">theirs</text>
            <rect x="190.0" y="104.0" width="1.0" height="13.0" rx="2" class="fill c3"/>
            <text x="196.0" y="116.0" text-anchor="start" class="">100</text>
            </svg>
        "#]].assert_eq(body);
    }
}

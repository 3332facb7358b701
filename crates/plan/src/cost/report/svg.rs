//! Bar charts as SVG. Colours and fonts are the page's, so that they follow its light and dark
//! forms.

/// One bar: its label, its parts in order, and what stands at its end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bar {
    pub(super) label: String,
    /// Values, each with the class that colours it.
    pub(super) parts: Vec<(f64, &'static str)>,
    pub(super) value: String,
}

const LABEL_WIDTH: f64 = 300.0;
const BAR_WIDTH: f64 = 420.0;
const VALUE_WIDTH: f64 = 110.0;
const ROW_HEIGHT: f64 = 24.0;

/// Draws bars under one another, all to one scale.
pub(super) fn bar_chart(title: &str, bars: &[Bar]) -> String {
    let total = |bar: &Bar| bar.parts.iter().map(|(value, _)| value).sum::<f64>();
    let largest = bars.iter().map(total).fold(0.0, f64::max);
    let width = LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH;
    let height = ROW_HEIGHT * bars.len() as f64;
    let rows: String = bars.iter().enumerate().map(|(row, bar)| draw(bar, row, largest)).collect();
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n{rows}</svg>\n",
        escape(title)
    )
}

fn draw(bar: &Bar, row: usize, largest: f64) -> String {
    let top = ROW_HEIGHT * row as f64;
    let baseline = top + 16.0;
    let mut left = LABEL_WIDTH;
    let mut parts = String::new();
    for (value, class) in &bar.parts {
        let width = if largest > 0.0 { value / largest * BAR_WIDTH } else { 0.0 };
        parts += &format!(
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
             height=\"16\"/>",
            top + 4.0
        );
        left += width;
    }
    format!(
        "<text class=\"label\" x=\"{:.1}\" y=\"{baseline:.1}\">{}</text>{parts}<text x=\"{:.1}\" \
         y=\"{baseline:.1}\">{}</text>\n",
        LABEL_WIDTH - 8.0,
        escape(&shortened(&bar.label)),
        left + 6.0,
        escape(&bar.value),
    )
}

/// What fits beside a bar.
fn shortened(label: &str) -> String {
    const LENGTH_MAX: usize = 42;
    if label.chars().count() <= LENGTH_MAX {
        return label.to_owned();
    }
    label.chars().take(LENGTH_MAX - 1).chain(['…']).collect()
}

/// Text with the characters replaced that mean something in HTML.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            _ => escaped.push(character),
        }
    }
    escaped
}

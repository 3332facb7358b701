//! The page in Prometheus' text format, version 0.0.4.

use std::fmt::{Display, Write};

use monotable_storage::HistogramCounts;

use super::Metric;

/// What the format is called in HTTP.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A page in the making.
#[derive(Debug, Default)]
pub(crate) struct Page {
    text: String,
}

/// The values of a metric's labels, in its order.
pub(super) type LabelValues<'a> = &'a [&'a str];

impl Page {
    /// The text.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Begins a metric. All its values are to follow.
    pub(super) fn begin(&mut self, metric: &Metric) {
        let Metric { name, kind, help, .. } = metric;
        self.line(format_args!("# HELP {name} {help}\n# TYPE {name} {}", kind.name()));
    }

    /// Writes a metric with a single value.
    pub(super) fn single(&mut self, metric: &Metric, value: impl Display) {
        self.begin(metric);
        self.value(metric, &[], value);
    }

    /// Writes a value of the metric that was begun.
    pub(super) fn value(&mut self, metric: &Metric, labels: LabelValues<'_>, value: impl Display) {
        let labels = Labels { metric, values: labels, bound: None };
        self.line(format_args!("{}{labels} {value}", metric.name));
    }

    /// Writes a histogram of the metric that was begun. Its values are so many times what the
    /// metric says.
    pub(super) fn histogram(
        &mut self,
        metric: &Metric,
        labels: LabelValues<'_>,
        counts: &HistogramCounts,
        scale: f64,
    ) {
        let name = metric.name;
        let mut up_to = 0;
        for (bound, count) in counts.bounds.iter().zip(&counts.counts) {
            up_to += count;
            let bound = (*bound as f64 / scale).to_string();
            let labels = Labels { metric, values: labels, bound: Some(&bound) };
            self.line(format_args!("{name}_bucket{labels} {up_to}"));
        }
        let total = counts.total();
        let all = Labels { metric, values: labels, bound: Some("+Inf") };
        self.line(format_args!("{name}_bucket{all} {total}"));
        let labels = Labels { metric, values: labels, bound: None };
        self.line(format_args!("{name}_sum{labels} {}", counts.sum as f64 / scale));
        self.line(format_args!("{name}_count{labels} {total}"));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // A text takes whatever is written to it.
        let _ = writeln!(self.text, "{line}");
    }
}

/// The labels of a value, as they are written.
struct Labels<'a> {
    metric: &'a Metric,
    values: LabelValues<'a>,
    /// The bound of a part of a histogram.
    bound: Option<&'a str>,
}

impl Display for Labels<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = self.metric.labels.iter().copied().zip(self.values.iter().copied());
        let mut separator = '{';
        for (name, value) in named.chain(self.bound.map(|bound| ("le", bound))) {
            write!(f, "{separator}{name}=\"")?;
            value.chars().try_for_each(|character| match character {
                '\\' => f.write_str("\\\\"),
                '"' => f.write_str("\\\""),
                '\n' => f.write_str("\\n"),
                other => f.write_char(other),
            })?;
            f.write_char('"')?;
            separator = ',';
        }
        if separator == '{' { Ok(()) } else { f.write_char('}') }
    }
}

#[cfg(test)]
mod tests {
    use monotable_storage::Histogram;

    use super::*;
    use crate::metrics::Kind;

    const GAUGE: Metric =
        Metric { name: "g", kind: Kind::Gauge, labels: &["a", "b"], help: "A gauge." };
    const HISTOGRAM: Metric =
        Metric { name: "h", kind: Kind::Histogram, labels: &["a"], help: "A histogram." };

    #[test]
    fn values_of_labels_are_escaped() {
        let mut page = Page::default();
        page.begin(&GAUGE);
        page.value(&GAUGE, &["", "q\"b\\n\n"], 1.5);
        assert_eq!(
            page.into_text(),
            "# HELP g A gauge.\n# TYPE g gauge\ng{a=\"\",b=\"q\\\"b\\\\n\\n\"} 1.5\n"
        );
    }

    #[test]
    fn parts_of_a_histogram_count_all_that_is_smaller() {
        let histogram = Histogram::new(&[50_000, 1_000_000_000]);
        [1_000, 2_000, 1_000_000, 2_000_000_000].into_iter().for_each(|it| histogram.count(it));
        let mut page = Page::default();
        page.begin(&HISTOGRAM);
        page.histogram(&HISTOGRAM, &["x"], &histogram.counts(), 1e9);
        assert_eq!(
            page.into_text(),
            "# HELP h A histogram.\n# TYPE h histogram\n\
             h_bucket{a=\"x\",le=\"0.00005\"} 2\nh_bucket{a=\"x\",le=\"1\"} 3\n\
             h_bucket{a=\"x\",le=\"+Inf\"} 4\nh_sum{a=\"x\"} 2.001003\nh_count{a=\"x\"} 4\n"
        );
    }
}

//! Tables about samples: a row for what was measured in the same way, with medians over its rounds.

use monotable_bench::load::Sample;
use monotable_bench::summary::Summary;

use super::section::Section;
use super::texts::{known, median, range};

/// What a table shows of the samples in a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Column {
    Rate,
    Range,
    Cpu,
    P50,
    P99,
    P999,
    Resident,
}

impl Column {
    fn heading(self) -> &'static str {
        match self {
            Column::Rate => "requests/s",
            Column::Range => "±",
            Column::Cpu => "CPU µs",
            Column::P50 => "p50 µs",
            Column::P99 => "p99 µs",
            Column::P999 => "p99.9 µs",
            Column::Resident => "RSS MB",
        }
    }

    fn text(self, summary: &Summary) -> String {
        match self {
            Column::Rate => median(summary.requests_per_second),
            Column::Range => range(summary.requests_per_second),
            Column::Cpu => known(summary.cpu_microseconds, median),
            Column::P50 => median(summary.p50_microseconds),
            Column::P99 => median(summary.p99_microseconds),
            Column::P999 => median(summary.p999_microseconds),
            Column::Resident => known(summary.resident_megabytes, median),
        }
    }
}

/// A table that shows the same of all rows: a name, what is said before, the columns, and what is
/// said after them.
pub(super) struct SampleTable<'a> {
    section: Section,
    columns: &'a [Column],
}

impl<'a> SampleTable<'a> {
    /// A table without rows. What is said before and after the columns has headings of its own.
    pub(super) fn new(
        title: impl Into<String>,
        before: &[&str],
        columns: &'a [Column],
        after: &[&str],
    ) -> SampleTable<'a> {
        let columns_headings = columns.iter().map(|column| column.heading());
        let headings: Vec<&str> =
            before.iter().copied().chain(columns_headings).chain(after.iter().copied()).collect();
        SampleTable { section: Section::new(title, &headings), columns }
    }

    /// Adds a row, if there are samples.
    pub(super) fn push(
        &mut self,
        before: impl IntoIterator<Item = String>,
        samples: &[Sample],
        after: impl IntoIterator<Item = String>,
    ) {
        let Some(summary) = Summary::of(samples) else { return };
        let figures = self.columns.iter().map(|column| column.text(&summary));
        self.section.push(before.into_iter().chain(figures).chain(after).collect());
    }

    /// Adds a row without figures.
    pub(super) fn push_text(&mut self, row: Vec<String>) {
        self.section.push(row);
    }

    /// The table as it is.
    pub(super) fn section(self) -> Section {
        self.section
    }
}

/// The median of requests per second; none if nothing was answered.
pub(super) fn rate(samples: &[Sample]) -> Option<f64> {
    let rate = Summary::of(samples)?.requests_per_second.median;
    (rate > 0.0).then_some(rate)
}

//! What a case found, in a form that all cases share: figures with names, latencies over time, and
//! what the server used over time.

use std::time::Duration;

use monotable_bench::load::{Burst, Histogram};
use monotable_bench::statistics::Spread;

use super::timeline::Timeline;

/// One number of one run of a case.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    /// What it is, the same in every run.
    pub(crate) name: String,
    /// Its unit, such as `ms`.
    pub(crate) unit: &'static str,
    /// The number; none if it could not be found, such as a time that did not end.
    pub(crate) value: Option<f64>,
}

/// The latencies of one kind of request over time.
#[derive(Debug, Clone)]
pub(crate) struct Track {
    /// What was asked.
    pub(crate) title: String,
    /// The seconds.
    pub(crate) burst: Burst,
}

/// Everything that one run of a case found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Finding {
    /// The figures, in the order of the table.
    pub(crate) figures: Vec<Figure>,
    /// The latencies.
    pub(crate) tracks: Vec<Track>,
    /// What the server used meanwhile.
    pub(crate) timeline: Timeline,
    /// The share of all processors that went to neither the server nor this program.
    pub(crate) disturbance: Option<f64>,
}

impl Finding {
    /// Adds a figure.
    pub(super) fn add(&mut self, name: impl Into<String>, unit: &'static str, value: Option<f64>) {
        self.figures.push(Figure { name: name.into(), unit, value });
    }

    /// Adds a time in milliseconds.
    pub(super) fn add_time(&mut self, name: impl Into<String>, time: Option<Duration>) {
        self.add(name, "ms", time.map(milliseconds));
    }

    /// Adds the latencies of some requests by name.
    pub(super) fn add_latencies(&mut self, name: &str, latencies: &Histogram) {
        for (label, share) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("longest", 1.0)] {
            let has_any = latencies.total() > 0;
            let latency = has_any.then(|| latencies.quantile(share));
            self.add_time(format!("{name}, {label}"), latency);
        }
    }

    /// Adds what requests felt without something and with it.
    pub(super) fn add_comparison(&mut self, name: &str, usual: &Histogram, felt: &Histogram) {
        self.add_latencies(&format!("{name} alone"), usual);
        self.add_latencies(&format!("{name} meanwhile"), felt);
        for (label, share) in [("p99", 0.99), ("p99.9", 0.999)] {
            let [usual, felt] = [usual, felt].map(|all| milliseconds(all.quantile(share)));
            let ratio = (usual > 0.0).then(|| felt / usual);
            self.add(format!("{name}, {label} meanwhile to alone"), "×", ratio);
        }
    }

    /// Adds what requests of a track felt over all, and whether they got slower from the first
    /// tenth of the time to the last.
    pub(super) fn add_drift(&mut self, title: &str) {
        let seconds = self.seconds();
        let part = (seconds / 10).max(1);
        let all = self.latencies(title, 0..seconds);
        self.add_latencies(title, &all);
        let first = self.latencies(title, 0..part).quantile(0.5);
        let last = self.latencies(title, seconds.saturating_sub(part)..seconds).quantile(0.5);
        self.add_time(format!("{title}, p50 of the first tenth"), Some(first));
        self.add_time(format!("{title}, p50 of the last tenth"), Some(last));
        let ratio = milliseconds(last) / milliseconds(first).max(1e-6);
        self.add(format!("{title}, last tenth to first"), "×", Some(ratio));
    }

    /// Adds what was used while all of it went on.
    pub(super) fn add_resources(&mut self) {
        let megabytes = |bytes: Option<u64>| bytes.map(|bytes| bytes as f64 / 1e6);
        let timeline = &self.timeline;
        let cpu = timeline.cpu_share().map(|share| share * 100.0);
        let anonymous = megabytes(timeline.most(|moment| moment.memory.anonymous_bytes));
        let file = megabytes(timeline.most(|moment| moment.memory.file_bytes));
        let disk = megabytes(timeline.most(|moment| moment.disk_bytes));
        self.add("server, of one processor", "%", cpu);
        self.add("memory of its own, most", "MB", anonymous);
        self.add("memory of mapped files, most", "MB", file);
        self.add("disk, most", "MB", disk);
    }

    /// The latencies of a track by title, put together over some of its seconds.
    pub(super) fn latencies(&self, title: &str, seconds: std::ops::Range<usize>) -> Histogram {
        let mut all = Histogram::new();
        let tracks = self.tracks.iter().filter(|track| track.title == title);
        for second in tracks.filter_map(|track| track.burst.seconds.get(clamp(&seconds, track))) {
            second.iter().for_each(|second| all.merge(&second.latencies));
        }
        all
    }

    /// How many seconds the longest track has.
    pub(super) fn seconds(&self) -> usize {
        self.tracks.iter().map(|track| track.burst.seconds.len()).max().unwrap_or(0)
    }
}

fn clamp(seconds: &std::ops::Range<usize>, track: &Track) -> std::ops::Range<usize> {
    let end = seconds.end.min(track.burst.seconds.len());
    seconds.start.min(end)..end
}

/// A figure in each of the rounds that have it.
pub(crate) fn values(rounds: &[Finding], name: &str) -> Vec<f64> {
    let figures = rounds.iter().flat_map(|round| &round.figures);
    figures.filter(|figure| figure.name == name).filter_map(|figure| figure.value).collect()
}

/// The median of a figure over the rounds that have it.
pub(crate) fn median(rounds: &[Finding], name: &str) -> Option<f64> {
    Spread::of(values(rounds, name)).map(|spread| spread.median)
}

/// A time in milliseconds.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(value: Option<f64>) -> Finding {
        let mut finding = Finding::default();
        finding.add("wait", "ms", value);
        finding
    }

    #[test]
    fn a_median_is_over_the_rounds_that_have_the_figure() {
        let rounds = [Some(9.0), None, Some(1.0), Some(2.0)].map(finding);
        assert_eq!(median(&rounds, "wait"), Some(2.0));
        assert_eq!(median(&rounds, "other"), None);
        assert_eq!(median(&[finding(None)], "wait"), None);
    }

    #[test]
    fn requests_that_were_never_sent_have_no_latency() {
        let mut finding = Finding::default();
        finding.add_latencies("PutItem", &Histogram::new());
        let names: Vec<&str> = finding.figures.iter().map(|figure| figure.name.as_str()).collect();
        let expected = ["PutItem, p50", "PutItem, p99", "PutItem, p99.9", "PutItem, longest"];
        assert_eq!(names, expected);
        assert!(finding.figures.iter().all(|figure| figure.value.is_none()));
    }

    #[test]
    fn seconds_beyond_the_end_of_a_track_are_left_out() {
        let track = Track { title: "probe".to_owned(), burst: Burst::default() };
        let finding = Finding { tracks: vec![track], ..Finding::default() };
        assert_eq!(finding.latencies("probe", 5..9).total(), 0);
        assert_eq!(finding.seconds(), 0);
    }
}

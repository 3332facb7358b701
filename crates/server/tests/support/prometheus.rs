//! A strict reader of Prometheus' text format, version 0.0.4: what it does not know is an error.

use std::collections::{BTreeMap, BTreeSet};

pub(crate) type Labels = BTreeMap<String, String>;

/// A page that is as the format wants it.
#[derive(Debug)]
pub(crate) struct Page {
    /// The type of each metric, by name.
    pub(crate) types: BTreeMap<String, String>,
    pub(crate) samples: Vec<Sample>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) labels: Labels,
    pub(crate) value: f64,
}

impl Page {
    /// Reads a page, which must be right in every respect.
    #[track_caller]
    pub(crate) fn read(text: &str) -> Page {
        assert!(text.ends_with('\n'), "the last line has no end");
        let mut page = Page { types: BTreeMap::new(), samples: Vec::new() };
        let mut helped = None;
        let mut current: Option<(String, String)> = None;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                let (name, help) = rest.split_once(' ').expect("a help has a text");
                assert!(is_name(name) && !help.is_empty(), "{line}");
                helped = Some(name.to_owned());
            } else if let Some(rest) = line.strip_prefix("# TYPE ") {
                let (name, kind) = rest.split_once(' ').expect("a type has a name");
                assert_eq!(helped.take().as_deref(), Some(name), "{line}: the help comes first");
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                let before = page.types.insert(name.to_owned(), kind.to_owned());
                assert_eq!(before, None, "{name} is there twice");
                current = Some((name.to_owned(), kind.to_owned()));
            } else {
                let sample = Sample::read(line);
                let (name, kind) = current.as_ref().expect("a value follows its type");
                assert!(sample.is_of(name, kind), "{line} is not of {name}");
                page.samples.push(sample);
            }
        }
        page.check_unique();
        page.check_histograms();
        page
    }

    /// The only value with these labels, and perhaps others.
    #[track_caller]
    pub(crate) fn value(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let found = self.find(name, labels);
        assert_eq!(found.len(), 1, "{name} {labels:?}: {found:?}");
        found[0].value
    }

    /// All values with these labels, and perhaps others.
    pub(crate) fn find(&self, name: &str, labels: &[(&str, &str)]) -> Vec<&Sample> {
        let has = |sample: &Sample, (label, value): &(&str, &str)| {
            sample.labels.get(*label).is_some_and(|found| found == value)
        };
        let samples = self.samples.iter().filter(|sample| sample.name == name);
        samples.filter(|sample| labels.iter().all(|label| has(sample, label))).collect()
    }

    fn check_unique(&self) {
        let mut seen = BTreeSet::new();
        for sample in &self.samples {
            assert!(seen.insert((&sample.name, &sample.labels)), "{sample:?} is there twice");
            assert!(sample.value.is_finite(), "{sample:?}");
        }
    }

    fn check_histograms(&self) {
        for (name, _) in self.types.iter().filter(|(_, kind)| *kind == "histogram") {
            for count in self.find(&format!("{name}_count"), &[]) {
                let of_it = |sample: &&Sample| {
                    let mut labels = sample.labels.clone();
                    labels.remove("le");
                    labels == count.labels
                };
                let parts = self.find(&format!("{name}_bucket"), &[]);
                let parts: Vec<&Sample> = parts.into_iter().filter(of_it).collect();
                let bounds: Vec<f64> = parts.iter().map(|part| bound(part)).collect();
                assert!(bounds.is_sorted(), "{name}: {bounds:?}");
                assert!(parts.is_sorted_by_key(|part| part.value), "{name} does not add up");
                let last = parts.last().expect("a histogram has parts");
                assert_eq!((bound(last), last.value), (f64::INFINITY, count.value), "{name}");
                let sums = self.find(&format!("{name}_sum"), &[]);
                assert_eq!(sums.into_iter().filter(of_it).count(), 1, "{name} has no sum");
            }
        }
    }
}

fn bound(part: &Sample) -> f64 {
    match part.labels["le"].as_str() {
        "+Inf" => f64::INFINITY,
        number => number.parse().unwrap(),
    }
}

impl Sample {
    fn read(line: &str) -> Sample {
        let end = line.find(['{', ' ']).expect("a value has a name");
        let (name, rest) = line.split_at(end);
        assert!(is_name(name), "{line}");
        let (labels, rest) = match rest.strip_prefix('{') {
            Some(rest) => read_labels(rest),
            None => (Labels::new(), rest),
        };
        let value = rest.strip_prefix(' ').expect("a value follows a space");
        let value = value.parse().unwrap_or_else(|_| panic!("{line} has no value"));
        Sample { name: name.to_owned(), labels, value }
    }

    fn is_of(&self, name: &str, kind: &str) -> bool {
        let suffixes: &[&str] =
            if kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
        suffixes.iter().any(|suffix| self.name == format!("{name}{suffix}"))
    }
}

/// Reads labels up to the closing brace; gives what follows it.
fn read_labels(text: &str) -> (Labels, &str) {
    let mut labels = Labels::new();
    let mut rest = text;
    loop {
        let (name, after) = rest.split_once("=\"").expect("a label has a value");
        assert!(is_name(name) && !name.contains(':'), "{text}");
        let (value, after) = read_value(after);
        assert_eq!(labels.insert(name.to_owned(), value), None, "{name} is there twice");
        if let Some(end) = after.strip_prefix('}') {
            return (labels, end);
        }
        rest = after.strip_prefix(',').expect("labels are separated by commas");
    }
}

/// Reads a value up to its closing quotation mark; gives what follows it.
fn read_value(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => return (value, &text[place + 1..]),
            '\\' => match characters.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, escaped @ ('\\' | '"'))) => value.push(escaped),
                other => panic!("{other:?} must not be escaped in {text}"),
            },
            other => value.push(other),
        }
    }
    panic!("{text} has no end")
}

fn is_name(text: &str) -> bool {
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_' || c == ':';
    text.starts_with(is_first) && text.chars().all(|c| is_first(c) || c.is_ascii_digit())
}

//! Findings on recorded requests: which request it was, and one finding for many that are equal.

use std::collections::BTreeMap;

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Tree;

use super::evidence::RecordedRequest;
use super::listing::listed;

/// The recorded request that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestOrigin {
    /// The line of the recording, from 1.
    pub line: usize,
    /// The operation, such as `Query`.
    pub operation: String,
    /// The table, if the request names one.
    pub table: Option<String>,
    /// When it was made, if that was recorded.
    pub at: Option<String>,
    /// The lines of other requests with the same mistake, in order.
    pub repeated_at: Vec<usize>,
}

/// The origins of findings, by their rule and place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RequestOrigins {
    by_finding: BTreeMap<(&'static str, String), RequestOrigin>,
    /// What the recording is called.
    pub recording: Option<String>,
}

impl RequestOrigins {
    /// The request that a finding is about, if it is about one.
    pub fn of(&self, finding: &Diagnostic) -> Option<&RequestOrigin> {
        self.by_finding.get(&(finding.code, finding.place.as_str().to_owned()))
    }

    /// Finds the requests of findings, says in a note which they are, and makes one finding of
    /// those that differ in nothing else.
    pub(super) fn settle(
        &mut self,
        findings: Vec<Diagnostic>,
        requests: &[RecordedRequest],
    ) -> Vec<Diagnostic> {
        let mut settled: Vec<(Diagnostic, Option<RequestOrigin>)> = Vec::new();
        for finding in findings {
            let Some(origin) = origin_of(&finding, requests) else {
                settled.push((finding, None));
                continue;
            };
            let same = settled.iter_mut().find(|(known, _)| is_same(known, &finding));
            match same {
                Some((_, Some(first))) => first.repeated_at.push(origin.line),
                Some((_, None)) | None => settled.push((finding, Some(origin))),
            }
        }
        settled.into_iter().map(|(finding, origin)| self.noted(finding, origin)).collect()
    }

    fn noted(&mut self, finding: Diagnostic, origin: Option<RequestOrigin>) -> Diagnostic {
        let Some(mut origin) = origin else { return finding };
        // A request may have the same mistake in several of its parts.
        origin.repeated_at.retain(|line| *line != origin.line);
        origin.repeated_at.dedup();
        let note = origin.words(self.recording.as_deref());
        let key = (finding.code, finding.place.as_str().to_owned());
        self.by_finding.insert(key, origin);
        finding.with_note(note)
    }
}

impl RequestOrigin {
    /// The request in words: `Query of Shop, line 3 of requests.jsonl, at 2026-01-01T00:00:00Z`.
    fn words(&self, recording: Option<&str>) -> String {
        let table = self.table.as_ref().map_or_else(String::new, |table| format!(" of {table}"));
        let at = self.at.as_ref().map_or_else(String::new, |at| format!(", at {at}"));
        let recording = recording.unwrap_or("the recording");
        let mut words = format!("{}{table}, line {} of {recording}{at}", self.operation, self.line);
        let lines: Vec<String> = self.repeated_at.iter().map(ToString::to_string).collect();
        match lines.as_slice() {
            [] => {}
            [line] => words += &format!("; the same in line {line}"),
            lines => words += &format!("; the same in lines {}", listed(lines)),
        }
        words
    }
}

fn origin_of(finding: &Diagnostic, requests: &[RecordedRequest]) -> Option<RequestOrigin> {
    let line = line_of(&finding.place)?;
    let request = requests.iter().find(|request| request.line == line)?;
    let table = request.body.member("TableName").and_then(Tree::text);
    Some(RequestOrigin {
        line,
        operation: request.operation.clone(),
        table: table.map(str::to_owned),
        at: request.at.clone(),
        repeated_at: Vec::new(),
    })
}

/// Whether a finding is about a recorded request.
pub(super) fn is_of_request(finding: &Diagnostic) -> bool {
    line_of(&finding.place).is_some()
}

/// The line of the request that a place is in: 3 for `requests[3].FilterExpression`.
fn line_of(place: &Place) -> Option<usize> {
    let rest = place.as_str().strip_prefix("requests[")?;
    rest.split_once(']')?.0.parse().ok()
}

/// The place inside of its request.
fn within(place: &Place) -> &str {
    place.as_str().split_once(']').map_or("", |(_, rest)| rest)
}

fn is_same(known: &Diagnostic, finding: &Diagnostic) -> bool {
    line_of(&known.place).is_some()
        && within(&known.place) == within(&finding.place)
        && known.code == finding.code
        && known.severity == finding.severity
        && known.message == finding.message
        && known.suggestion == finding.suggestion
}

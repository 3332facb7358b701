//! Findings for people and for programs.

use std::io;

use anyhow::Result;
use monotable_lint::{FindingGroup, Report, render_report_json, render_sarif, rule};
use monotable_model::diagnostic::{Diagnostic, Severity, SourceFile};

use crate::commands::model::rendering::{self, counted};
use crate::output;

/// Prints findings with their source, and those that are accepted and shown.
pub(super) fn text(groups: &[FindingGroup], shown: &Report, source: &SourceFile) -> Result<()> {
    let findings: Vec<Diagnostic> = groups.iter().map(|group| of_group(group, source)).collect();
    rendering::text(&mut io::stdout(), &findings, source)?;
    let accepted: Vec<Diagnostic> = shown
        .accepted
        .iter()
        .map(|accepted| {
            let reason = format!("accepted: {}", accepted.reason);
            accepted.finding.clone().with_note(reason)
        })
        .collect();
    Ok(rendering::text(&mut io::stdout(), &accepted, source)?)
}

/// Prints how many findings there are, those included that are not shown.
pub(super) fn summary(all: &Report, source: &SourceFile) -> Result<()> {
    Ok(output::line(&format!("{}: {}", source.name(), counts(all)))?)
}

/// The first finding of a group, with where the others are.
fn of_group(group: &FindingGroup, source: &SourceFile) -> Diagnostic {
    let line = |finding: &Diagnostic| finding.span.map(|span| source.position(span.start).line);
    let first = with_page(&group.first);
    match group.words(line) {
        Some(words) => first.with_note(format!("{words}; --all shows each")),
        None => first,
    }
}

/// A finding with where to read why.
fn with_page(finding: &Diagnostic) -> Diagnostic {
    let Some(rule) = rule(finding.code) else { return finding.clone() };
    let why = format!("why: {}, or --explain {}", rule.page_path(), rule.code);
    finding.clone().with_note(why)
}

fn counts(report: &Report) -> String {
    let counts = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "remark", "remarks"),
    ];
    let mut parts: Vec<String> = counts
        .into_iter()
        .map(|(severity, one, many)| (report.count(severity), one, many))
        .filter(|(count, _, _)| *count > 0)
        .map(|(count, one, many)| counted(count, one, many))
        .collect();
    if parts.is_empty() {
        parts.push("no mistakes".to_owned());
    }
    if !report.accepted.is_empty() {
        parts.push(format!("{} accepted", report.accepted.len()));
    }
    parts.join(", ")
}

/// Prints the report as JSON.
pub(super) fn json(report: &Report, source: &SourceFile) -> Result<()> {
    Ok(rendering::json(&render_report_json(report, source))?)
}

/// Prints the report as SARIF.
pub(super) fn sarif(report: &Report, source: &SourceFile) -> Result<()> {
    Ok(rendering::json(&render_sarif(report, source))?)
}

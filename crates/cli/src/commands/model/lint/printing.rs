//! Findings for people and for programs.

use std::io;

use anyhow::Result;
use monotable_lint::{Report, render_report_json, render_sarif, rule};
use monotable_model::diagnostic::{Diagnostic, Severity, SourceFile};

use crate::commands::model::rendering::{self, counted};
use crate::output;

/// Prints findings with their source, then how many there are. `all` also has what is not shown.
pub(super) fn text(shown: &Report, all: &Report, source: &SourceFile) -> Result<()> {
    let findings: Vec<Diagnostic> = shown.findings.iter().map(with_page).collect();
    rendering::text(&mut io::stdout(), &findings, source)?;
    let accepted: Vec<Diagnostic> = shown
        .accepted
        .iter()
        .map(|accepted| {
            let reason = format!("accepted: {}", accepted.reason);
            accepted.finding.clone().with_note(reason)
        })
        .collect();
    rendering::text(&mut io::stdout(), &accepted, source)?;
    Ok(output::line(&format!("{}: {}", source.name(), summary(all)))?)
}

/// A finding with where to read why.
fn with_page(finding: &Diagnostic) -> Diagnostic {
    let Some(rule) = rule(finding.code) else { return finding.clone() };
    let why = format!("why: {}, or --explain {}", rule.page_path(), rule.code);
    finding.clone().with_note(why)
}

fn summary(report: &Report) -> String {
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

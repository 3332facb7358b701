//! The report as JSON: the same members in the same order for ever.

use monotable_model::diagnostic::{Diagnostic, Severity, SourceFile, render_json};
use monotable_model::document::Tree;

use super::{number, object, text};
use crate::rules::rule;
use crate::{Accepted, Report, RequestOrigin};

/// A report with `file`, `findings`, `accepted` and `summary`. A finding has the members of a
/// diagnostic and `page`, the path of its rule's page; one about a recorded request has `request`,
/// and an accepted one has `reason` as well.
pub fn render_report_json(report: &Report, file: &SourceFile) -> Tree {
    let of_request = |found: &Diagnostic| report.origins.of(found).map(request);
    let findings =
        report.findings.iter().map(|found| finding(found, file, of_request(found), None));
    let accepted = report
        .accepted
        .iter()
        .map(|Accepted { finding: found, reason }| finding(found, file, None, Some(reason)));
    object([
        ("file", text(file.name())),
        ("findings", Tree::List(findings.collect())),
        ("accepted", Tree::List(accepted.collect())),
        ("summary", summary(report)),
    ])
}

/// The request that a finding is about, with the lines of those that have the same mistake.
fn request(origin: &RequestOrigin) -> Tree {
    let RequestOrigin { line, operation, table, at, repeated_at } = origin;
    let optional = |value: &Option<String>| value.as_ref().map_or(Tree::Null, text);
    object([
        ("line", number(*line)),
        ("operation", text(operation)),
        ("table", optional(table)),
        ("at", optional(at)),
        ("repeated_at", Tree::List(repeated_at.iter().copied().map(number).collect())),
    ])
}

fn finding(
    found: &Diagnostic,
    file: &SourceFile,
    request: Option<Tree>,
    reason: Option<&str>,
) -> Tree {
    let page = rule(found.code).map_or(Tree::Null, |rule| text(rule.page_path()));
    let mut members = match render_json(std::slice::from_ref(found), file) {
        Tree::List(list) => list.into_iter().next(),
        _ => None,
    };
    if let Some(Tree::Map(members)) = &mut members {
        members.push(("page".to_owned(), page));
        members.extend(request.map(|request| ("request".to_owned(), request)));
        members.extend(reason.map(|reason| ("reason".to_owned(), text(reason))));
    }
    members.unwrap_or(Tree::Null)
}

fn summary(report: &Report) -> Tree {
    object([
        ("errors", number(report.count(Severity::Error))),
        ("warnings", number(report.count(Severity::Warning))),
        ("infos", number(report.count(Severity::Info))),
        ("accepted", number(report.accepted.len())),
    ])
}

//! A result that does not fit a page.

use monotable_item::limits::PAGE_BYTES_MAX;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Operation;
use monotable_plan::cost::Request;

use crate::Subject;
use crate::amount::{amount, bytes};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "result-exceeds-page",
    Warning,
    Collections,
    Model,
    "a query without a limit returns more than a page holds",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (pattern, cost) in subject.model.patterns.iter().zip(&subject.estimate.patterns) {
        if pattern.operation != Operation::Query || pattern.limit.is_some() {
            continue;
        }
        let largest = cost.calls.iter().filter_map(|call| match &call.request {
            Request::Pages(pages) => {
                Some((pages.rows.count, pages.rows.count * pages.rows.bytes_each as f64))
            }
            Request::Get { .. }
            | Request::TransactGet { .. }
            | Request::Write(_)
            | Request::TransactWrite(_)
            | Request::Expire(_)
            | Request::ReadStream => None,
        });
        let Some((rows, size)) = largest.max_by(|(_, a), (_, b)| a.total_cmp(b)) else { continue };
        if size <= PAGE_BYTES_MAX as f64 {
            continue;
        }
        let pages = (size / PAGE_BYTES_MAX as f64).ceil();
        let message = format!(
            "{} rows of {} in all take {} pages one after the other: a page ends at 1 MB",
            amount(rows),
            bytes(size),
            amount(pages)
        );
        let suggestion = "add a limit and give the caller the last key, or read from an index that \
                          holds less of each item";
        let place = Place::pattern(&pattern.name);
        found.push(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion));
    }
    found
}

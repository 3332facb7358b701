//! A backfill that reads entities which it does not change.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_plan::PlannedAction;

use crate::Subject;
use crate::backfill::{Backfill, backfills};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "backfill-without-type-filter",
    Warning,
    Evolution,
    Model,
    "a backfill scans a table of several entities without a filter for its own",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    backfills(subject.model).iter().filter_map(|backfill| judge(subject, backfill)).collect()
}

fn judge(subject: &Subject<'_>, backfill: &Backfill<'_>) -> Option<Diagnostic> {
    let plan = subject.plans.iter().find(|plan| plan.pattern == backfill.scan.name)?;
    let (request, scan) = plan.steps.iter().find_map(|step| match &step.action {
        PlannedAction::Scan(scan) => Some((step, scan)),
        _ => None,
    })?;
    if !scan.filter.is_empty() || scan.leaks.is_empty() {
        return None;
    }
    let message = format!(
        "the scan hands {} to the backfill as well, which must not be written",
        scan.leaks.join(", ")
    );
    let table = subject.model.table(&request.target.table)?;
    let suggestion = match &table.type_attribute {
        Some(kind) => format!("filter = \"{kind} IN ({})\"", wanted_types(subject, backfill)),
        None => "give the table a type_attribute, and filter by it".to_owned(),
    };
    let place = Place::pattern(&backfill.scan.name);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

/// The types that are wanted, as literals.
fn wanted_types(subject: &Subject<'_>, backfill: &Backfill<'_>) -> String {
    let entities = backfill.scan.entities.iter().filter_map(|name| subject.model.entity(name));
    let mut types: Vec<String> =
        entities.map(|entity| format!("'{}'", entity.type_value())).collect();
    types.dedup();
    types.join(", ")
}

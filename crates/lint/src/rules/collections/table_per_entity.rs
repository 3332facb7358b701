//! Tables of one entity each that a pattern reads one after the other.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Operation, Pattern, Profile, Table};
use monotable_plan::Plan;

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "table-per-entity",
    Warning,
    Collections,
    Model,
    "a pattern reads several tables that hold one entity each",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    if subject.profile == Profile::MultiTable {
        return Vec::new();
    }
    subject.planned().filter_map(|(pattern, plan)| judge(subject, pattern, plan)).collect()
}

fn judge(subject: &Subject<'_>, pattern: &Pattern, plan: &Plan) -> Option<Diagnostic> {
    let joins = matches!(
        pattern.operation,
        Operation::Steps | Operation::BatchGet | Operation::TransactGet
    );
    if !joins {
        return None;
    }
    let targets = plan.steps.iter().flat_map(|step| match step.action.members() {
        [] => vec![step.target.table.as_str()],
        members => members.iter().map(|member| member.target.table.as_str()).collect(),
    });
    let mut tables: Vec<&str> = targets.filter(|name| holds_one(subject, name)).collect();
    tables.sort_unstable();
    tables.dedup();
    if tables.len() < 2 {
        return None;
    }
    let message = format!(
        "the pattern takes one request for each of {}, which hold one entity each",
        tables.join(" and ")
    );
    let suggestion = "put the entities into one table under the same partition key, and read them \
                      with one query";
    Some(
        Diagnostic::warning(RULE.code, Place::pattern(&pattern.name), message)
            .with_suggestion(suggestion),
    )
}

/// Whether a table has one entity, which is in no other table: several tables of one entity are
/// periods.
fn holds_one(subject: &Subject<'_>, table: &str) -> bool {
    let table: Option<&Table> = subject.model.table(table);
    let Some(table) = table else { return false };
    let mut entities = subject.model.entities_in(table);
    let first = entities.next();
    first.is_some_and(|entity| entity.tables.len() == 1) && entities.next().is_none()
}

//! A limit that does not count the parent.

use monotable_model::diagnostic::{Diagnostic, Place};

use crate::Subject;
use crate::family::{Family, families};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "limit-without-parent",
    Warning,
    Collections,
    Model,
    "a query for a parent and n children has a limit of n",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    families(subject).iter().filter_map(judge).collect()
}

fn judge(family: &Family<'_>) -> Option<Diagnostic> {
    let pattern = family.query.pattern;
    let limit = pattern.limit?;
    let rows = pattern.rows.filter(|rows| *rows == limit as f64 + 1.0).map(|_| limit);
    let wanted = rows.or(family.children_max.filter(|max| *max == limit))?;
    let message = format!(
        "{} and {wanted} of {} are {} items, and the limit is {limit}",
        family.parents.join(" or "),
        family.children.join(" and "),
        wanted + 1
    );
    let place = Place::pattern(&pattern.name).member("limit");
    Some(
        Diagnostic::warning(RULE.code, place, message)
            .with_suggestion(format!("limit = {}", wanted + 1)),
    )
}

//! A parent that is read after its children.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Order;

use crate::Subject;
use crate::family::{Family, families};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "parent-at-wrong-end",
    Error,
    Collections,
    Model,
    "a query for a parent and some of its children meets the children first",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let limited =
        families(subject).into_iter().filter(|family| family.query.pattern.limit.is_some());
    limited.filter(Family::meets_child_first).map(|family| finding(&family)).collect()
}

fn finding(family: &Family<'_>) -> Diagnostic {
    let order = match family.query.query.order {
        Order::Ascending => "ascending",
        Order::Descending => "descending",
    };
    let (parents, children) = (family.parents.join(" and "), family.children.join(" and "));
    let limit = family.query.pattern.limit.unwrap_or_default();
    let message = format!(
        "read {order}, {children} comes before {parents}: a limit of {limit} ends before {parents} \
         once there are as many"
    );
    let suggestion = match family.query.query.order {
        Order::Ascending => format!(
            "read in descending order, or let the sort key of {parents} begin with a # that the \
             others lack"
        ),
        Order::Descending => {
            format!("let the sort key of {children} begin with #, which sorts before letters")
        }
    };
    let place = Place::pattern(&family.query.pattern.name).member("order");
    Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
}

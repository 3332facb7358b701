//! A page that one kind of child fills before another comes.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Order;
use monotable_plan::cost::average_together;
use monotable_plan::{Collection, Member, Role};

use crate::Subject;
use crate::amount::amount;
use crate::planned_query::{PlannedQuery, queries};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "page-starvation",
    Warning,
    Collections,
    Model,
    "of the entities that a query wants, one fills the page before another comes",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    queries(subject).into_iter().filter_map(|query| judge(subject, query)).collect()
}

fn judge(subject: &Subject<'_>, query: PlannedQuery<'_>) -> Option<Diagnostic> {
    let limit = query.pattern.limit?;
    let members =
        query.query.collection.members.iter().filter(|member| member.role == Role::Wanted);
    let wanted: Vec<&Member> = members.collect();
    let comes_before = |first: &Member, second: &Member| match query.query.order {
        Order::Ascending => Collection::lies_before(first, second),
        Order::Descending => Collection::lies_before(second, first),
    };
    let full = wanted.iter().find_map(|member| {
        let average = average_together(subject.model, &member.entity)?;
        (average >= limit as f64).then_some((member, average))
    });
    let (first, average) = full?;
    let is_child = |member: &Member| average_together(subject.model, &member.entity).is_some();
    let starved = wanted.iter().find(|other| is_child(other) && comes_before(first, other))?;
    let message = format!(
        "{} of {} lie before the first {}, and the page ends after {limit}",
        amount(average),
        first.entity,
        starved.entity
    );
    let suggestion = format!("ask for {} in a query of its own", starved.entity);
    let place = Place::pattern(&query.pattern.name).member("limit");
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

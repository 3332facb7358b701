//! A limit that lets one too many in.

use monotable_expr::{Comparator, Condition, Section};
use monotable_model::diagnostic::{Diagnostic, Place};

use crate::Subject;
use crate::condition_shape::{condition_of, size_comparisons};
use crate::pattern_write::{PatternWrite, all_writes};
use crate::request_part::{ExpressionMember, RequestPart, request_parts};
use crate::rule::{Rule, rule};
use crate::sent_value::resolved;
use crate::update_clause::{Clause, clauses};

pub(super) const RULE: Rule = rule!(
    "limit-off-by-one",
    Warning,
    Requests,
    Model,
    "size(x) <= :max guards the addition of a member, so that max + 1 fit",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = all_writes(subject.model).into_iter().filter_map(|write| declared(&write));
    declared.chain(request_parts(subject).iter().filter_map(recorded)).collect()
}

fn declared(write: &PatternWrite<'_>) -> Option<Diagnostic> {
    let condition = condition_of(write.condition?)?;
    let clauses = clauses(&write.change?.text);
    let stored = |clause: &Clause<'_>| {
        let name = clause.target.root_name();
        write.entity.attribute(name).map_or(name, |attribute| attribute.item_name()).to_owned()
    };
    found(&condition, &grown(&clauses, stored), write.place.member("condition"))
}

fn recorded(part: &RequestPart<'_>) -> Option<Diagnostic> {
    let condition = part.condition(ExpressionMember::Condition)?;
    let update = part.expression(ExpressionMember::Update)?;
    let names = part.placeholders().names;
    let clauses = clauses(update.text);
    let grown = grown(&clauses, |clause| resolved(clause.target.root(), &names));
    found(&condition, &grown, part.place.member("ConditionExpression"))
}

/// The attributes that an update adds a member or an element to.
fn grown(clauses: &[Clause<'_>], stored: impl Fn(&Clause<'_>) -> String) -> Vec<String> {
    let grows = |clause: &&Clause<'_>| match clause.section {
        Section::Add => true,
        Section::Set => {
            let appends = clause.rest.iter().any(|token| token.is_word("list_append"));
            appends || !clause.target.is_attribute()
        }
        Section::Remove | Section::Delete => false,
    };
    clauses.iter().filter(grows).map(stored).collect()
}

fn found(condition: &Condition, grown: &[String], place: Place) -> Option<Diagnostic> {
    let comparisons = size_comparisons(condition);
    let loose = comparisons.iter().find(|one| {
        one.comparator == Comparator::LessOrEqual
            && one.path.is_attribute()
            && grown.contains(&one.path.root)
    })?;
    let path = loose.path;
    let message =
        format!("size({path}) <= max holds when {path} is full, so that one more is added");
    let suggestion = format!("size({path}) < :max");
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

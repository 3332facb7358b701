//! An update that changes a key of the table.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_plan::{Plan, Reason};

use crate::Subject;
use crate::request_part::{ExpressionMember, RequestPart, request_parts};
use crate::rule::{Rule, rule};
use crate::sent_value::resolved;
use crate::update_clause::clauses;

pub(super) const RULE: Rule = rule!(
    "update-key-attribute",
    Error,
    Requests,
    Model,
    "an update changes an attribute of the table's own key",
    check
);

const INSTEAD: &str = "delete the item and put it under its new key, in one transaction; or move \
                       the attribute into the key of an index, which follows by itself";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.planned().filter_map(|(_, plan)| declared(plan));
    declared.chain(request_parts(subject).iter().filter_map(recorded)).collect()
}

fn declared(plan: &Plan) -> Option<Diagnostic> {
    let own = plan.unserved.iter().filter(|unserved| unserved.pattern == plan.pattern);
    let mut reasons = own.flat_map(|one| &one.rejections).flat_map(|one| &one.reasons);
    let attribute = reasons.find_map(|reason| match reason {
        Reason::KeyChanges { attribute } => Some(attribute),
        _ => None,
    })?;
    let place = Place::pattern(&plan.pattern);
    let message = format!("the update changes {attribute}, which is part of the item's key");
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(INSTEAD))
}

fn recorded(part: &RequestPart<'_>) -> Option<Diagnostic> {
    let table = part.table?;
    let update = part.expression(ExpressionMember::Update)?;
    let names = part.placeholders().names;
    let targets = clauses(update.text).into_iter().map(|clause| clause.target);
    let mut targets = targets.map(|target| resolved(target.root(), &names));
    let key = targets.find(|name| table.key_attributes().any(|key| key.name == *name))?;
    let message = format!("the update writes {key}, which is a key of {}", table.name);
    Some(Diagnostic::error(RULE.code, update.place, message).with_suggestion(INSTEAD))
}

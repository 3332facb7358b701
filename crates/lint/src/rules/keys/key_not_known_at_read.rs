//! An item that is to be read or changed, and whose whole key is not known.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Operation, Pattern};
use monotable_plan::{Plan, Reason, Rejection};

use crate::Subject;
use crate::rule::{Rule, rule};
use crate::wording::joined;

pub(super) const RULE: Rule = rule!(
    "key-not-known-at-read",
    Error,
    Keys,
    Model,
    "a pattern reads or changes one item without knowing its whole key",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let of_items = subject.planned().filter(|(pattern, _)| is_of_items(pattern.operation));
    of_items.filter_map(|(pattern, plan)| finding(pattern, plan)).collect()
}

fn is_of_items(operation: Operation) -> bool {
    match operation {
        Operation::Get
        | Operation::Update
        | Operation::Delete
        | Operation::BatchGet
        | Operation::BatchWrite
        | Operation::TransactGet
        | Operation::TransactWrite => true,
        Operation::Query
        | Operation::Scan
        | Operation::Put
        | Operation::Steps
        | Operation::Expire
        | Operation::Consume
        | Operation::Administer => false,
    }
}

fn finding(pattern: &Pattern, plan: &Plan) -> Option<Diagnostic> {
    let own = plan.unserved.iter().filter(|unserved| unserved.pattern == pattern.name);
    let rejections = own.flat_map(|unserved| &unserved.rejections);
    let (entity, missing) = rejections.into_iter().find_map(missing)?;
    let missing = joined(&missing);
    let message = format!("the key of {entity} needs {missing}, which the pattern does not know");
    let suggestion = format!(
        "pass {missing}, make the key of what is known, or find the key with a query of an index \
         first"
    );
    let place = Place::pattern(&pattern.name);
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion))
}

/// The attributes of the table's own key that are not known.
fn missing(rejection: &Rejection) -> Option<(&str, Vec<&str>)> {
    if rejection.target.index.is_some() {
        return None;
    }
    let missing = rejection.reasons.iter().filter_map(|reason| match reason {
        Reason::MissingPartition { entity, attribute }
        | Reason::MissingSort { entity, attribute } => Some((entity.as_str(), attribute.as_str())),
        _ => None,
    });
    let (entities, attributes): (Vec<&str>, Vec<&str>) = missing.unzip();
    Some((entities.first().copied()?, attributes))
}

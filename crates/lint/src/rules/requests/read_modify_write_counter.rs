//! A number that is read, changed by the client, and written back.

use monotable_expr::Section;
use monotable_item::{Number, Type, Value};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Operation, Pattern, TokenKind};

use crate::Subject;
use crate::flow::{ItemRead, item_reads};
use crate::request_part::{ExpressionMember, PartKind, RequestPart};
use crate::rule::{Rule, rule};
use crate::sent_value::{SentRole, sent_values};
use crate::update_clause::clauses;

pub(super) const RULE: Rule = rule!(
    "read-modify-write-counter",
    Error,
    Requests,
    Evidence,
    "a number is read, changed by the client and written back",
    check
);

/// The largest step of a counter. A number that changes by more was probably replaced.
const STEP_MAX: i64 = 10;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.model.patterns.iter().filter_map(|one| declared(subject, one));
    let reads = item_reads(subject.model, subject.requests);
    declared.chain(reads.iter().filter_map(recorded)).collect()
}

fn found(place: Place, attribute: &str, message: String) -> Diagnostic {
    let suggestion = format!(
        "let the table count: SET {attribute} = {attribute} + :n, or ADD {attribute} :n; or make \
         the write conditional on what was read"
    );
    Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
}

fn declared(subject: &Subject<'_>, pattern: &Pattern) -> Option<Diagnostic> {
    let steps: Vec<&Pattern> =
        pattern.steps.iter().filter_map(|step| subject.model.pattern(&step.pattern)).collect();
    for (position, pair) in steps.windows(2).enumerate() {
        let [read, write] = pair else { continue };
        let is_pair = read.operation == Operation::Get
            && write.operation == Operation::Update
            && read.entities == write.entities;
        let Some(attribute) = is_pair.then(|| counter(subject, write)).flatten() else { continue };
        let place = Place::pattern(&pattern.name).member("steps").index(position + 1);
        let message =
            format!("{attribute} is read by the step before and written back as a number");
        return Some(found(place, &attribute, message));
    }
    None
}

/// The number that an update replaces by a parameter, without a condition on it.
fn counter(subject: &Subject<'_>, write: &Pattern) -> Option<String> {
    let entity = subject.model.entity(write.entities.first()?)?;
    let conditions = write.condition.iter().flat_map(|condition| &condition.attributes);
    let conditions: Vec<&String> = conditions.collect();
    let change = write.change.as_ref()?;
    let clauses = clauses(&change.text);
    let mut numbers =
        clauses.iter().filter(|clause| clause.section == Section::Set).filter(|clause| {
            let is_parameter =
                clause.value().is_some_and(|value| value.kind == TokenKind::Parameter);
            let kind = entity.attribute(clause.target.root_name()).map(|attribute| attribute.kind);
            is_parameter && clause.target.is_attribute() && kind == Some(Type::Number)
        });
    let number =
        numbers.find(|clause| !conditions.iter().any(|name| *name == clause.target.root_name()));
    number.map(|clause| clause.target.root_name().to_owned())
}

fn recorded(read: &ItemRead<'_>) -> Option<Diagnostic> {
    let write = read.writes.first()?;
    let asked = write.condition(ExpressionMember::Condition);
    let is_asked =
        |name: &str| asked.as_ref().is_some_and(|condition| condition.roots().contains(name));
    let (name, before, after) = written_numbers(write).into_iter().find_map(|(name, after)| {
        let Some(Value::Number(before)) = read.item.get(&name) else { return None };
        let is_step = is_step(before, &after) && !is_asked(&name);
        is_step.then_some((name, *before, after))
    })?;
    let message = format!(
        "{name} was {before} in the answer of line {} and is written back as {after}: a change in \
         between is lost",
        read.line
    );
    Some(found(write.place.clone(), &name, message))
}

/// The whole attributes that get a number of the request.
fn written_numbers(write: &RequestPart<'_>) -> Vec<(String, Number)> {
    if !matches!(write.kind, PartKind::Put | PartKind::Update) {
        return Vec::new();
    }
    let is_set = write.expression(ExpressionMember::Update).is_none_or(|update| {
        clauses(update.text).iter().all(|clause| clause.section != Section::Add)
    });
    let sent = sent_values(write).into_iter().filter(|sent| {
        sent.role == SentRole::Same
            && is_set
            && !sent.place.as_str().contains("ConditionExpression")
    });
    let number = |value: Value| match value {
        Value::Number(number) => Some(number),
        _ => None,
    };
    sent.filter_map(|sent| Some((sent.attribute, number(sent.value)?))).collect()
}

fn is_step(before: &Number, after: &Number) -> bool {
    let (Some(before), Some(after)) = (before.to_i64(), after.to_i64()) else { return false };
    before != after && before.abs_diff(after) <= STEP_MAX.unsigned_abs()
}

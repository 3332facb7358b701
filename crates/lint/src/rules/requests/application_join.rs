//! Two reads of which the second needs the answer of the first.

use monotable_item::Item;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Each, Model, Operation, Pattern, Tree, plain_text};
use monotable_plan::{Plan, PlannedRequest};

use crate::Subject;
use crate::evidence::RecordedRequest;
use crate::flow::{answered_items, followers, is_read};
use crate::request_part::{RequestPart, parts_of, request_place};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "application-join",
    Warning,
    Requests,
    Model,
    "a read takes its key from the answer of the read before",
    check
);

const INSTEAD: &str = "put both into one item collection, so that one query returns them; or allow \
                       this with the reason, if the data is normalised on purpose";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.planned().filter_map(|(pattern, _)| declared(subject, pattern));
    let requests = subject.requests.iter().enumerate();
    let recorded = requests.filter_map(|(position, one)| recorded(subject, position, one));
    declared.chain(recorded).collect()
}

fn declared(subject: &Subject<'_>, pattern: &Pattern) -> Option<Diagnostic> {
    let mut before: Option<&Pattern> = None;
    for (position, step) in pattern.steps.iter().enumerate() {
        let part = subject.model.pattern(&step.pattern)?;
        let plan = subject.plans.iter().find(|plan| plan.pattern == part.name)?;
        let first = before.filter(|first| reads(first) && reads(part));
        let depends = first.and_then(|first| dependence(subject.model, first, plan, &step.each));
        if let (Some(first), Some(what)) = (first, depends) {
            let message =
                format!("\"{}\" needs {what} of the answer to \"{}\"", part.name, first.name);
            let place = Place::pattern(&pattern.name).member("steps").index(position);
            return Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(INSTEAD));
        }
        before = Some(part);
    }
    None
}

fn reads(pattern: &Pattern) -> bool {
    match pattern.operation {
        Operation::Get
        | Operation::Query
        | Operation::Scan
        | Operation::BatchGet
        | Operation::TransactGet => true,
        Operation::Put
        | Operation::Update
        | Operation::Delete
        | Operation::BatchWrite
        | Operation::TransactWrite
        | Operation::Steps
        | Operation::Expire
        | Operation::Consume
        | Operation::Administer => false,
    }
}

/// What a read takes from the answer before it: an attribute of the entities there that the caller
/// of the first did not give.
fn dependence(
    model: &Model,
    first: &Pattern,
    second: &Plan,
    each: &Option<Each>,
) -> Option<String> {
    if *each == Some(Each::Result) {
        return Some("every row".to_owned());
    }
    let known: Vec<&str> = first.by.iter().map(|known| known.attribute.as_str()).collect();
    let entities: Vec<_> = first.entities.iter().filter_map(|name| model.entity(name)).collect();
    let is_answered = |name: &&str| {
        entities.iter().any(|entity| entity.attribute(name).is_some()) && !known.contains(name)
    };
    let mut parameters = second.steps.iter().flat_map(PlannedRequest::key_parameters);
    parameters.find(is_answered).map(str::to_owned)
}

fn recorded(
    subject: &Subject<'_>,
    position: usize,
    request: &RecordedRequest,
) -> Option<Diagnostic> {
    let items = answered_items(request);
    let next = followers(subject.requests, position).next()?;
    let parts = parts_of(subject.model, next);
    let reads_on = parts.iter().all(|part| is_read(part.kind));
    if items.is_empty() || parts.is_empty() || !reads_on || same_items(&items, &parts) {
        return None;
    }
    let given = texts_of(&request.body);
    let (name, value) = parts.iter().find_map(|part| taken(part, &items, &given))?;
    let message = format!(
        "the key has {value}, which is {name} in the answer of line {} just before",
        request.line
    );
    let place = request_place(next.line);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(INSTEAD))
}

/// Whether the items that were answered are read again by their own keys, such as after a query of
/// an index that does not hold all attributes.
fn same_items(items: &[Item], parts: &[RequestPart<'_>]) -> bool {
    parts.iter().any(|part| {
        part.item_key().is_some_and(|key| {
            items.iter().any(|item| key.iter().all(|(name, value)| item.get(name) == Some(value)))
        })
    })
}

/// The shortest text that is taken to be a reference and no coincidence.
const REFERENCE_CHARS_MIN: usize = 3;

/// The attribute whose value the key of a part has, and which the first request did not give.
fn taken(part: &RequestPart<'_>, items: &[Item], given: &[&str]) -> Option<(String, String)> {
    let keys = key_texts(part);
    let is_reference = |text: &str| {
        text.chars().count() >= REFERENCE_CHARS_MIN && !given.iter().any(|one| one.contains(text))
    };
    let attributes = items.iter().flatten();
    let texts = attributes.filter_map(|(name, value)| Some((name, plain_text(value)?)));
    let mut found = texts
        .filter(|(_, text)| is_reference(text) && keys.iter().any(|key| has_component(key, text)));
    found.next().map(|(name, text)| (name.clone(), text))
}

/// The texts of the key that a part reads by.
fn key_texts(part: &RequestPart<'_>) -> Vec<String> {
    let mut texts: Vec<String> = part
        .item()
        .into_iter()
        .flat_map(|key| key.into_values())
        .filter_map(|one| plain_text(&one))
        .collect();
    if let Some(Ok(condition)) = part.key_condition() {
        texts.extend(condition.comparisons().iter().filter_map(
            |(_, comparison)| match comparison {
                monotable_expr::KeyComparison::Equal(value) => plain_text(value),
                _ => None,
            },
        ));
    }
    texts
}

/// Whether a text is a key or a whole component of one.
fn has_component(key: &str, text: &str) -> bool {
    key == text || key.split(['#', '|', ':', '/']).any(|component| component == text)
}

/// All texts of a tree.
fn texts_of(tree: &Tree) -> Vec<&str> {
    match tree {
        Tree::String(text) | Tree::Number(text) => vec![text],
        Tree::List(elements) => elements.iter().flat_map(texts_of).collect(),
        Tree::Map(members) => members.iter().flat_map(|(_, value)| texts_of(value)).collect(),
        Tree::Null | Tree::Bool(_) => Vec::new(),
    }
}

//! One item is expected of an index, which keeps nothing unique.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{AttributeFormat, Entity, IndexKind, Keys, Pattern};
use monotable_plan::{PlannedAction, PlannedRequest};

use crate::Subject;
use crate::key_site::Resident;
use crate::rule::{Rule, rule};
use crate::wording::joined;

pub(super) const RULE: Rule = rule!(
    "gsi-treated-as-unique",
    Warning,
    Keys,
    Model,
    "a pattern expects one item of an index, and nothing keeps its key unique",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let single = subject.planned().filter(|(pattern, _)| expects_one(pattern));
    single
        .filter_map(|(pattern, plan)| {
            let [request] = plan.steps.as_slice() else { return None };
            finding(subject, pattern, request)
        })
        .collect()
}

/// Whether a pattern wants the one item there is, and not the first of several.
fn expects_one(pattern: &Pattern) -> bool {
    let is_one = pattern.rows.is_some_and(|rows| rows > 0.0 && rows <= 1.0);
    is_one && pattern.order.is_none() && pattern.range.is_none() && pattern.filter.is_none()
}

fn finding(
    subject: &Subject<'_>,
    pattern: &Pattern,
    request: &PlannedRequest,
) -> Option<Diagnostic> {
    let [name] = request.entities.as_slice() else { return None };
    let entity = subject.model.entity(name)?;
    let index = request.target.index.as_ref()?;
    let table = subject.model.table(&request.target.table)?;
    let is_global = table.index(index)?.kind == IndexKind::Global;
    let is_query = matches!(request.action, PlannedAction::Query(_));
    let keys = &entity.index_key(index)?.keys;
    if !is_global || !is_query || is_unique(entity, keys, pattern) {
        return None;
    }
    let known: Vec<&str> = pattern.by.iter().map(|known| known.attribute.as_str()).collect();
    let known = joined(&known);
    let message =
        format!("nothing keeps two items of {name} from having the same {known} in {index}");
    let suggestion = format!(
        "add an item whose key is {known}, say unique = [{{ attribute = \"{known}\", by = … }}], \
         or expect several"
    );
    let place = Place::pattern(&pattern.name);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

/// Whether what the pattern knows is declared unique, is an identifier, or is the item's own key.
fn is_unique(entity: &Entity, keys: &Keys, pattern: &Pattern) -> bool {
    let known = |name: &str| pattern.by.iter().any(|known| known.attribute == name);
    let is_declared = entity.unique.iter().any(|unique| known(&unique.attribute));
    let is_key = entity
        .key
        .as_ref()
        .is_some_and(|own| Resident { entity, keys: own }.attributes().into_iter().all(known));
    let is_identifier = Resident { entity, keys }.attributes().into_iter().any(|name| {
        let format = entity.attribute(name).and_then(|attribute| attribute.format);
        known(name) && format.is_some_and(identifies)
    });
    is_declared || is_key || is_identifier
}

fn identifies(format: AttributeFormat) -> bool {
    match format {
        AttributeFormat::Ksuid
        | AttributeFormat::Ulid
        | AttributeFormat::Uuid
        | AttributeFormat::UuidV7 => true,
        AttributeFormat::Email
        | AttributeFormat::Rfc3339
        | AttributeFormat::EpochSeconds
        | AttributeFormat::EpochMillis
        | AttributeFormat::Date => false,
    }
}

//! Copies of what changes often.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{ActionKind, Attribute, Entity};
use monotable_plan::Change;
use monotable_plan::cost::average_together;

use crate::Subject;
use crate::amount::amount;
use crate::pattern_write::all_writes;
use crate::rule::{Rule, rule};
use crate::threshold::COPY_WRITES;

pub(super) const RULE: Rule = rule!(
    "duplicated-mutable",
    Warning,
    Collections,
    Model,
    "an attribute that changes often is repeated in many items",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let entities = subject.model.entities.iter();
    let attributes =
        entities.flat_map(|entity| entity.attributes.iter().map(move |one| (entity, one)));
    attributes.filter_map(|(entity, attribute)| judge(subject, entity, attribute)).collect()
}

fn judge(subject: &Subject<'_>, entity: &Entity, attribute: &Attribute) -> Option<Diagnostic> {
    let of = attribute.copy_of.as_ref()?;
    let source = subject.model.entity(&of.entity)?;
    let original =
        source.attribute(&of.attribute).filter(|original| original.mutable != Some(false))?;
    let changes = change_rate(subject, source, original);
    let copies = copies(subject, source, entity)?;
    let writes = changes * copies;
    if writes <= subject.threshold(&COPY_WRITES) {
        return None;
    }
    let message = format!(
        "{}.{} changes {} times a second and is repeated {} times in {}: {} writes a second",
        of.entity,
        of.attribute,
        amount(changes),
        amount(copies),
        entity.name,
        amount(writes)
    );
    let suggestion = format!(
        "keep it in {} alone, and read it from there with the few that are shown (batch-get)",
        of.entity
    );
    let place = Place::entity(&entity.name).member("attributes").member(&attribute.name);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

/// How often updates change an attribute, per second.
fn change_rate(subject: &Subject<'_>, entity: &Entity, attribute: &Attribute) -> f64 {
    let writes = all_writes(subject.model).into_iter();
    let changing = writes.filter(|write| {
        let changes = |change| Change::of(change).changes(attribute.item_name());
        write.entity.name == entity.name
            && write.kind == ActionKind::Update
            && write.change.is_some_and(changes)
    });
    let costs = &subject.estimate.patterns;
    let rate = |name: &str| costs.iter().find(|cost| cost.name == name)?.rate;
    changing.filter_map(|write| rate(&write.pattern.name)).sum()
}

/// How many items repeat one source item.
fn copies(subject: &Subject<'_>, source: &Entity, copy: &Entity) -> Option<f64> {
    let related = subject.model.relationships.iter().any(|relationship| {
        relationship.from == source.name
            && (relationship.to == copy.name
                || relationship.through.as_deref() == Some(copy.name.as_str()))
    });
    let by_relationship = average_together(subject.model, &copy.name).filter(|_| related);
    by_relationship
        .or_else(|| Some(copy.count? as f64 / source.count.filter(|count| *count > 0)? as f64))
}

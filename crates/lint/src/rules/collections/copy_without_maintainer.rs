//! A copy that nothing changes when what it repeats changes.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, AttributeOf, Entity, Model};
use monotable_plan::Change;

use crate::Subject;
use crate::family::base;
use crate::pattern_write::{PatternWrite, all_writes};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "copy-without-maintainer",
    Warning,
    Collections,
    Model,
    "an attribute repeats another that changes, and nothing changes the copy",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let writes = all_writes(subject.model);
    let entities = subject.model.entities.iter();
    let attributes =
        entities.flat_map(|entity| entity.attributes.iter().map(move |one| (entity, one)));
    let copies = attributes.filter_map(|(entity, one)| Some((entity, one, one.copy_of.as_ref()?)));
    let stale =
        copies.filter(|(entity, one, of)| !is_maintained(subject.model, &writes, entity, one, of));
    let changed = stale.filter_map(|(entity, one, of)| {
        Some((entity, one, of, changer(subject.model, &writes, of)?))
    });
    changed.map(|(entity, one, of, changer)| finding(entity, one, of, changer)).collect()
}

/// A pattern that changes the original.
fn changer<'w, 'm>(
    model: &Model,
    writes: &'w [PatternWrite<'m>],
    of: &AttributeOf,
) -> Option<&'w PatternWrite<'m>> {
    let source = model.entity(&of.entity)?;
    let original = source.attribute(&of.attribute).filter(|one| one.mutable != Some(false))?;
    writes.iter().find(|write| base(write.entity) == base(source) && changes(write, original))
}

fn changes(write: &PatternWrite<'_>, attribute: &Attribute) -> bool {
    write.change.is_some_and(|change| Change::of(change).changes(attribute.item_name()))
}

/// Whether a pattern changes the copy, or writes the entity that holds it once more in what changes
/// the original.
fn is_maintained(
    model: &Model,
    writes: &[PatternWrite<'_>],
    entity: &Entity,
    attribute: &Attribute,
    of: &AttributeOf,
) -> bool {
    let own = || writes.iter().filter(|write| base(write.entity) == base(entity));
    let with_original = changer(model, writes, of).map(|write| write.pattern.name.as_str());
    own().any(|write| {
        changes(write, attribute) || Some(write.pattern.name.as_str()) == with_original
    })
}

fn finding(
    entity: &Entity,
    attribute: &Attribute,
    of: &AttributeOf,
    changer: &PatternWrite<'_>,
) -> Diagnostic {
    let message = format!(
        "\"{}\" changes {}.{}, and nothing changes {} of {}, which repeats it",
        changer.pattern.name, of.entity, of.attribute, attribute.name, entity.name
    );
    let suggestion = format!(
        "add the pattern that changes the copies, such as a consumer of the stream; or say mutable \
         = false for {}.{}",
        of.entity, of.attribute
    );
    let place = Place::entity(&entity.name).member("attributes").member(&attribute.name);
    Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
}

//! The size of an attribute that may be absent.

use monotable_expr::Condition;
use monotable_item::Path;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Model, Pattern};

use crate::Subject;
use crate::condition_shape::{asks_existence, condition_of, size_comparisons};
use crate::pattern_write::all_writes;
use crate::request_part::{ExpressionMember, RequestPart, request_parts};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "size-of-absent",
    Warning,
    Requests,
    Model,
    "size(x) of an attribute that may be absent, which makes every comparison false",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let model = subject.model;
    let writes = all_writes(model).into_iter().filter_map(|write| {
        let condition = condition_of(write.condition?)?;
        absent(&condition, &[write.entity], write.place.member("condition"))
    });
    let filters = model.patterns.iter().filter_map(|pattern| filtered(model, pattern));
    let parts = request_parts(subject);
    let recorded = parts.iter().filter_map(|part| recorded(model, part));
    writes.chain(filters).chain(recorded).collect()
}

fn filtered(model: &Model, pattern: &Pattern) -> Option<Diagnostic> {
    let condition = condition_of(pattern.filter.as_ref()?)?;
    let entities: Vec<&Entity> =
        pattern.entities.iter().filter_map(|name| model.entity(name)).collect();
    absent(&condition, &entities, Place::pattern(&pattern.name).member("filter"))
}

fn recorded(model: &Model, part: &RequestPart<'_>) -> Option<Diagnostic> {
    let entities: Vec<&Entity> = model.entities_in(part.table?).collect();
    [ExpressionMember::Condition, ExpressionMember::Filter].into_iter().find_map(|member| {
        let condition = part.condition(member)?;
        absent(&condition, &entities, part.place.member(member.name()))
    })
}

fn absent(condition: &Condition, entities: &[&Entity], place: Place) -> Option<Diagnostic> {
    let comparisons = size_comparisons(condition);
    let comparison = comparisons.iter().find(|comparison| {
        may_be_absent(entities, comparison.path) && !asks_existence(condition, comparison.path)
    })?;
    let path = comparison.path;
    let message = format!("{path} may be absent, and then no comparison with its size holds");
    let suggestion =
        format!("attribute_not_exists({path}) OR size({path}) …; or create every item with it");
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

/// Whether one of the entities has the attribute, and none of them in every item.
fn may_be_absent(entities: &[&Entity], path: &Path) -> bool {
    let attributes = entities.iter().flat_map(|entity| &entity.attributes);
    let mut found = attributes.filter(|attribute| attribute.item_name() == path.root).peekable();
    path.is_attribute() && found.peek().is_some() && found.all(|attribute| !attribute.required)
}

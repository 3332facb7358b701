//! A sum with an attribute that may be absent.

use monotable_expr::{Condition, Section};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Attribute, Entity, Model, Table};

use crate::Subject;
use crate::condition_shape::{condition_of, conjuncts};
use crate::pattern_write::{PatternWrite, all_writes, is_created_with};
use crate::request_part::{ExpressionMember, RequestPart, request_parts};
use crate::rule::{Rule, rule};
use crate::sent_value::resolved;
use crate::update_clause::{PathText, clauses};

pub(super) const RULE: Rule = rule!(
    "increment-without-initial",
    Warning,
    Requests,
    Model,
    "SET adds to an attribute that an item may not have, which fails",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = all_writes(subject.model).into_iter();
    let declared = declared.filter_map(|write| self::declared(subject.model, &write));
    let parts = request_parts(subject);
    let recorded = parts.iter().filter_map(|part| recorded(subject.model, part));
    declared.chain(recorded).collect()
}

fn declared(model: &Model, write: &PatternWrite<'_>) -> Option<Diagnostic> {
    let change = write.change?;
    let condition = write.condition.and_then(condition_of);
    let path = summands(&change.text).into_iter().find(|path| {
        let attribute = write.entity.attribute(path.root_name());
        let stored = attribute.map_or(path.root_name(), |attribute| attribute.item_name());
        let is_created =
            path.is_attribute() && is_created_with(model, write.entity, path.root_name());
        let is_there = is_created || attribute.is_some_and(|attribute| is_certain(attribute, path));
        !is_there && !is_asked(condition.as_ref(), stored, path)
    })?;
    Some(found(write.place.member("change"), &path, Some(write.entity)))
}

fn recorded(model: &Model, part: &RequestPart<'_>) -> Option<Diagnostic> {
    let (table, update) = (part.table?, part.expression(ExpressionMember::Update)?);
    let names = part.placeholders().names;
    let condition = part.condition(ExpressionMember::Condition);
    let path = summands(update.text).into_iter().find(|path| {
        let stored = resolved(path.root(), &names);
        let may_lack = may_lack(model, table, &stored, path);
        may_lack && !is_asked(condition.as_ref(), &stored, path)
    })?;
    Some(found(update.place, &path, None))
}

/// The paths that `SET` adds to or subtracts from.
fn summands(text: &str) -> Vec<PathText<'_>> {
    let clauses = clauses(text).into_iter().filter(|clause| clause.section == Section::Set);
    clauses.flat_map(|clause| clause.summands()).collect()
}

/// Whether an entity of the table has the attribute, and not in every item.
fn may_lack(model: &Model, table: &Table, stored: &str, path: &PathText<'_>) -> bool {
    let attributes = model.entities_in(table).flat_map(|entity| &entity.attributes);
    let mut found = attributes.filter(|attribute| attribute.item_name() == stored).peekable();
    found.peek().is_some() && !found.any(|attribute| is_certain(attribute, path))
}

/// Whether every item has what lies at the path: a required attribute, or a member of one that is
/// required too.
fn is_certain(attribute: &Attribute, path: &PathText<'_>) -> bool {
    let has_required_members =
        !attribute.members.is_empty() && attribute.members.iter().all(|member| member.required);
    attribute.required && (path.is_attribute() || has_required_members)
}

/// Whether the write happens only if the attribute is there. Of what lies inside of it, nothing
/// less will do than a condition on the same path, for which one on anything inside of it is taken.
fn is_asked(condition: Option<&Condition>, stored: &str, path: &PathText<'_>) -> bool {
    let Some(condition) = condition else { return false };
    conjuncts(condition).into_iter().any(|one| {
        let excludes =
            matches!(one, Condition::Or(..) | Condition::Not(_) | Condition::NotExists(_));
        let mut paths = one.paths().into_iter();
        !excludes
            && paths
                .any(|other| other.root == stored && (path.is_attribute() || !other.is_attribute()))
    })
}

fn found(place: Place, path: &PathText<'_>, entity: Option<&Entity>) -> Diagnostic {
    let whose = entity.map_or(String::new(), |entity| format!(" of {}", entity.name));
    let message = format!("{path}{whose} may be absent, and then the update fails");
    let suggestion = if path.is_attribute() {
        format!(
            "ADD {path} :n, or SET {path} = if_not_exists({path}, :zero) + :n; or say required = \
             true if every item is created with it"
        )
    } else {
        format!(
            "SET {path} = if_not_exists({path}, :zero) + :n, and create the item with the map \
             around it"
        )
    };
    Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
}

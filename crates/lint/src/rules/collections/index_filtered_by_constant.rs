//! An index of which every read wants the items with one value alone.

use monotable_expr::{Comparator, Condition, Operand};
use monotable_item::{Path, Value};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Index, Source, Table};
use monotable_plan::{FilterComparison, PlannedRequest};

use crate::Subject;
use crate::condition_shape::conjuncts;
use crate::key_site::routes;
use crate::planned_query::requests;
use crate::rule::{Rule, rule};
use crate::wording::{quoted, written_path, written_value};

pub(super) const RULE: Rule = rule!(
    "index-filtered-by-constant",
    Warning,
    Collections,
    Model,
    "every read of an index filters by the same value, so the index should hold only those items",
    check
);

/// What an attribute must be.
#[derive(Debug, Clone, PartialEq)]
struct Constant {
    /// The attribute, by its name in items.
    path: Path,
    value: Value,
}

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let indexes = routes(subject.model).filter_map(|(table, index)| Some((table, index?)));
    indexes.filter_map(|(table, index)| judge(subject, table, index)).collect()
}

fn judge(subject: &Subject<'_>, table: &Table, index: &Index) -> Option<Diagnostic> {
    let mut readers = requests(subject);
    readers.retain(|(_, request)| {
        request.target.table == table.name
            && request.target.index.as_deref() == Some(index.name.as_str())
    });
    let (first, others) = readers.split_first()?;
    let is_shared =
        |constant: &Constant| others.iter().all(|(_, other)| constants(other).contains(constant));
    let constant = constants(first.1).into_iter().find(is_shared)?;
    let entities = readers.iter().flat_map(|(reader, _)| &reader.entities);
    let mut entities = entities.filter_map(|name| subject.model.entity(name));
    let entity = entities.find(|entity| is_whole(entity, index))?;
    finding(index, entity, &constant, readers.len())
}

/// Whether the index holds the items of an entity whatever their attributes are.
fn is_whole(entity: &Entity, index: &Index) -> bool {
    entity.index_key(&index.name).is_some_and(|keys| keys.when.is_none())
}

/// What the filter of a request asks of every item, whatever the parameters are: what the pattern
/// says to filter by, and what it knows and the key does not say.
fn constants(request: &PlannedRequest) -> Vec<Constant> {
    let Some((filter, _)) = request.action.filter_and_limit() else { return Vec::new() };
    // No value of a model begins like this, so parameters are told from literals.
    let parameter = |name: &str| Some(Value::String(format!("\0{name}")));
    let sure = filter.parts.iter().filter(|part| part.optional.is_empty());
    let conditions = sure.filter_map(|part| part.expression.condition(parameter).ok());
    let mut constants: Vec<Constant> = conditions
        .flat_map(|condition| {
            conjuncts(&condition).into_iter().filter_map(constant).collect::<Vec<_>>()
        })
        .collect();
    constants.extend(filter.added.iter().filter_map(|added| match &added.comparison {
        FilterComparison::Equal(Source::Literal(value)) if !added.passes_without => {
            Some(Constant { path: Path::attribute(&added.attribute), value: value.clone() })
        }
        FilterComparison::Equal(_) | FilterComparison::Range(_) => None,
    }));
    constants
}

fn constant(condition: &Condition) -> Option<Constant> {
    let Condition::Compare { comparator: Comparator::Equal, left, right } = condition else {
        return None;
    };
    let ((Operand::Path(path), Operand::Value(value))
    | (Operand::Value(value), Operand::Path(path))) = (left, right)
    else {
        return None;
    };
    let value = Value::clone(value);
    let is_parameter = matches!(&value, Value::String(text) if text.starts_with('\0'));
    (!is_parameter).then(|| Constant { path: Path::clone(path), value })
}

fn finding(
    index: &Index,
    entity: &Entity,
    constant: &Constant,
    readers: usize,
) -> Option<Diagnostic> {
    let path = written_path(entity, &constant.path);
    let condition = format!("{path} = {}", written_value(&constant.value)?);
    let who = if readers == 1 {
        "the only read".to_owned()
    } else {
        format!("each of the {readers} reads")
    };
    let message = format!(
        "{who} of {} filters by {condition}, and all other items of {} are written, stored and \
         read there for nothing",
        index.name, entity.name
    );
    let place = Place::entity(&entity.name).member("indexes").member(&index.name);
    let suggestion = format!("make it sparse: when = {}", quoted(&condition));
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

//! An index of which every read wants the items with one value alone.

use monotable_expr::{Comparator, Condition, Operand};
use monotable_item::Value;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Index, Pattern, Table, plain_text};

use crate::Subject;
use crate::condition_shape::conjuncts;
use crate::key_site::routes;
use crate::planned_query::requests;
use crate::rule::{Rule, rule};

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
    attribute: String,
    value: Value,
}

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let indexes = routes(subject.model).filter_map(|(table, index)| Some((table, index?)));
    indexes.filter_map(|(table, index)| judge(subject, table, index)).collect()
}

fn judge(subject: &Subject<'_>, table: &Table, index: &Index) -> Option<Diagnostic> {
    let readers: Vec<&Pattern> = requests(subject)
        .into_iter()
        .filter(|(_, request)| {
            request.target.table == table.name
                && request.target.index.as_deref() == Some(index.name.as_str())
        })
        .map(|(pattern, _)| pattern)
        .collect();
    let (first, others) = readers.split_first()?;
    let is_shared =
        |constant: &Constant| others.iter().all(|other| constants(other).contains(constant));
    let constant = constants(first).into_iter().find(is_shared)?;
    let entities = readers.iter().flat_map(|reader| &reader.entities);
    let mut entities = entities.filter_map(|name| subject.model.entity(name));
    let entity = entities.find(|entity| is_whole(entity, index))?;
    Some(finding(index, entity, &constant, readers.len()))
}

/// Whether the index holds the items of an entity whatever their attributes are.
fn is_whole(entity: &Entity, index: &Index) -> bool {
    entity.index_key(&index.name).is_some_and(|keys| keys.when.is_none())
}

/// What the filter of a pattern asks of every item, whatever the parameters are.
fn constants(pattern: &Pattern) -> Vec<Constant> {
    // No value of a model begins like this, so parameters are told from literals.
    let parameter = |name: &str| Some(Value::String(format!("\0{name}")));
    let Some(condition) = pattern.filter.as_ref().and_then(|one| one.condition(parameter).ok())
    else {
        return Vec::new();
    };
    conjuncts(&condition).into_iter().filter_map(constant).collect()
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
    (!is_parameter).then(|| Constant { attribute: path.to_string(), value })
}

fn finding(index: &Index, entity: &Entity, constant: &Constant, readers: usize) -> Diagnostic {
    let Constant { attribute, value } = constant;
    let value = match value {
        Value::String(text) => format!("'{text}'"),
        other => plain_text(other).unwrap_or_default(),
    };
    let who = if readers == 1 {
        "the only read".to_owned()
    } else {
        format!("each of the {readers} reads")
    };
    let message = format!(
        "{who} of {} filters by {attribute} = {value}, and all other items of {} are written, \
         stored and read there for nothing",
        index.name, entity.name
    );
    let place = Place::entity(&entity.name).member("indexes").member(&index.name);
    Diagnostic::warning(RULE.code, place, message)
        .with_suggestion(format!("make it sparse: when = \"{attribute} = {value}\""))
}

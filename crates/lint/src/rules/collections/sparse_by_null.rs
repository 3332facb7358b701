//! An index key that is emptied instead of removed.

use monotable_item::Value;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Entity, Model, Source};
use monotable_plan::Change;

use crate::Subject;
use crate::pattern_write::{PatternWrite, all_writes};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "sparse-by-null",
    Error,
    Collections,
    Model,
    "an index key is set to nothing instead of being removed",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    all_writes(subject.model).iter().flat_map(|write| judge(subject.model, write)).collect()
}

fn judge(model: &Model, write: &PatternWrite<'_>) -> Vec<Diagnostic> {
    let by_update = write.change.map(|change| Change::of(change).assigned).unwrap_or_default();
    let stored =
        |name: &str| write.entity.attribute(name).map_or(name, |one| one.item_name()).to_owned();
    let by_put = write.values.iter().map(|known| (stored(&known.attribute), known.source.clone()));
    let emptied = by_update.into_iter().chain(by_put).filter(|(_, source)| is_empty(source));
    let of_keys = emptied.filter(|(name, _)| is_index_key(model, write.entity, name));
    of_keys.map(|(name, _)| finding(write, &name)).collect()
}

fn is_empty(source: &Source) -> bool {
    match source {
        Source::Literal(Value::Null) => true,
        Source::Literal(Value::String(text)) => text.is_empty(),
        Source::Literal(_) | Source::Parameter(_) => false,
    }
}

fn is_index_key(model: &Model, entity: &Entity, name: &str) -> bool {
    let indexes = model.tables_of(entity).flat_map(|table| &table.indexes);
    indexes.flat_map(|index| index.key_attributes()).any(|key| key.name == name)
}

fn finding(write: &PatternWrite<'_>, name: &str) -> Diagnostic {
    let message =
        format!("{name} is set to nothing, which is no key: the service refuses the write");
    let (member, suggestion) = match write.change {
        Some(_) => ("change", format!("take the item out of the index with REMOVE {name}")),
        None => ("values", format!("leave {name} out of the item")),
    };
    Diagnostic::error(RULE.code, write.place.member(member), message).with_suggestion(suggestion)
}

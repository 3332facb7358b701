//! Many items under one partition key by design.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Index, IndexKind, Table};
use monotable_model::template::Template;

use crate::Subject;
use crate::amount::amount;
use crate::cardinality::{item_count, keys_in};
use crate::rule::{Rule, rule};
use crate::threshold::CONSTANT_PARTITION_ITEMS;

pub(super) const RULE: Rule = rule!(
    "constant-partition",
    Warning,
    Collections,
    Model,
    "all items of an entity have the same partition key, however many there are",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for table in &subject.model.tables {
        let own = std::iter::once(None);
        let global = table.indexes.iter().filter(|index| index.kind == IndexKind::Global);
        for index in own.chain(global.map(Some)) {
            let entities = subject.model.entities_in(table);
            found.extend(entities.filter_map(|entity| judge(subject, table, index, entity)));
        }
    }
    found
}

fn judge(
    subject: &Subject<'_>,
    table: &Table,
    index: Option<&Index>,
    entity: &Entity,
) -> Option<Diagnostic> {
    let keys = keys_in(entity, index)?;
    let items = item_count(subject, table, index, entity);
    let is_one =
        entity.singleton || index.is_none() && keys.sort.iter().all(Template::is_singleton);
    let is_few = items.is_some_and(|items| items <= subject.threshold(&CONSTANT_PARTITION_ITEMS));
    if is_one || is_few || !keys.partition.iter().all(Template::is_singleton) {
        return None;
    }
    let template = keys.partition.first()?;
    let place = Place::entity(&entity.name);
    let place = match index {
        Some(index) => place.member("indexes").member(&index.name).member("partition"),
        None => place.member("key").member("partition"),
    };
    let count = items.map_or_else(
        || "however many there are".to_owned(),
        |items| format!("{} of them", amount(items)),
    );
    let message = format!("every {} is in the one partition {template}, {count}", entity.name);
    let suggestion = match index {
        Some(_) => {
            "give the index an attribute of the entity as its key and scan it, or add a shard to \
             the key"
        }
        None => {
            "begin the key with an attribute that has many values, and list all of them from a \
             sparse index"
        }
    };
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

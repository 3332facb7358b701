//! A table of several entities that nothing needs together.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Operation, Pattern, Profile, Table};
use monotable_model::template::{Domains, EntityKeys};

use crate::Subject;
use crate::family::base;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "single-table-without-joins",
    Info,
    Collections,
    Model,
    "several entities share a table, and nothing reads or writes two of them together",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    if subject.profile == Profile::MultiTable {
        return Vec::new();
    }
    subject.model.tables.iter().filter_map(|table| judge(subject, table)).collect()
}

fn judge(subject: &Subject<'_>, table: &Table) -> Option<Diagnostic> {
    let entities: Vec<&Entity> = subject.model.entities_in(table).collect();
    let mut kinds: Vec<&str> = entities.iter().map(|entity| base(entity)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let joins = |pattern: &Pattern| {
        let names = pattern.all_entities().filter_map(|name| subject.model.entity(name));
        let mut together: Vec<&str> = names.map(base).collect();
        together.sort_unstable();
        together.dedup();
        together.len() > 1 || pattern.operation == Operation::Steps
    };
    let is_apart = kinds.len() > 2
        && !subject.model.patterns.is_empty()
        && !subject.model.patterns.iter().any(joins)
        && !share_partitions(&entities);
    if !is_apart {
        return None;
    }
    let message = format!(
        "{} holds {}, and no pattern reads or writes two of them together",
        table.name,
        kinds.join(", ")
    );
    let suggestion =
        "tables of their own would do as well, with capacity, streams and exports of their own";
    Some(
        Diagnostic::info(RULE.code, Place::table(&table.name), message).with_suggestion(suggestion),
    )
}

/// Whether items of two entities can have the same partition key, which is a design for reading
/// them together.
fn share_partitions(entities: &[&Entity]) -> bool {
    let domains = Domains::new();
    let keys: Vec<(&str, EntityKeys)> = entities
        .iter()
        .filter_map(|entity| {
            let keys = entity.key.as_ref()?;
            let templates = EntityKeys::new(keys.partition.first()?, keys.sort.first(), &domains);
            Some((base(entity), templates))
        })
        .collect();
    let mut pairs = keys.iter().enumerate().flat_map(|(position, first)| {
        keys.iter().skip(position + 1).map(move |second| (first, second))
    });
    pairs.any(|((first, keys), (second, others))| {
        first != second && !keys.same_collection(others).is_never()
    })
}

//! From a model to a plain tree: members in the order of the schema, defaults left out, and tables,
//! entities, patterns, samples and tests in the order of the model.

mod entity;
pub mod members;
mod model_test;
mod pattern;
mod table;
mod value;

use monotable_item::{Item, Value};

use super::decode::{SAMPLE_SHARD, SAMPLE_TABLE, SAMPLE_WITHOUT};
use super::words::{LEVELS, RELATIONSHIP_KINDS, word};
use super::{
    Allowance, Attribute, Entity, FORMAT, Index, IndexKeys, Keys, Level, LintSettings, Model,
    Pattern, Relationship, Sample, Table, Tree, Workload,
};
use members::{Members, by_name, texts};

/// The tree that a model is written as.
pub(super) fn encode(model: &Model) -> Tree {
    let mut members = Members::new();
    members.count("format", Some(FORMAT));
    members.text("name", Some(&model.name));
    members.text("title", model.title.as_deref());
    members.text("description", model.description.as_deref());
    members.map("tables", by_name(&model.tables, |table| &table.name, table::table));
    members.map(
        "entities",
        by_name(&model.entities, |entity| &entity.name, |entity| entity::entity(model, entity)),
    );
    members.list("relationships", model.relationships.iter().map(relationship_tree).collect());
    members.map(
        "patterns",
        by_name(&model.patterns, |pattern| &pattern.name, |one| pattern::pattern(model, one)),
    );
    members.map("samples", samples(model, &model.samples));
    members
        .map("tests", by_name(&model.tests, |test| &test.name, |one| model_test::test(model, one)));
    let workload = workload(&model.workload);
    if !workload.is_empty() {
        members.put("workload", workload.into_tree());
    }
    let lint = lint(&model.lint);
    if !lint.is_empty() {
        members.put("lint", lint.into_tree());
    }
    members.list("allow", model.allow.iter().map(allowance).collect());
    members.put_some("extensions", model.extensions.clone());
    members.into_tree()
}

/// A value as a document has it: plain where its type shows, typed otherwise.
pub fn value_tree(value: &Value) -> Tree {
    value::value(value, None)
}

/// The tree of a table without its name.
pub fn table_tree(table: &Table) -> Tree {
    table::table(table)
}

/// The tree of an index without its name.
pub fn index_tree(index: &Index) -> Tree {
    table::index(index)
}

/// The tree of an entity without its name.
pub fn entity_tree(model: &Model, entity: &Entity) -> Tree {
    entity::entity(model, entity)
}

/// The tree of an attribute without its name. Whether a key needs it is not known here, so that
/// what is required says so.
pub fn attribute_tree(attribute: &Attribute) -> Tree {
    match entity::attribute(attribute, false) {
        Tree::Map(members) => Tree::Map(members),
        kind => Tree::Map(vec![("type".to_owned(), kind)]),
    }
}

/// The tree of the templates of a key.
pub fn keys_tree(keys: &Keys) -> Tree {
    entity::keys(keys, &["partition", "sort"]).into_tree()
}

/// The tree of the templates of a key in an index.
pub fn index_keys_tree(model: &Model, entity: &Entity, keys: &IndexKeys) -> Tree {
    entity::index(model, entity, keys)
}

/// The tree of an access pattern without its name.
pub fn pattern_tree(model: &Model, pattern: &Pattern) -> Tree {
    pattern::pattern(model, pattern)
}

/// The tree of the workload.
pub fn workload_tree(of: &Workload) -> Tree {
    workload(of).into_tree()
}

/// The tree of a relationship.
pub fn relationship_tree(relationship: &Relationship) -> Tree {
    let mut members = Members::new();
    members.text("from", Some(&relationship.from));
    members.text("to", Some(&relationship.to));
    members.text("kind", Some(word(RELATIONSHIP_KINDS, relationship.kind)));
    members.text("through", relationship.through.as_deref());
    members.quantity("average", relationship.average);
    members.count("max", relationship.max);
    members.text("description", relationship.description.as_deref());
    members.into_tree()
}

fn workload(workload: &Workload) -> Members {
    let mut members = Members::new();
    members.quantity("reads_per_second", workload.reads_per_second);
    members.quantity("writes_per_second", workload.writes_per_second);
    members.quantity("peak_factor", workload.peak_factor);
    members.text("region", workload.region.as_deref());
    members.quantity("growth_per_month", workload.growth_per_month);
    members
}

fn lint(settings: &LintSettings) -> Members {
    let number = |(name, value): &(String, f64)| (name.clone(), Tree::Number(value.to_string()));
    let level = |(name, level): &(String, Level)| {
        (name.clone(), Tree::String(word(LEVELS, *level).to_owned()))
    };
    let mut members = Members::new();
    members.text("profile", settings.profile.map(|profile| profile.name()));
    members.map("thresholds", settings.thresholds.iter().map(number).collect());
    members.map("severity", settings.severity.iter().map(level).collect());
    members
}

fn allowance(allowance: &Allowance) -> Tree {
    let mut members = Members::new();
    members.text("rule", Some(&allowance.rule));
    members.text("at", allowance.at.as_ref().map(|place| place.as_str()));
    members.text("reason", Some(&allowance.reason));
    members.into_tree()
}

/// Samples by entity, in the order in which the entities first occur.
fn samples(model: &Model, samples: &[Sample]) -> Vec<(String, Tree)> {
    let mut lists: Vec<(String, Vec<Tree>)> = Vec::new();
    for sample in samples {
        let tree = self::sample(sample, model.entity(&sample.entity));
        match lists.iter_mut().find(|(entity, _)| *entity == sample.entity) {
            Some((_, list)) => list.push(tree),
            None => lists.push((sample.entity.clone(), vec![tree])),
        }
    }
    lists.into_iter().map(|(entity, list)| (entity, Tree::List(list))).collect()
}

/// A sample with its attributes in the order of the entity.
fn sample(sample: &Sample, entity: Option<&Entity>) -> Tree {
    let mut members = Members::new();
    members.text(SAMPLE_TABLE, sample.table.as_deref());
    members.list(SAMPLE_WITHOUT, texts(&sample.without));
    members.count(SAMPLE_SHARD, sample.shard.map(u64::from));
    attributes(&mut members, &sample.attributes, entity);
    members.into_tree()
}

/// Attributes of an item, in the order of the entity.
fn attributes(members: &mut Members, item: &Item, entity: Option<&Entity>) {
    let declared = entity.map_or(&[] as &[_], |entity| entity.attributes.as_slice());
    for attribute in declared {
        if let Some(content) = item.get(&attribute.name) {
            members.put(&attribute.name, value::value(content, Some(attribute)));
        }
    }
}

//! From a model to NoSQL Workbench's file.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::members::{Members, text, texts};
use monotable_model::document::{
    Billing, Entity, Index, IndexKind, KeyAttribute, Model, Sample, Table, Tree,
};
use monotable_model::item_json::tree_of_item;

use crate::extension::{child, kept_for, restore};
use crate::foreign::note;
use crate::outcome::Written;
use crate::renaming::stored;
use crate::table_shape::projection;

/// The version of the format that is written where none was read.
const VERSION: &str = "3.0";

/// Writes a whole file.
pub(crate) fn export(model: &Model) -> Written<Tree> {
    let mut notes = Vec::new();
    let kept = kept_for(model, "workbench");
    let mut members = Members::new();
    members.text("ModelName", Some(model.title.as_deref().unwrap_or(&model.name)));
    members.put("ModelMetadata", metadata(model, kept));
    let by_table = kept.and_then(|kept| child(kept, "DataModel"));
    let tables = model.tables.iter().map(|table| {
        let own = by_table.and_then(|by_table| child(by_table, table.physical_name()));
        data_model(model, table, own, &mut notes)
    });
    members.put("DataModel", Tree::List(tables.collect()));
    let mut content = members.into_tree();
    if let Some(kept) = kept {
        restore(&mut content, kept);
    }
    remarks(model, &mut notes);
    Written { content, notes }
}

fn metadata(model: &Model, kept: Option<&Tree>) -> Tree {
    let mut members = Members::new();
    members.text("Description", Some(model.description.as_deref().unwrap_or_default()));
    if kept.and_then(|kept| child(kept, "ModelMetadata")).is_none() {
        members.text("Author", Some(""));
        members.text("AWSService", Some("Amazon DynamoDB"));
        members.text("Version", Some(VERSION));
    }
    members.into_tree()
}

fn data_model(
    model: &Model,
    table: &Table,
    kept: Option<&Tree>,
    notes: &mut Vec<Diagnostic>,
) -> Tree {
    let mut members = Members::new();
    members.text("TableName", Some(table.physical_name()));
    members.put("KeyAttributes", key(&table.partition_key, table.sort_key.as_ref()));
    members.put("NonKeyAttributes", Tree::List(attributes(model, table)));
    let has_data_of_its_own = kept.and_then(|kept| child(kept, "TableData")).is_some();
    if has_data_of_its_own || model.entities_in(table).next().is_none() {
        let items = model.samples.iter().filter(|sample| is_in(model, sample, table));
        members.put("TableData", Tree::List(items.filter_map(|one| item(model, one)).collect()));
    } else {
        let facets = model.entities_in(table).map(|entity| {
            let own = kept.and_then(|kept| child(kept, "TableFacets"));
            facet(model, table, entity, own.and_then(|own| child(own, facet_name(table, entity))))
        });
        members.put("TableFacets", Tree::List(facets.collect()));
    }
    let indexes = table.indexes.iter().filter_map(|one| index(table, one, notes));
    members.list("GlobalSecondaryIndexes", indexes.collect());
    billing(&mut members, table, kept);
    members.into_tree()
}

/// The name of a facet: that of the entity, without the table that an import put before it.
fn facet_name<'e>(table: &Table, entity: &'e Entity) -> &'e str {
    let name = entity.name.strip_prefix(table.physical_name());
    name.and_then(|name| name.strip_prefix('.')).unwrap_or(&entity.name)
}

fn key(partition: &KeyAttribute, sort: Option<&KeyAttribute>) -> Tree {
    let attribute = |key: &KeyAttribute| typed_attribute(&key.name, key.kind.value_type().code());
    let mut members = Members::new();
    members.put("PartitionKey", attribute(partition));
    members.put_some("SortKey", sort.map(attribute));
    members.into_tree()
}

fn typed_attribute(name: &str, kind: &str) -> Tree {
    let mut members = Members::new();
    members.text("AttributeName", Some(name));
    members.text("AttributeType", Some(kind));
    members.into_tree()
}

/// Every attribute of the items but the table's own key, each once.
fn attributes(model: &Model, table: &Table) -> Vec<Tree> {
    let mut seen: Vec<String> = table.key_attributes().map(|key| key.name.clone()).collect();
    let mut found = Vec::new();
    let mut add = |name: &str, kind: &str| {
        if !seen.iter().any(|other| other == name) {
            seen.push(name.to_owned());
            found.push(typed_attribute(name, kind));
        }
    };
    for key in table.indexes.iter().flat_map(Index::key_attributes) {
        add(&key.name, key.kind.value_type().code());
    }
    if let Some(name) = &table.type_attribute {
        add(name, "S");
    }
    for attribute in model.entities_in(table).flat_map(|entity| &entity.attributes) {
        if attribute.stored {
            add(attribute.item_name(), attribute.kind.code());
        }
    }
    found
}

fn facet(model: &Model, table: &Table, entity: &Entity, kept: Option<&Tree>) -> Tree {
    let mut members = Members::new();
    members.text("FacetName", Some(facet_name(table, entity)));
    let alias = kept.and_then(|kept| child(kept, "KeyAttributeAlias")).cloned();
    members.put("KeyAttributeAlias", alias.unwrap_or_else(|| key_alias(entity)));
    members.put("NonKeyAttributes", Tree::List(facet_attributes(table, entity)));
    let samples = model.samples.iter().filter(|sample| sample.entity == entity.name);
    let items = samples.filter(|sample| is_in(model, sample, table));
    members.put("TableData", Tree::List(items.filter_map(|one| item(model, one)).collect()));
    members.into_tree()
}

fn key_alias(entity: &Entity) -> Tree {
    let mut members = Members::new();
    let Some(keys) = &entity.key else { return members.into_tree() };
    let sides = [("PartitionKeyAlias", &keys.partition), ("SortKeyAlias", &keys.sort)];
    for (name, templates) in sides {
        let template = templates.first().and_then(|template| stored(template, entity));
        members.put_some(name, template.map(|template| text(&template.to_string())));
    }
    members.into_tree()
}

fn facet_attributes(table: &Table, entity: &Entity) -> Vec<Tree> {
    let is_key = |name: &str| table.key_attributes().any(|key| key.name == name);
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !is_key(name) && !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    };
    for index in table.indexes.iter().filter(|index| entity.index_key(&index.name).is_some()) {
        index.key_attributes().for_each(|key| add(&key.name));
    }
    table.type_attribute.iter().for_each(|name| add(name));
    let stored = entity.attributes.iter().filter(|attribute| attribute.stored);
    stored.for_each(|attribute| add(attribute.item_name()));
    texts(&names)
}

/// Whether a sample lies in a table: the one that it names, or the first of its entity.
fn is_in(model: &Model, sample: &Sample, table: &Table) -> bool {
    let first = model.entity(&sample.entity).and_then(|entity| entity.tables.first());
    sample.table.as_ref().or(first) == Some(&table.name)
}

fn item(model: &Model, sample: &Sample) -> Option<Tree> {
    model.item_of_sample(sample).ok().map(|item| tree_of_item(&item))
}

fn index(table: &Table, index: &Index, notes: &mut Vec<Diagnostic>) -> Option<Tree> {
    let place = Place::table(&table.name);
    if index.kind == IndexKind::Local {
        let place = place.member("local_indexes").member(&index.name);
        notes.push(note(&place, "the format has no local indexes; it is left out"));
        return None;
    }
    let (partition, sort) = (index.partition_key.as_slice(), index.sort_key.as_slice());
    let ([partition], [] | [_]) = (partition, sort) else {
        let place = place.member("global_indexes").member(&index.name);
        notes.push(note(&place, "the format has no keys of several attributes; it is left out"));
        return None;
    };
    let mut members = Members::new();
    members.text("IndexName", Some(&index.name));
    members.put("KeyAttributes", key(partition, sort.first()));
    members.put("Projection", projection(&index.projection));
    Some(members.into_tree())
}

/// The billing, which a file that said nothing about it is not given.
fn billing(members: &mut Members, table: &Table, kept: Option<&Tree>) {
    let said_nothing = kept.is_some_and(|kept| child(kept, "BillingMode").is_none());
    match table.billing {
        Billing::OnDemand if said_nothing => {}
        Billing::OnDemand => members.text("BillingMode", Some("PAY_PER_REQUEST")),
        Billing::Provisioned { read_units, write_units } => {
            members.text("BillingMode", Some("PROVISIONED"));
            let mut throughput = Members::new();
            throughput.count("ReadCapacityUnits", Some(read_units));
            throughput.count("WriteCapacityUnits", Some(write_units));
            let mut settings = Members::new();
            settings.put("ProvisionedThroughput", throughput.into_tree());
            members.put("ProvisionedCapacitySettings", settings.into_tree());
        }
    }
}

/// What the format has no place for.
fn remarks(model: &Model, notes: &mut Vec<Diagnostic>) {
    for table in &model.tables {
        let place = Place::table(&table.name);
        let unsaid = [
            ("ttl", table.ttl.is_some()),
            ("stream", table.stream.is_some()),
            ("replicas", !table.replicas.is_empty()),
            ("backup", table.backup.is_some()),
            ("deletion_protection", table.deletion_protection),
        ];
        for (member, _) in unsaid.iter().filter(|(_, is_there)| *is_there) {
            notes.push(note(&place.member(member), "the format has no place for it"));
        }
    }
    for entity in &model.entities {
        let place = Place::entity(&entity.name);
        if entity.is_embedded() {
            notes.push(note(&place, "the format has no embedded documents; it is left out"));
        }
        if !entity.indexes.is_empty() {
            notes.push(note(
                &place.member("indexes"),
                "templates of index keys show in the data alone",
            ));
        }
    }
    let parts = [("relationships", model.relationships.len()), ("patterns", model.patterns.len())];
    for (member, count) in parts.iter().filter(|(_, count)| *count > 0) {
        let place = Place::root().member(member);
        notes.push(note(&place, format!("{count} left out: the format has none")));
    }
}

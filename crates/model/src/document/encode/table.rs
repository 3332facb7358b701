//! Tables and indexes.

use monotable_item::key_encoding::KeyType;

use super::members::{Members, by_name, text, texts};
use crate::document::words::{BACKUPS, CLASSES, KEY_TYPES, STREAM_VIEWS, word};
use crate::document::{
    Billing, Index, IndexKind, IndexProjection, KeyAttribute, Table, TableClass, Tree,
};

pub(super) fn table(table: &Table) -> Tree {
    let mut members = Members::new();
    let period_name = table.period_name.as_ref().map(|name| name.text());
    members.text("name", period_name.or(table.stored_name.as_deref()));
    members.text("description", table.description.as_deref());
    members.put("partition_key", key_attribute(&table.partition_key));
    members.put_some("sort_key", table.sort_key.as_ref().map(key_attribute));
    members.text("type_attribute", table.type_attribute.as_deref());
    members.text("ttl", table.ttl.as_deref());
    members.text("stream", table.stream.map(|view| word(STREAM_VIEWS, view)));
    members.put_some("billing", written_billing(table.billing));
    let class = Some(table.class).filter(|class| *class != TableClass::Standard);
    members.text("class", class.map(|class| word(CLASSES, class)));
    members.list("replicas", texts(&table.replicas));
    members.text("backup", table.backup.map(|backup| word(BACKUPS, backup)));
    members.flag("deletion_protection", table.deletion_protection);
    members.map("local_indexes", indexes(table, IndexKind::Local));
    members.map("global_indexes", indexes(table, IndexKind::Global));
    members.into_tree()
}

fn indexes(table: &Table, kind: IndexKind) -> Vec<(String, Tree)> {
    let indexes = table.indexes.iter().filter(|index| index.kind == kind);
    by_name(indexes, |index| &index.name, index)
}

pub(super) fn index(index: &Index) -> Tree {
    let mut members = Members::new();
    members.text("description", index.description.as_deref());
    if index.kind == IndexKind::Global {
        members.put("partition_key", key_attributes(&index.partition_key));
    }
    if !index.sort_key.is_empty() {
        members.put("sort_key", key_attributes(&index.sort_key));
    }
    members.put_some("projection", projection(&index.projection));
    members.put_some("billing", index.billing.map(billing));
    members.into_tree()
}

fn key_attribute(key: &KeyAttribute) -> Tree {
    if key.kind == KeyType::String {
        return text(&key.name);
    }
    let mut members = Members::new();
    members.text("name", Some(&key.name));
    members.text("type", Some(word(KEY_TYPES, key.kind)));
    members.into_tree()
}

fn key_attributes(keys: &[KeyAttribute]) -> Tree {
    match keys {
        [key] => key_attribute(key),
        _ => Tree::List(keys.iter().map(key_attribute).collect()),
    }
}

fn projection(projection: &IndexProjection) -> Option<Tree> {
    match projection {
        IndexProjection::All => None,
        IndexProjection::KeysOnly => Some(text("keys-only")),
        IndexProjection::Include(names) => Some(Tree::List(texts(names))),
    }
}

/// The billing of a table, whose default is not written.
fn written_billing(of_table: Billing) -> Option<Tree> {
    (of_table != Billing::OnDemand).then(|| billing(of_table))
}

fn billing(billing: Billing) -> Tree {
    match billing {
        Billing::OnDemand => text("on-demand"),
        Billing::Provisioned { read_units, write_units } => {
            let mut members = Members::new();
            members.count("read_units", Some(read_units));
            members.count("write_units", Some(write_units));
            members.into_tree()
        }
    }
}

//! The members of `CreateTable` and `UpdateTable` that define tables and indexes.

use monotable_item::key_encoding::KeyType;
use monotable_model::document::{
    Billing, Index, IndexKind, IndexProjection, KeyAttribute, StreamView, Table, TableClass, Tree,
};

/// The body of the `CreateTable` that makes a table.
pub fn create_table(table: &Table) -> Tree {
    let mut members = vec![("TableName", text(table.physical_name()))];
    members.push(("AttributeDefinitions", attribute_definitions(all_keys(table))));
    members.push(("KeySchema", table_key_schema(table)));
    for (member, kind) in
        [("LocalSecondaryIndexes", IndexKind::Local), ("GlobalSecondaryIndexes", IndexKind::Global)]
    {
        let indexes = table.indexes.iter().filter(|index| index.kind == kind);
        let indexes: Vec<Tree> = indexes.map(|index| index_definition(table, index)).collect();
        if !indexes.is_empty() {
            members.push((member, Tree::List(indexes)));
        }
    }
    members.extend(billing(table.billing));
    members.extend(table.stream.map(|view| ("StreamSpecification", stream(Some(view)))));
    if table.class != TableClass::Standard {
        members.push(("TableClass", text(class_word(table.class))));
    }
    if table.deletion_protection {
        members.push(("DeletionProtectionEnabled", Tree::Bool(true)));
    }
    object(members)
}

/// The keys of the table and of all its indexes.
fn all_keys(table: &Table) -> impl Iterator<Item = &KeyAttribute> {
    table.key_attributes().chain(table.indexes.iter().flat_map(Index::key_attributes))
}

/// The types of key attributes, each once.
pub(super) fn attribute_definitions<'k>(keys: impl Iterator<Item = &'k KeyAttribute>) -> Tree {
    let mut seen: Vec<&KeyAttribute> = Vec::new();
    for key in keys {
        if !seen.iter().any(|other| other.name == key.name) {
            seen.push(key);
        }
    }
    let definition = |key: &&KeyAttribute| {
        let kind = match key.kind {
            KeyType::String => "S",
            KeyType::Number => "N",
            KeyType::Binary => "B",
        };
        object(vec![("AttributeName", text(&key.name)), ("AttributeType", text(kind))])
    };
    Tree::List(seen.iter().map(definition).collect())
}

fn table_key_schema(table: &Table) -> Tree {
    key_schema(std::slice::from_ref(&table.partition_key), table.sort_key.as_slice())
}

fn key_schema(partition: &[KeyAttribute], sort: &[KeyAttribute]) -> Tree {
    let element = |key: &KeyAttribute, kind: &str| {
        object(vec![("AttributeName", text(&key.name)), ("KeyType", text(kind))])
    };
    let partition = partition.iter().map(|key| element(key, "HASH"));
    Tree::List(partition.chain(sort.iter().map(|key| element(key, "RANGE"))).collect())
}

/// An index, with its own throughput where the table's is provisioned.
pub(super) fn index_definition(table: &Table, index: &Index) -> Tree {
    let mut members = vec![("IndexName", text(&index.name))];
    members.push(("KeySchema", key_schema(&index.partition_key, &index.sort_key)));
    members.push(("Projection", projection(&index.projection)));
    if index.kind == IndexKind::Global {
        members.extend(throughput(index_billing(table, index)).map(|units| (THROUGHPUT, units)));
    }
    object(members)
}

/// How the capacity of an index is paid for: as its table's, unless it says otherwise.
pub(super) fn index_billing(table: &Table, index: &Index) -> Billing {
    match (table.billing, index.billing) {
        (Billing::OnDemand, _) => Billing::OnDemand,
        (provisioned @ Billing::Provisioned { .. }, own) => own.unwrap_or(provisioned),
    }
}

fn projection(projection: &IndexProjection) -> Tree {
    let members = match projection {
        IndexProjection::All => vec![("ProjectionType", text("ALL"))],
        IndexProjection::KeysOnly => vec![("ProjectionType", text("KEYS_ONLY"))],
        IndexProjection::Include(names) => vec![
            ("ProjectionType", text("INCLUDE")),
            ("NonKeyAttributes", Tree::List(names.iter().map(|name| text(name)).collect())),
        ],
    };
    object(members)
}

/// The member that holds units.
pub(super) const THROUGHPUT: &str = "ProvisionedThroughput";

/// How the capacity of a table is paid for.
pub(super) fn billing(billing: Billing) -> Vec<(&'static str, Tree)> {
    let word = match billing {
        Billing::OnDemand => "PAY_PER_REQUEST",
        Billing::Provisioned { .. } => "PROVISIONED",
    };
    let mut members = vec![("BillingMode", text(word))];
    members.extend(throughput(billing).map(|units| (THROUGHPUT, units)));
    members
}

/// The units, where they are provisioned.
pub(super) fn throughput(billing: Billing) -> Option<Tree> {
    let Billing::Provisioned { read_units, write_units } = billing else { return None };
    let number = |units: u64| Tree::Number(units.to_string());
    let members = vec![
        ("ReadCapacityUnits", number(read_units)),
        ("WriteCapacityUnits", number(write_units)),
    ];
    Some(object(members))
}

pub(super) fn stream(view: Option<StreamView>) -> Tree {
    let mut members = vec![("StreamEnabled", Tree::Bool(view.is_some()))];
    members.extend(view.map(|view| ("StreamViewType", text(view_word(view)))));
    object(members)
}

pub(super) fn view_word(view: StreamView) -> &'static str {
    match view {
        StreamView::KeysOnly => "KEYS_ONLY",
        StreamView::NewImage => "NEW_IMAGE",
        StreamView::OldImage => "OLD_IMAGE",
        StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    }
}

pub(super) fn class_word(class: TableClass) -> &'static str {
    match class {
        TableClass::Standard => "STANDARD",
        TableClass::InfrequentAccess => "STANDARD_INFREQUENT_ACCESS",
    }
}

pub(super) fn text(text: &str) -> Tree {
    Tree::String(text.to_owned())
}

pub(super) fn object(members: Vec<(&str, Tree)>) -> Tree {
    Tree::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

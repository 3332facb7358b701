//! From our description of a table to AWS's.

use std::collections::BTreeMap;

use monotable_item::key_encoding::KeyType;
use monotable_model::document::members::{Members, text, texts};
use monotable_model::document::{
    Billing, Index, IndexKind, IndexProjection, KeyAttribute, StreamView, Table, TableClass, Tree,
};

/// Who reads a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// CreateTable, which wants to be told that a stream is enabled.
    Call,
    /// CloudFormation, in which a stream that is there is enabled.
    Template,
}

/// Writes what CreateTable and CloudFormation have in common.
pub(crate) fn table_members(members: &mut Members, table: &Table, dialect: Dialect) {
    members.list("AttributeDefinitions", attribute_definitions(table));
    let sort = table.sort_key.as_slice();
    members.put("KeySchema", key_schema(std::slice::from_ref(&table.partition_key), sort));
    for (member, kind) in
        [("LocalSecondaryIndexes", IndexKind::Local), ("GlobalSecondaryIndexes", IndexKind::Global)]
    {
        let indexes = table.indexes.iter().filter(|index| index.kind == kind);
        members.list(member, indexes.map(|one| index(one, table)).collect());
    }
    match table.billing {
        Billing::OnDemand => members.text("BillingMode", Some("PAY_PER_REQUEST")),
        provisioned @ Billing::Provisioned { .. } => {
            members.text("BillingMode", Some("PROVISIONED"));
            members.put_some("ProvisionedThroughput", throughput(provisioned));
        }
    }
    members.put_some("StreamSpecification", table.stream.map(|view| stream(view, dialect)));
    if table.class == TableClass::InfrequentAccess {
        members.text("TableClass", Some("STANDARD_INFREQUENT_ACCESS"));
    }
}

/// Every attribute of a key, once.
fn attribute_definitions(table: &Table) -> Vec<Tree> {
    let of_indexes = table.indexes.iter().flat_map(Index::key_attributes);
    let mut kinds = BTreeMap::new();
    for key in table.key_attributes().chain(of_indexes) {
        kinds.entry(key.name.as_str()).or_insert(key.kind);
    }
    let definition = |(name, kind): (&str, KeyType)| {
        let mut members = Members::new();
        members.text("AttributeName", Some(name));
        members.text("AttributeType", Some(kind.value_type().code()));
        members.into_tree()
    };
    kinds.into_iter().map(definition).collect()
}

/// The key of a table or index.
fn key_schema(partition: &[KeyAttribute], sort: &[KeyAttribute]) -> Tree {
    let element = |(key, kind): (&KeyAttribute, &str)| {
        let mut members = Members::new();
        members.text("AttributeName", Some(&key.name));
        members.text("KeyType", Some(kind));
        members.into_tree()
    };
    let partition = partition.iter().map(|key| (key, "HASH"));
    Tree::List(partition.chain(sort.iter().map(|key| (key, "RANGE"))).map(element).collect())
}

fn index(index: &Index, table: &Table) -> Tree {
    let mut members = Members::new();
    members.text("IndexName", Some(&index.name));
    members.put("KeySchema", key_schema(&index.partition_key, &index.sort_key));
    members.put("Projection", projection(&index.projection));
    members.put_some("ProvisionedThroughput", index_throughput(index, table).and_then(throughput));
    members.into_tree()
}

/// The capacity of a global index, which has one of its own if its table has.
pub(crate) fn index_throughput(index: &Index, table: &Table) -> Option<Billing> {
    let is_provisioned = index.kind == IndexKind::Global && table.billing != Billing::OnDemand;
    is_provisioned.then(|| index.billing.unwrap_or(table.billing))
}

/// What an index projects.
pub(crate) fn projection(projection: &IndexProjection) -> Tree {
    let mut members = Members::new();
    match projection {
        IndexProjection::All => members.text("ProjectionType", Some("ALL")),
        IndexProjection::KeysOnly => members.text("ProjectionType", Some("KEYS_ONLY")),
        IndexProjection::Include(names) => {
            members.text("ProjectionType", Some("INCLUDE"));
            members.list("NonKeyAttributes", texts(names));
        }
    }
    members.into_tree()
}

fn throughput(billing: Billing) -> Option<Tree> {
    let Billing::Provisioned { read_units, write_units } = billing else { return None };
    let mut members = Members::new();
    members.count("ReadCapacityUnits", Some(read_units));
    members.count("WriteCapacityUnits", Some(write_units));
    Some(members.into_tree())
}

fn stream(view: StreamView, dialect: Dialect) -> Tree {
    let mut members = Members::new();
    members.flag("StreamEnabled", dialect == Dialect::Call);
    let word = match view {
        StreamView::KeysOnly => "KEYS_ONLY",
        StreamView::NewImage => "NEW_IMAGE",
        StreamView::OldImage => "OLD_IMAGE",
        StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    };
    members.put("StreamViewType", text(word));
    members.into_tree()
}

//! Reads what the service says about a table.

use monotable_item::key_encoding::KeyType;
use thiserror::Error;

use super::definition::{THROUGHPUT, class_word, view_word};
use crate::document::{
    Billing, Index, IndexScope, KeyAttribute, Projection, StreamView, Table, TableClass, Tree,
};

/// Something that a description must have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the description of the table has no {member} that can be understood")]
pub struct DescriptionError {
    /// What is missing.
    pub member: &'static str,
}

/// The table that the member `Table` of a `DescribeTable` answer, and the answer to `DescribeTimeToLive`, are
/// about. Indexes that are being deleted are not there any more.
pub fn described_table(
    description: &Tree,
    time_to_live: Option<&Tree>,
) -> Result<Table, DescriptionError> {
    let table = Described(description);
    let types = key_types(table.member("AttributeDefinitions"))?;
    let (partition, sort) = keys(table, &types)?;
    let missing = DescriptionError { member: "KeySchema" };
    Ok(Table {
        name: table.text("TableName").ok_or(DescriptionError { member: "TableName" })?.to_owned(),
        stored_name: None,
        description: None,
        partition_key: partition.into_iter().next().ok_or(missing)?,
        sort_key: sort.into_iter().next(),
        type_attribute: None,
        ttl: time_to_live.and_then(ttl_attribute),
        stream: stream(table.member("StreamSpecification")),
        billing: billing(table),
        class: class(table.member("TableClassSummary")),
        replicas: Vec::new(),
        backup: None,
        deletion_protection: table.flag("DeletionProtectionEnabled"),
        indexes: indexes(table, &types)?,
    })
}

/// A part of a description.
#[derive(Debug, Clone, Copy)]
struct Described<'t>(&'t Tree);

/// What is asked of parts that are not there.
const NOTHING: Tree = Tree::Null;

impl<'t> Described<'t> {
    fn member(self, name: &str) -> Described<'t> {
        let Tree::Map(members) = self.0 else { return Described(&NOTHING) };
        let found = members.iter().find(|(found, _)| found == name);
        Described(found.map_or(&NOTHING, |(_, value)| value))
    }

    fn text(self, name: &str) -> Option<&'t str> {
        match self.member(name).0 {
            Tree::String(text) => Some(text),
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) | Tree::Map(_) => None,
        }
    }

    fn units(self, name: &str) -> u64 {
        match self.member(name).0 {
            Tree::Number(text) => text.parse().unwrap_or(0),
            Tree::Null | Tree::Bool(_) | Tree::String(_) | Tree::List(_) | Tree::Map(_) => 0,
        }
    }

    fn flag(self, name: &str) -> bool {
        self.member(name).0 == &Tree::Bool(true)
    }

    fn elements(self) -> impl Iterator<Item = Described<'t>> {
        let elements: &[Tree] = match self.0 {
            Tree::List(elements) => elements,
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) | Tree::Map(_) => &[],
        };
        elements.iter().map(Described)
    }
}

fn key_types(definitions: Described<'_>) -> Result<Vec<KeyAttribute>, DescriptionError> {
    let read = |definition: Described<'_>| {
        let kind = match definition.text("AttributeType")? {
            "S" => KeyType::String,
            "N" => KeyType::Number,
            "B" => KeyType::Binary,
            _ => return None,
        };
        Some(KeyAttribute { name: definition.text("AttributeName")?.to_owned(), kind })
    };
    let types: Option<Vec<KeyAttribute>> = definitions.elements().map(read).collect();
    types.ok_or(DescriptionError { member: "AttributeDefinitions" })
}

/// The attributes of the partition key and of the sort key.
fn keys(
    described: Described<'_>,
    types: &[KeyAttribute],
) -> Result<(Vec<KeyAttribute>, Vec<KeyAttribute>), DescriptionError> {
    let (mut partition, mut sort) = (Vec::new(), Vec::new());
    for element in described.member("KeySchema").elements() {
        let name = element.text("AttributeName");
        let key = types.iter().find(|key| Some(key.name.as_str()) == name);
        let key = key.ok_or(DescriptionError { member: "AttributeDefinitions" })?.clone();
        match element.text("KeyType") {
            Some("HASH") => partition.push(key),
            Some(_) | None => sort.push(key),
        }
    }
    Ok((partition, sort))
}

fn indexes(table: Described<'_>, types: &[KeyAttribute]) -> Result<Vec<Index>, DescriptionError> {
    let mut indexes = Vec::new();
    for (member, scope) in [
        ("LocalSecondaryIndexes", IndexScope::Local),
        ("GlobalSecondaryIndexes", IndexScope::Global),
    ] {
        for described in table.member(member).elements() {
            if described.text("IndexStatus") != Some("DELETING") {
                indexes.push(index(described, scope, types)?);
            }
        }
    }
    Ok(indexes)
}

fn index(
    described: Described<'_>,
    scope: IndexScope,
    types: &[KeyAttribute],
) -> Result<Index, DescriptionError> {
    let (partition_key, sort_key) = keys(described, types)?;
    let name = described.text("IndexName").ok_or(DescriptionError { member: "IndexName" })?;
    let projection = described.member("Projection");
    Ok(Index {
        name: name.to_owned(),
        description: None,
        scope,
        partition_key,
        sort_key,
        projection: match projection.text("ProjectionType") {
            Some("KEYS_ONLY") => Projection::KeysOnly,
            Some("INCLUDE") => {
                let names = projection.member("NonKeyAttributes").elements();
                let text = |name: Described<'_>| match name.0 {
                    Tree::String(text) => Some(text.clone()),
                    Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) | Tree::Map(_) => {
                        None
                    }
                };
                Projection::Include(names.filter_map(text).collect())
            }
            Some(_) | None => Projection::All,
        },
        billing: Some(throughput(described.member(THROUGHPUT))),
    })
}

/// A table without a billing mode has provisioned capacity: it was made before there was another.
fn billing(table: Described<'_>) -> Billing {
    match table.member("BillingModeSummary").text("BillingMode") {
        Some("PAY_PER_REQUEST") => Billing::OnDemand,
        Some(_) | None => throughput(table.member(THROUGHPUT)),
    }
}

fn throughput(described: Described<'_>) -> Billing {
    Billing::Provisioned {
        read_units: described.units("ReadCapacityUnits"),
        write_units: described.units("WriteCapacityUnits"),
    }
}

fn stream(described: Described<'_>) -> Option<StreamView> {
    let word = described.text("StreamViewType").filter(|_| described.flag("StreamEnabled"));
    let views = [
        StreamView::KeysOnly,
        StreamView::NewImage,
        StreamView::OldImage,
        StreamView::NewAndOldImages,
    ];
    views.into_iter().find(|view| Some(view_word(*view)) == word)
}

fn class(described: Described<'_>) -> TableClass {
    let word = described.text("TableClass");
    match word == Some(class_word(TableClass::InfrequentAccess)) {
        true => TableClass::InfrequentAccess,
        false => TableClass::Standard,
    }
}

fn ttl_attribute(answer: &Tree) -> Option<String> {
    let description = Described(answer).member("TimeToLiveDescription");
    match description.text("TimeToLiveStatus") {
        Some("ENABLED" | "ENABLING") => description.text("AttributeName").map(str::to_owned),
        Some(_) | None => None,
    }
}

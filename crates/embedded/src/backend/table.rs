//! Operations on tables.

use monotable::backend::{
    Billing, CreateTable, IndexDescription, IndexKind, IndexProjection, KeySchema, StreamView,
    TableDescription, TableName, TableStatus, UpdateTimeToLive,
};
use monotable_item::Type;
use monotable_protocol::create_table::CreateTableRequest;
use monotable_protocol::delete_table::DeleteTableRequest;
use monotable_protocol::describe_table::DescribeTableRequest;
use monotable_protocol::shapes::{
    self, AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, LocalSecondaryIndex,
    ProvisionedThroughput, StreamSpecification, TimeToLiveSpecification,
};
use monotable_protocol::update_time_to_live::UpdateTimeToLiveRequest;

use super::parameter::table_name;

const PARTITION: &str = "HASH";
const SORT: &str = "RANGE";

pub(super) fn create(request: CreateTable) -> CreateTableRequest {
    let definition = |(name, kind): (String, Type)| AttributeDefinition {
        attribute_name: Some(name),
        attribute_type: Some(kind.code().to_owned()),
    };
    let (global, local): (Vec<_>, Vec<_>) =
        request.indexes.into_iter().partition(|index| index.kind == IndexKind::Global);
    let (billing_mode, throughput) = billing(request.billing);
    let global = global.into_iter().map(|index| global_index(index, throughput.clone()));
    CreateTableRequest {
        attribute_definitions: Some(request.attributes.into_iter().map(definition).collect()),
        table_name: table_name(&request.table),
        key_schema: Some(elements(request.key)),
        local_secondary_indexes: some(local.into_iter().map(local_index).collect()),
        global_secondary_indexes: some(global.collect()),
        billing_mode: Some(billing_mode.to_owned()),
        provisioned_throughput: throughput,
        stream_specification: request.stream.map(stream),
        ..CreateTableRequest::default()
    }
}

fn billing(billing: Billing) -> (&'static str, Option<ProvisionedThroughput>) {
    let units = |units: u64| Some(i64::try_from(units).unwrap_or(i64::MAX));
    match billing {
        Billing::OnDemand => ("PAY_PER_REQUEST", None),
        Billing::Provisioned { read_units, write_units } => {
            let throughput = ProvisionedThroughput {
                read_capacity_units: units(read_units),
                write_capacity_units: units(write_units),
            };
            ("PROVISIONED", Some(throughput))
        }
    }
}

fn global_index(
    index: IndexDescription,
    throughput: Option<ProvisionedThroughput>,
) -> GlobalSecondaryIndex {
    GlobalSecondaryIndex {
        index_name: Some(index.name),
        key_schema: Some(elements(index.key)),
        projection: Some(projection(index.projection)),
        provisioned_throughput: throughput,
        ..GlobalSecondaryIndex::default()
    }
}

fn local_index(index: IndexDescription) -> LocalSecondaryIndex {
    LocalSecondaryIndex {
        index_name: Some(index.name),
        key_schema: Some(elements(index.key)),
        projection: Some(projection(index.projection)),
    }
}

fn elements(key: KeySchema) -> Vec<KeySchemaElement> {
    let element = |kind: &'static str| {
        move |name| KeySchemaElement { attribute_name: Some(name), key_type: Some(kind.to_owned()) }
    };
    let partition = key.partition.into_iter().map(element(PARTITION));
    partition.chain(key.sort.into_iter().map(element(SORT))).collect()
}

fn projection(projection: IndexProjection) -> shapes::Projection {
    let (word, names) = match projection {
        IndexProjection::All => ("ALL", None),
        IndexProjection::KeysOnly => ("KEYS_ONLY", None),
        IndexProjection::Include(names) => ("INCLUDE", Some(names)),
    };
    shapes::Projection { projection_type: Some(word.to_owned()), non_key_attributes: names }
}

fn stream(view: StreamView) -> StreamSpecification {
    let word = match view {
        StreamView::KeysOnly => "KEYS_ONLY",
        StreamView::NewImage => "NEW_IMAGE",
        StreamView::OldImage => "OLD_IMAGE",
        StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    };
    StreamSpecification { stream_enabled: Some(true), stream_view_type: Some(word.to_owned()) }
}

/// A list that a request must not have if it is empty.
fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

pub(super) fn describe(table: &TableName) -> DescribeTableRequest {
    DescribeTableRequest { table_name: table_name(table) }
}

pub(super) fn delete(table: &TableName) -> DeleteTableRequest {
    DeleteTableRequest { table_name: table_name(table) }
}

pub(super) fn time_to_live(request: UpdateTimeToLive) -> UpdateTimeToLiveRequest {
    UpdateTimeToLiveRequest {
        table_name: table_name(&request.table),
        time_to_live_specification: Some(TimeToLiveSpecification {
            enabled: Some(request.enabled),
            attribute_name: Some(request.attribute),
        }),
    }
}

/// A table as a response describes it.
pub(super) fn described(table: Option<shapes::TableDescription>) -> TableDescription {
    let table = table.unwrap_or_default();
    let attributes = table.attribute_definitions.into_iter().flatten();
    let global = table.global_secondary_indexes.into_iter().flatten();
    let local = table.local_secondary_indexes.into_iter().flatten();
    let global =
        global.map(|it| described_index(GLOBAL, it.index_name, it.key_schema, it.projection));
    let local = local.map(|it| described_index(LOCAL, it.index_name, it.key_schema, it.projection));
    TableDescription {
        table: table.table_name.unwrap_or_default(),
        status: status(table.table_status.as_deref()),
        attributes: attributes.filter_map(described_attribute).collect(),
        key: described_key(table.key_schema),
        indexes: global.chain(local).collect(),
        item_count: table.item_count.and_then(|it| u64::try_from(it).ok()).unwrap_or_default(),
    }
}

const GLOBAL: IndexKind = IndexKind::Global;
const LOCAL: IndexKind = IndexKind::Local;

fn described_index(
    kind: IndexKind,
    name: Option<String>,
    key: Option<Vec<KeySchemaElement>>,
    projection: Option<shapes::Projection>,
) -> IndexDescription {
    let name = name.unwrap_or_default();
    let projection = described_projection(projection.unwrap_or_default());
    IndexDescription { name, kind, key: described_key(key), projection }
}

fn described_attribute(definition: AttributeDefinition) -> Option<(String, Type)> {
    Some((definition.attribute_name?, Type::from_code(&definition.attribute_type?)?))
}

fn described_key(elements: Option<Vec<KeySchemaElement>>) -> KeySchema {
    let mut key = KeySchema::default();
    for element in elements.into_iter().flatten() {
        let is_sort = element.key_type.as_deref() == Some(SORT);
        let part = if is_sort { &mut key.sort } else { &mut key.partition };
        part.extend(element.attribute_name);
    }
    key
}

fn described_projection(projection: shapes::Projection) -> IndexProjection {
    match projection.projection_type.as_deref() {
        Some("KEYS_ONLY") => IndexProjection::KeysOnly,
        Some("INCLUDE") => {
            IndexProjection::Include(projection.non_key_attributes.unwrap_or_default())
        }
        _ => IndexProjection::All,
    }
}

fn status(word: Option<&str>) -> TableStatus {
    match word {
        Some("CREATING") => TableStatus::Creating,
        Some("ACTIVE") => TableStatus::Active,
        Some("UPDATING") => TableStatus::Updating,
        Some("DELETING") => TableStatus::Deleting,
        _ => TableStatus::Unusable,
    }
}

//! Operations on tables.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    self, AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType,
    LocalSecondaryIndex, ProjectionType, ProvisionedThroughput, ScalarAttributeType,
    StreamSpecification, StreamViewType, TimeToLiveSpecification,
};
use monotable_item::Type;

use super::error::refused;
use crate::backend::{
    BackendError, Billing, CreateTable, DeleteTable, DescribeTable, IndexDescription, IndexKind,
    IndexProjection, KeySchema, StreamView, TableDescription, TableStatus, UpdateTimeToLive,
};

pub(super) async fn create(
    client: &Client,
    request: CreateTable,
) -> Result<TableDescription, BackendError> {
    let (mode, throughput) = billing(request.billing)?;
    let attributes = request.attributes.into_iter().map(definition);
    let (mut global, mut local) = (Vec::new(), Vec::new());
    for index in request.indexes {
        match index.kind {
            IndexKind::Global => global.push(global_index(index, throughput.clone())?),
            IndexKind::Local => local.push(local_index(index)?),
        }
    }
    let sent = client
        .create_table()
        .table_name(&*request.table)
        .set_attribute_definitions(Some(attributes.collect::<Result<_, _>>()?))
        .set_key_schema(Some(elements(request.key)?))
        .set_global_secondary_indexes(some(global))
        .set_local_secondary_indexes(some(local))
        .billing_mode(mode)
        .set_provisioned_throughput(throughput)
        .set_stream_specification(request.stream.map(stream).transpose()?)
        .send();
    Ok(described(sent.await.map_err(refused)?.table_description))
}

fn billing(billing: Billing) -> Result<(BillingMode, Option<ProvisionedThroughput>), BackendError> {
    let units = |units: u64| i64::try_from(units).unwrap_or(i64::MAX);
    Ok(match billing {
        Billing::OnDemand => (BillingMode::PayPerRequest, None),
        Billing::Provisioned { read_units, write_units } => {
            let throughput = ProvisionedThroughput::builder()
                .read_capacity_units(units(read_units))
                .write_capacity_units(units(write_units));
            (BillingMode::Provisioned, Some(throughput.build()?))
        }
    })
}

fn definition((name, kind): (String, Type)) -> Result<AttributeDefinition, BackendError> {
    let definition = AttributeDefinition::builder().attribute_name(name);
    Ok(definition.attribute_type(ScalarAttributeType::from(kind.code())).build()?)
}

fn global_index(
    index: IndexDescription,
    throughput: Option<ProvisionedThroughput>,
) -> Result<GlobalSecondaryIndex, BackendError> {
    let global = GlobalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(elements(index.key)?))
        .projection(projection(index.projection))
        .set_provisioned_throughput(throughput);
    Ok(global.build()?)
}

fn local_index(index: IndexDescription) -> Result<LocalSecondaryIndex, BackendError> {
    let local = LocalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(elements(index.key)?))
        .projection(projection(index.projection));
    Ok(local.build()?)
}

fn elements(key: KeySchema) -> Result<Vec<KeySchemaElement>, BackendError> {
    let element = |kind: KeyType| {
        move |name: String| -> Result<KeySchemaElement, BackendError> {
            let element = KeySchemaElement::builder().attribute_name(name);
            Ok(element.key_type(kind.clone()).build()?)
        }
    };
    let partition = key.partition.into_iter().map(element(KeyType::Hash));
    partition.chain(key.sort.into_iter().map(element(KeyType::Range))).collect()
}

fn projection(projection: IndexProjection) -> types::Projection {
    let (kind, names) = match projection {
        IndexProjection::All => (ProjectionType::All, None),
        IndexProjection::KeysOnly => (ProjectionType::KeysOnly, None),
        IndexProjection::Include(names) => (ProjectionType::Include, Some(names)),
    };
    types::Projection::builder().projection_type(kind).set_non_key_attributes(names).build()
}

fn stream(view: StreamView) -> Result<StreamSpecification, BackendError> {
    let view = match view {
        StreamView::KeysOnly => StreamViewType::KeysOnly,
        StreamView::NewImage => StreamViewType::NewImage,
        StreamView::OldImage => StreamViewType::OldImage,
        StreamView::NewAndOldImages => StreamViewType::NewAndOldImages,
    };
    Ok(StreamSpecification::builder().stream_enabled(true).stream_view_type(view).build()?)
}

/// A list that a request must not have if it is empty.
fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

pub(super) async fn describe(
    client: &Client,
    request: DescribeTable,
) -> Result<TableDescription, BackendError> {
    let sent = client.describe_table().table_name(&*request.table).send();
    Ok(described(sent.await.map_err(refused)?.table))
}

pub(super) async fn delete(
    client: &Client,
    request: DeleteTable,
) -> Result<TableDescription, BackendError> {
    let sent = client.delete_table().table_name(&*request.table).send();
    Ok(described(sent.await.map_err(refused)?.table_description))
}

pub(super) async fn update_time_to_live(
    client: &Client,
    request: UpdateTimeToLive,
) -> Result<(), BackendError> {
    let specification = TimeToLiveSpecification::builder()
        .enabled(request.enabled)
        .attribute_name(request.attribute)
        .build()?;
    let sent = client
        .update_time_to_live()
        .table_name(&*request.table)
        .time_to_live_specification(specification)
        .send();
    sent.await.map(drop).map_err(refused)
}

fn described(table: Option<types::TableDescription>) -> TableDescription {
    let Some(table) = table else { return unknown_table() };
    let attributes = table.attribute_definitions.into_iter().flatten();
    let global = table.global_secondary_indexes.into_iter().flatten();
    let local = table.local_secondary_indexes.into_iter().flatten();
    let index = |kind, name: Option<String>, key, projection| IndexDescription {
        name: name.unwrap_or_default(),
        kind,
        key: described_key(key),
        projection: described_projection(projection),
    };
    let global =
        global.map(|it| index(IndexKind::Global, it.index_name, it.key_schema, it.projection));
    let local =
        local.map(|it| index(IndexKind::Local, it.index_name, it.key_schema, it.projection));
    TableDescription {
        table: table.table_name.unwrap_or_default(),
        status: status(table.table_status.as_ref()),
        attributes: attributes.filter_map(described_attribute).collect(),
        key: described_key(table.key_schema),
        indexes: global.chain(local).collect(),
        item_count: table.item_count.and_then(|it| u64::try_from(it).ok()).unwrap_or_default(),
    }
}

/// What an answer without a description says.
fn unknown_table() -> TableDescription {
    TableDescription {
        table: String::new(),
        status: TableStatus::Unusable,
        attributes: Vec::new(),
        key: KeySchema::default(),
        indexes: Vec::new(),
        item_count: 0,
    }
}

fn described_attribute(definition: AttributeDefinition) -> Option<(String, Type)> {
    let kind = Type::from_code(definition.attribute_type.as_str())?;
    Some((definition.attribute_name, kind))
}

fn described_key(elements: Option<Vec<KeySchemaElement>>) -> KeySchema {
    let mut key = KeySchema::default();
    for element in elements.into_iter().flatten() {
        let is_sort = element.key_type == KeyType::Range;
        let part = if is_sort { &mut key.sort } else { &mut key.partition };
        part.push(element.attribute_name);
    }
    key
}

fn described_projection(projection: Option<types::Projection>) -> IndexProjection {
    let Some(projection) = projection else { return IndexProjection::All };
    match projection.projection_type {
        Some(ProjectionType::KeysOnly) => IndexProjection::KeysOnly,
        Some(ProjectionType::Include) => {
            IndexProjection::Include(projection.non_key_attributes.unwrap_or_default())
        }
        _ => IndexProjection::All,
    }
}

fn status(status: Option<&types::TableStatus>) -> TableStatus {
    match status {
        Some(types::TableStatus::Creating) => TableStatus::Creating,
        Some(types::TableStatus::Active) => TableStatus::Active,
        Some(types::TableStatus::Updating) => TableStatus::Updating,
        Some(types::TableStatus::Deleting) => TableStatus::Deleting,
        _ => TableStatus::Unusable,
    }
}

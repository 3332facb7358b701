//! Vector indexes as the control plane describes them.

use monotable_database::TableStatistics;
use monotable_database::schema::{
    Distance, SearchAttribute, SearchRole, TableSchema, VectorIndexSchema,
};
use monotable_protocol::shapes::{
    SearchSchemaElement, TableDescription, VectorAttributeDefinition, VectorIndexDescription,
};

use super::index_description::{backfilling, held, projection, status};

/// Describes the vector indexes of a table, if it has any.
pub(crate) fn describe_all(
    schema: &TableSchema,
    statistics: &TableStatistics,
    table_arn: &str,
    now_millis: u64,
) -> Option<Vec<VectorIndexDescription>> {
    let describe = |index| describe(index, statistics, table_arn, now_millis);
    let shown: Vec<_> = schema.vector_indexes.iter().map(describe).collect();
    (!shown.is_empty()).then_some(shown)
}

fn describe(
    index: &VectorIndexSchema,
    statistics: &TableStatistics,
    table_arn: &str,
    now_millis: u64,
) -> VectorIndexDescription {
    let (definition, state) = (&index.definition, index.state_at(now_millis));
    let (entries, bytes) = held(index.id, statistics);
    let search: Vec<_> = definition.search.iter().map(search_element).collect();
    VectorIndexDescription {
        index_name: Some(definition.name.clone()),
        search_schema: (!search.is_empty()).then_some(search),
        projection: Some(projection(&definition.projected)),
        vector_attribute: Some(VectorAttributeDefinition {
            attribute_name: Some(definition.attribute.clone()),
        }),
        dimensions: Some(i64::from(definition.dimensions)),
        distance_function: Some(distance(definition.distance).to_owned()),
        index_status: Some(status(state).to_owned()),
        backfilling: backfilling(state),
        index_size_bytes: Some(bytes),
        item_count: Some(entries),
        index_arn: Some(format!("{table_arn}/index/{}", definition.name)),
    }
}

fn search_element(element: &SearchAttribute) -> SearchSchemaElement {
    let role = match element.role {
        SearchRole::Partition => "HASH",
        SearchRole::Filter => "INLINE_FILTER",
    };
    SearchSchemaElement {
        attribute_name: Some(element.attribute.name.clone()),
        search_schema_element_type: Some(role.to_owned()),
    }
}

fn distance(distance: Distance) -> &'static str {
    match distance {
        Distance::Cosine => "COSINE",
        Distance::Euclidean => "EUCLIDEAN",
        Distance::DotProduct => "DOT_PRODUCT",
    }
}

/// Shows the vector indexes of a table that has just been created.
pub(crate) fn show_creating(table: &mut TableDescription) {
    for index in table.vector_indexes.iter_mut().flatten() {
        index.index_status = Some("CREATING".to_owned());
    }
}

/// Shows a vector index that has just been added to a table: nothing is filled in yet.
pub(crate) fn show_created(table: &mut TableDescription, name: &str) {
    let mut indexes = table.vector_indexes.iter_mut().flatten();
    if let Some(index) = indexes.find(|index| index.index_name.as_deref() == Some(name)) {
        index.index_status = Some("CREATING".to_owned());
        index.backfilling = Some(false);
    }
}

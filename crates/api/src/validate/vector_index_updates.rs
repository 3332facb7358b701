//! VectorIndexUpdates: what an UpdateTable does to vector indexes.

use monotable_database::schema::{
    Billing, KeyAttribute, KeySchema, TableSchema, VectorIndexDefinition,
};
use monotable_database::{IndexState, KeyRole};
use monotable_item::limits::VECTOR_INDEXES_MAX;
use monotable_protocol::shapes::VectorIndexUpdate;

use super::attribute_definitions::Definitions;
use super::constraint::Violations;
use super::index_definition::read_name;
use super::projection;
use super::vector_index::{self, VectorIndexMembers};
use crate::error::ApiError;
use crate::wording::table::{index_exists, one_index_at_a_time, still_in_use};

/// One of the updates, its members well-formed, each by itself. It should have one action.
#[derive(Debug, Clone)]
pub(crate) struct VectorUpdateMembers {
    create: Option<VectorIndexMembers>,
    delete: Option<String>,
}

/// The actions of all updates.
#[derive(Debug, Clone, Default)]
pub(crate) struct VectorActions {
    creates: Vec<VectorIndexMembers>,
    deletes: Vec<String>,
}

impl VectorActions {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.creates.len() + self.deletes.len()
    }
}

/// Reads the updates, which may be absent.
pub(crate) fn read(
    violations: &mut Violations,
    updates: &Option<Vec<VectorIndexUpdate>>,
) -> Vec<VectorUpdateMembers> {
    let updates = updates.iter().flatten().zip(1..);
    let read = updates.map(|(update, number)| {
        let path = format_args!("vectorIndexUpdates.{number}.member");
        VectorUpdateMembers {
            create: update
                .create
                .as_ref()
                .map(|index| vector_index::read(violations, &format_args!("{path}.create"), index)),
            delete: update.delete.as_ref().map(|action| {
                read_name(violations, &format_args!("{path}.delete"), &action.index_name)
            }),
        }
    });
    read.collect()
}

/// The actions of the updates, if each has one. The texts are those for global secondary indexes,
/// with the other name.
pub(crate) fn actions(updates: Vec<VectorUpdateMembers>) -> Result<VectorActions, ApiError> {
    let mut actions = VectorActions::default();
    for update in updates {
        match (update.create, update.delete) {
            (Some(create), None) => actions.creates.push(create),
            (None, Some(name)) => actions.deletes.push(name),
            (None, None) => {
                return Err(ApiError::parameter(
                    "One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null",
                ));
            }
            (Some(_), Some(_)) => {
                return Err(ApiError::parameter(
                    "Only one vector index action is allowed per VectorIndexUpdate object",
                ));
            }
        }
    }
    Ok(actions)
}

/// Refuses to make a table provisioned that has vector indexes.
pub(crate) fn check_billing(schema: &TableSchema, billing: Billing) -> Result<(), ApiError> {
    if schema.vector_indexes.is_empty() { Ok(()) } else { vector_index::check_on_demand(billing) }
}

/// Checks the creation of a vector index, if there is one.
pub(crate) fn creation(
    schema: &TableSchema,
    billing: Billing,
    actions: &VectorActions,
    definitions: &Definitions,
    now_millis: u64,
) -> Result<Option<VectorIndexDefinition>, ApiError> {
    let Some(index) = actions.creates.first() else { return Ok(None) };
    vector_index::check_on_demand(billing)?;
    check_name_is_free(schema, &index.name, now_millis)?;
    if !schema.has_indexes_at_rest(now_millis) {
        return Err(one_index_at_a_time());
    }
    if schema.vector_indexes.len() >= VECTOR_INDEXES_MAX {
        return Err(ApiError::limit_exceeded(format!(
            "Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit \
             of {VECTOR_INDEXES_MAX}"
        )));
    }
    let definition = vector_index::define(index, definitions)?;
    let others = schema.vector_indexes.iter().map(|other| &other.definition);
    vector_index::check_same_dimensions(&definition, others.clone())?;
    check_not_key(schema, &definition)?;
    check_not_redefined(schema, &definition)?;
    let secondary = schema.indexes.iter().map(|index| &index.projected);
    let projected = secondary.chain(others.map(|other| &other.projected));
    projection::check_names_total(projected.chain([&definition.projected]))?;
    Ok(Some(definition))
}

/// The error depends on where an index of that name stands.
fn check_name_is_free(schema: &TableSchema, name: &str, now_millis: u64) -> Result<(), ApiError> {
    let Some(index) = schema.vector_index(name) else {
        return if schema.has_index(name) { Err(index_exists()) } else { Ok(()) };
    };
    match index.state_at(now_millis) {
        IndexState::Active | IndexState::Updating => Err(index_exists()),
        // The service has two spaces there.
        IndexState::Creating { .. } => Err(still_in_use(&format!(
            "Index is being created.  Table: {} Index: {name}",
            schema.name
        ))),
        IndexState::Deleting => Err(still_in_use(&format!(
            "Index is being deleted. Table: {} Index: {name}",
            schema.name
        ))),
    }
}

/// Refuses vectors in an attribute that is part of a key.
fn check_not_key(schema: &TableSchema, definition: &VectorIndexDefinition) -> Result<(), ApiError> {
    let keys = schema.indexes.iter().map(|index| &index.key).chain([&schema.key]);
    let (name, dimensions) = (&definition.attribute, definition.dimensions);
    match keys.flat_map(roles).find(|(attribute, _)| attribute.name == *name) {
        None => Ok(()),
        Some((attribute, role)) => Err(redefined(
            attribute,
            role,
            &format!("VectorIndexSchema:[VectorAttribute: key{{{name}:L:{dimensions}}}]"),
        )),
    }
}

/// Refuses an attribute of the search schema that has another type in a key that exists.
fn check_not_redefined(
    schema: &TableSchema,
    definition: &VectorIndexDefinition,
) -> Result<(), ApiError> {
    for element in &definition.search {
        let new = &element.attribute;
        let mut known = schema.definitions.iter().filter(|known| known.name == new.name);
        if let Some(known) = known.find(|known| known.kind != new.kind) {
            let shown = format!("Schema:[SchemaElement: {}]", shown(new, KeyRole::Partition));
            return Err(redefined(known, KeyRole::Partition, &shown));
        }
    }
    Ok(())
}

fn redefined(known: &KeyAttribute, role: KeyRole, new: &str) -> ApiError {
    ApiError::parameter(format!(
        "Attributes cannot be redefined. Please check that your attribute has the same type as \
         previously defined. Existing schema: Schema:[SchemaElement: {}] New schema: {new}",
        shown(known, role)
    ))
}

fn shown(attribute: &KeyAttribute, role: KeyRole) -> String {
    let role = match role {
        KeyRole::Partition => "HASH",
        KeyRole::Sort => "RANGE",
    };
    format!("key{{{}:{}:{role}}}", attribute.name, attribute.kind.value_type().code())
}

fn roles(key: &KeySchema) -> impl Iterator<Item = (&KeyAttribute, KeyRole)> {
    let partition = key.partition.iter().map(|attribute| (attribute, KeyRole::Partition));
    partition.chain(key.sort.iter().map(|attribute| (attribute, KeyRole::Sort)))
}

/// Checks the deletion of a vector index, if there is one. One that is being filled can be given
/// up, but not while it waits for its resources.
pub(crate) fn deletion(
    schema: &TableSchema,
    actions: &VectorActions,
    now_millis: u64,
) -> Result<Option<String>, ApiError> {
    let Some(name) = actions.deletes.first() else { return Ok(None) };
    let index = schema.vector_index(name);
    let index = index.ok_or_else(|| ApiError::index_not_found(&schema.name, name))?;
    match index.state_at(now_millis) {
        IndexState::Creating { is_backfilling: true } => Ok(Some(name.clone())),
        // The service has two spaces there.
        IndexState::Creating { is_backfilling: false } => Err(still_in_use(&format!(
            "Index is being created.  Table: {} Index: {name}",
            schema.name
        ))),
        IndexState::Active | IndexState::Updating if schema.has_indexes_at_rest(now_millis) => {
            Ok(Some(name.clone()))
        }
        IndexState::Active | IndexState::Updating => Err(one_index_at_a_time()),
        IndexState::Deleting => Err(still_in_use(&format!(
            "Index is being deleted. Table: {} Index: {name}",
            schema.name
        ))),
    }
}

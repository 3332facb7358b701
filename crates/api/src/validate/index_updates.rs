//! GlobalSecondaryIndexUpdates: what an UpdateTable does to global indexes.

use std::fmt::Display;

use monotable_database::schema::{
    Billing, IndexKind, IndexSchema, KeyAttribute, KeySchema, RequestCeiling, TableSchema,
    Throughput,
};
use monotable_database::{IndexDefinition, IndexSettingsChange, IndexState};
use monotable_item::limits::GLOBAL_INDEXES_MAX;
use monotable_protocol::shapes::{GlobalSecondaryIndex, OnDemandThroughput, WarmThroughput};
use monotable_protocol::update_table::{
    CreateGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate, UpdateGlobalSecondaryIndexAction,
};

use super::attribute_definitions::Definitions;
use super::constraint::Violations;
use super::index_definition::{self, GlobalIndexMembers, read_name};
use super::repetition::first_repeated;
use super::{on_demand_throughput, projection, throughput, warm_throughput};
use crate::error::ApiError;
use crate::wording::table::{index_exists, one_index_at_a_time, still_in_use};

/// One of the updates, its members well-formed, each by itself. It should have one action.
#[derive(Debug, Clone)]
pub(crate) struct IndexUpdateMembers {
    update: Option<SettingsMembers>,
    create: Option<GlobalIndexMembers>,
    delete: Option<String>,
}

/// New settings of an index.
#[derive(Debug, Clone)]
struct SettingsMembers {
    name: String,
    throughput: Option<Throughput>,
    on_demand: Option<OnDemandThroughput>,
    warm: Option<WarmThroughput>,
}

/// The actions of all updates.
#[derive(Debug, Clone, Default)]
pub(crate) struct IndexActions {
    updates: Vec<SettingsMembers>,
    creates: Vec<GlobalIndexMembers>,
    deletes: Vec<String>,
}

/// Reads the updates, which may be absent.
pub(crate) fn read(
    violations: &mut Violations,
    updates: &Option<Vec<GlobalSecondaryIndexUpdate>>,
) -> Vec<IndexUpdateMembers> {
    let updates = updates.iter().flatten().zip(1..);
    let read = updates.map(|(update, number)| {
        let path = format_args!("globalSecondaryIndexUpdates.{number}.member");
        read_update(violations, &path, update)
    });
    read.collect()
}

fn read_update(
    violations: &mut Violations,
    path: &dyn Display,
    update: &GlobalSecondaryIndexUpdate,
) -> IndexUpdateMembers {
    IndexUpdateMembers {
        update: update
            .update
            .as_ref()
            .map(|action| read_settings(violations, &format_args!("{path}.update"), action)),
        create: update.create.as_ref().map(|action| {
            let path = format_args!("{path}.create");
            index_definition::read_global(violations, &path, &as_index(action))
        }),
        delete: update.delete.as_ref().map(|action| {
            read_name(violations, &format_args!("{path}.delete"), &action.index_name)
        }),
    }
}

fn read_settings(
    violations: &mut Violations,
    path: &dyn Display,
    action: &UpdateGlobalSecondaryIndexAction,
) -> SettingsMembers {
    let throughput_path = format_args!("{path}.provisionedThroughput");
    SettingsMembers {
        name: read_name(violations, path, &action.index_name),
        throughput: throughput::read(violations, &throughput_path, &action.provisioned_throughput),
        on_demand: action.on_demand_throughput.clone(),
        warm: action.warm_throughput.clone(),
    }
}

/// The index that the action describes: the model has two shapes with the same members.
fn as_index(action: &CreateGlobalSecondaryIndexAction) -> GlobalSecondaryIndex {
    GlobalSecondaryIndex {
        index_name: action.index_name.clone(),
        key_schema: action.key_schema.clone(),
        projection: action.projection.clone(),
        provisioned_throughput: action.provisioned_throughput.clone(),
        on_demand_throughput: action.on_demand_throughput.clone(),
        warm_throughput: action.warm_throughput.clone(),
    }
}

/// Refuses more units than can be asked for.
pub(crate) fn check_bounds(updates: &[IndexUpdateMembers]) -> Result<(), ApiError> {
    for IndexUpdateMembers { update, create, delete: _ } in updates {
        if let Some(update) = update {
            throughput::check_bounds(update.throughput, Some(&update.name))?;
        }
        if let Some(create) = create {
            throughput::check_bounds(create.throughput, Some(&create.name))?;
        }
    }
    Ok(())
}

/// The actions of the updates, if each has one and no index is named twice.
pub(crate) fn actions(updates: Vec<IndexUpdateMembers>) -> Result<IndexActions, ApiError> {
    let mut actions = IndexActions::default();
    let mut names: Vec<String> = Vec::new();
    for update in updates {
        names.push(add_action(&mut actions, update)?);
    }
    check_names_differ(&names)?;
    actions
        .updates
        .iter()
        .try_for_each(|update| warm_throughput::check_not_empty(&update.warm, &update.name))?;
    Ok(actions)
}

/// Adds the one action of an update; returns the name of its index.
fn add_action(actions: &mut IndexActions, update: IndexUpdateMembers) -> Result<String, ApiError> {
    let name = match update {
        IndexUpdateMembers { update: Some(update), create: None, delete: None } => {
            let name = update.name.clone();
            actions.updates.push(update);
            name
        }
        IndexUpdateMembers { update: None, create: Some(create), delete: None } => {
            let name = create.name.clone();
            actions.creates.push(create);
            name
        }
        IndexUpdateMembers { update: None, create: None, delete: Some(name) } => {
            actions.deletes.push(name.clone());
            name
        }
        IndexUpdateMembers { update: None, create: None, delete: None } => {
            return Err(ApiError::parameter(
                "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, \
                 GlobalSecondaryIndexUpdate.Delete must not be null",
            ));
        }
        IndexUpdateMembers { .. } => {
            return Err(ApiError::parameter(
                "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate \
                 object",
            ));
        }
    };
    Ok(name)
}

fn check_names_differ(names: &[String]) -> Result<(), ApiError> {
    match first_repeated(names.iter().map(String::as_str)) {
        None => Ok(()),
        Some(name) => Err(ApiError::parameter(format!(
            "Only one global secondary index update per index is allowed simultaneously. \
             Index: {name}"
        ))),
    }
}

/// Refuses to make a table provisioned without the throughput of each of its global indexes.
pub(crate) fn check_all_provisioned(
    schema: &TableSchema,
    actions: &IndexActions,
) -> Result<(), ApiError> {
    let is_provisioned = |name: &str| {
        let mut updates = actions.updates.iter();
        updates.any(|update| update.name == name && update.throughput.is_some())
    };
    let globals = schema.indexes.iter().filter(|index| index.kind == IndexKind::Global);
    match globals.into_iter().find(|index| !is_provisioned(&index.name)) {
        None => Ok(()),
        Some(IndexSchema { name, .. }) => Err(ApiError::parameter(format!(
            "ProvisionedThroughput must be specified for index: {name}"
        ))),
    }
}

/// Checks new settings of indexes, of a table that will be paid for as `billing` says.
pub(crate) fn settings(
    schema: &TableSchema,
    billing: Billing,
    actions: &IndexActions,
    now_millis: u64,
) -> Result<Vec<IndexSettingsChange>, ApiError> {
    actions.updates.iter().map(|update| settings_of(schema, billing, update, now_millis)).collect()
}

fn settings_of(
    schema: &TableSchema,
    billing: Billing,
    update: &SettingsMembers,
    now_millis: u64,
) -> Result<IndexSettingsChange, ApiError> {
    let index = global_index(schema, &update.name, "update")?;
    check_not_busy(schema, index, now_millis)?;
    check_asks_for_something(billing, update)?;
    let ceiling =
        on_demand_throughput::of_index(billing, index.ceiling, &update.on_demand, &index.name)?;
    let served = warm_throughput::served(billing, index.throughput);
    let (warm, _) = warm_throughput::current(index.warm, served, now_millis);
    warm_throughput::check_change(warm, &update.warm, &format!("index {}", index.name))?;
    if let Some(asked) = update.throughput {
        throughput::check_index_changes(&index.name, index.throughput, asked)?;
    }
    // A provisioned index has no ceiling: one that it had on demand goes with the switch.
    let ceiling = match billing {
        Billing::Provisioned => Some(RequestCeiling::default()),
        Billing::OnDemand => ceiling,
    };
    Ok(IndexSettingsChange {
        name: index.name.clone(),
        throughput: update.throughput,
        ceiling,
        warm: warm_throughput::of_change(&update.warm, warm),
    })
}

fn check_asks_for_something(billing: Billing, update: &SettingsMembers) -> Result<(), ApiError> {
    let name = &update.name;
    let asks_otherwise = on_demand_throughput::asked(&update.on_demand).is_some()
        || warm_throughput::asked(&update.warm).is_some();
    match (billing, update.throughput) {
        (Billing::OnDemand, Some(_)) => Err(ApiError::parameter(format!(
            "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: {name} \
             when BillingMode is PAY_PER_REQUEST"
        ))),
        (Billing::OnDemand, None) if !asks_otherwise => Err(ApiError::parameter(format!(
            "The only Updates for index: {name} when TableThroughputMode is PAY_PER_REQUEST can be \
             to OnDemandThroughput, WarmThroughput"
        ))),
        (Billing::Provisioned, None) if !asks_otherwise => Err(ApiError::parameter(format!(
            "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {name}"
        ))),
        (Billing::OnDemand | Billing::Provisioned, _) => Ok(()),
    }
}

fn check_not_busy(
    schema: &TableSchema,
    index: &IndexSchema,
    now_millis: u64,
) -> Result<(), ApiError> {
    let doing = match index.state_at(now_millis) {
        IndexState::Creating { .. } | IndexState::Active => return Ok(()),
        IndexState::Updating => "updated",
        IndexState::Deleting => "deleted",
    };
    Err(still_in_use(&format!(
        "Index is being {doing}. Table: {} Index: {}",
        schema.name, index.name
    )))
}

/// The global index of this name, for a change that is called by its `verb`.
fn global_index<'a>(
    schema: &'a TableSchema,
    name: &str,
    verb: &str,
) -> Result<&'a IndexSchema, ApiError> {
    let index = schema.index(name).ok_or_else(|| ApiError::index_not_found(&schema.name, name))?;
    match index.kind {
        IndexKind::Global => Ok(index),
        IndexKind::Local => Err(ApiError::validation(format!(
            "Cannot {verb} an index that is not a GlobalSecondaryIndex: {name}"
        ))),
    }
}

/// Refuses to create or delete several indexes in one call, those of other kinds among them.
pub(crate) fn check_one_at_a_time(
    actions: &IndexActions,
    other_actions: usize,
) -> Result<(), ApiError> {
    match actions.creates.len() + actions.deletes.len() + other_actions {
        0 | 1 => Ok(()),
        _ => Err(one_index_at_a_time()),
    }
}

/// Checks the deletion of an index, if there is one.
pub(crate) fn deletion(
    schema: &TableSchema,
    actions: &IndexActions,
    now_millis: u64,
) -> Result<Option<String>, ApiError> {
    let Some(name) = actions.deletes.first() else { return Ok(None) };
    let index = global_index(schema, name, "delete")?;
    check_not_busy(schema, index, now_millis)?;
    check_not_creating(schema, index, now_millis)?;
    check_others_at_rest(schema, now_millis)?;
    Ok(Some(name.clone()))
}

/// An index that is being filled could be deleted on AWS once its resources are allocated. Here it
/// can be when it is filled, so the answer asks to try again.
fn check_not_creating(
    schema: &TableSchema,
    index: &IndexSchema,
    now_millis: u64,
) -> Result<(), ApiError> {
    match index.state_at(now_millis) {
        IndexState::Active | IndexState::Updating | IndexState::Deleting => Ok(()),
        IndexState::Creating { .. } => Err(still_in_use(&format!(
            "Index creation is in resource allocation phase. Retry deletion during backfilling \
             phase or when the index is active. Table: {} Index: {}",
            schema.name, index.name
        ))),
    }
}

/// Checks the creation of an index, if there is one, of a table that will be paid for as `billing`
/// says.
pub(crate) fn creation(
    schema: &TableSchema,
    billing: Billing,
    actions: &IndexActions,
    definitions: &Definitions,
    now_millis: u64,
) -> Result<Option<IndexDefinition>, ApiError> {
    let Some(index) = actions.creates.first() else { return Ok(None) };
    check_others_at_rest(schema, now_millis)?;
    check_count(schema)?;
    check_name_is_new(schema, &index.name)?;
    check_definitions_are_given(definitions, &index.name)?;
    let mut definition = index_definition::global(index, billing, definitions)?;
    check_not_redefined(schema, &definition)?;
    let vectors = schema.vector_indexes.iter().map(|index| &index.definition.projected);
    let others = schema.indexes.iter().map(|index| &index.projected).chain(vectors);
    projection::check_names_total(others.chain([&definition.projected]))?;
    index_definition::set_ceiling(&mut definition, index, billing)?;
    Ok(Some(definition))
}

fn check_others_at_rest(schema: &TableSchema, now_millis: u64) -> Result<(), ApiError> {
    if schema.has_indexes_at_rest(now_millis) { Ok(()) } else { Err(one_index_at_a_time()) }
}

fn check_count(schema: &TableSchema) -> Result<(), ApiError> {
    let is_global = |index: &&IndexSchema| index.kind == IndexKind::Global;
    match schema.indexes.iter().filter(is_global).count() {
        0..GLOBAL_INDEXES_MAX => Ok(()),
        _ => Err(ApiError::limit_exceeded(format!(
            "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table \
             limit of {GLOBAL_INDEXES_MAX}"
        ))),
    }
}

fn check_name_is_new(schema: &TableSchema, name: &str) -> Result<(), ApiError> {
    if schema.has_index(name) { Err(index_exists()) } else { Ok(()) }
}

fn check_definitions_are_given(definitions: &Definitions, index: &str) -> Result<(), ApiError> {
    match definitions.len() {
        0 => Err(ApiError::parameter(format!(
            "AttributeDefinitions is not specified for index: {index}"
        ))),
        _ => Ok(()),
    }
}

/// Refuses a key attribute that has another type in a key that exists.
fn check_not_redefined(schema: &TableSchema, definition: &IndexDefinition) -> Result<(), ApiError> {
    let keys = || schema.indexes.iter().map(|index| &index.key).chain([&schema.key]);
    for (new, new_role) in roles(&definition.key) {
        let known = keys().flat_map(roles).find(|(known, _)| known.name == new.name);
        if let Some((known, role)) = known.filter(|(known, _)| known.kind != new.kind) {
            return Err(ApiError::parameter(format!(
                "Attributes cannot be redefined. Please check that your attribute has the same \
                 type as previously defined. Existing schema: Schema:[SchemaElement: {}] New \
                 schema: Schema:[SchemaElement: {}]",
                schema_element(known, role),
                schema_element(new, new_role)
            )));
        }
    }
    Ok(())
}

fn roles(key: &KeySchema) -> impl Iterator<Item = (&KeyAttribute, &'static str)> {
    let partition = key.partition.iter().map(|attribute| (attribute, "HASH"));
    partition.chain(key.sort.iter().map(|attribute| (attribute, "RANGE")))
}

fn schema_element(attribute: &KeyAttribute, role: &str) -> String {
    format!("key{{{}:{}:{role}}}", attribute.name, attribute.kind.value_type().code())
}

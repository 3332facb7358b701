//! Definitions of secondary indexes, with a new table or for one that exists.

use std::collections::HashSet;
use std::fmt::Display;

use monotable_database::IndexDefinition;
use monotable_database::schema::{
    Billing, IndexKind, KeyAttribute, KeySchema, RequestCeiling, Throughput,
};
use monotable_item::limits::{GLOBAL_INDEXES_MAX, LOCAL_INDEXES_MAX};
use monotable_protocol::FEW_MAX;
use monotable_protocol::shapes::{
    GlobalSecondaryIndex, LocalSecondaryIndex, OnDemandThroughput, WarmThroughput,
};

use super::attribute_definitions::Definitions;
use super::constraint::{Violations, missing};
use super::key_schema::{self, GLOBAL_INDEX_ELEMENTS_MAX, KeyElement, PAIR_ELEMENTS_MAX};
use super::projection::{self, ProjectionMembers};
use super::{on_demand_throughput, table_name, throughput, warm_throughput};
use crate::error::ApiError;

/// A global index whose members are well-formed, each by itself.
#[derive(Debug, Clone)]
pub(crate) struct GlobalIndexMembers {
    /// Its name.
    pub(crate) name: String,
    /// Its key.
    pub(crate) key: Vec<KeyElement>,
    /// What it holds.
    projection: ProjectionMembers,
    /// What it may read and write, if provisioned.
    pub(crate) throughput: Option<Throughput>,
    /// What it may read and write at most, if on demand.
    on_demand: Option<OnDemandThroughput>,
    /// What it must be able to serve at once.
    warm: Option<WarmThroughput>,
}

/// A local index whose members are well-formed, each by itself.
#[derive(Debug, Clone)]
pub(crate) struct LocalIndexMembers {
    /// Its name.
    pub(crate) name: String,
    /// Its key.
    pub(crate) key: Vec<KeyElement>,
    projection: ProjectionMembers,
}

/// Reads the global indexes of a table to be created.
pub(crate) fn read_globals(
    violations: &mut Violations,
    indexes: &Option<Vec<GlobalSecondaryIndex>>,
) -> Option<Vec<GlobalIndexMembers>> {
    let indexes = indexes.as_ref()?.iter().zip(1..);
    let read = indexes.map(|(index, number)| {
        read_global(violations, &format_args!("globalSecondaryIndexes.{number}.member"), index)
    });
    Some(read.collect())
}

/// Reads a global index.
pub(crate) fn read_global(
    violations: &mut Violations,
    path: &dyn Display,
    index: &GlobalSecondaryIndex,
) -> GlobalIndexMembers {
    let schema_path = format_args!("{path}.keySchema");
    let throughput_path = format_args!("{path}.provisionedThroughput");
    let key =
        key_schema::read(violations, &schema_path, &index.key_schema, GLOBAL_INDEX_ELEMENTS_MAX);
    let projection =
        projection::read(violations, &format_args!("{path}.projection"), &index.projection);
    let name = read_name(violations, path, &index.index_name);
    let throughput = throughput::read(violations, &throughput_path, &index.provisioned_throughput);
    GlobalIndexMembers {
        name,
        key,
        projection,
        throughput,
        on_demand: index.on_demand_throughput.clone(),
        warm: index.warm_throughput.clone(),
    }
}

/// Reads the local indexes of a table to be created.
pub(crate) fn read_locals(
    violations: &mut Violations,
    indexes: &Option<Vec<LocalSecondaryIndex>>,
) -> Option<Vec<LocalIndexMembers>> {
    let indexes = indexes.as_ref()?.iter().zip(1..);
    let read = indexes.map(|(index, number)| {
        read_local(violations, &format_args!("localSecondaryIndexes.{number}.member"), index)
    });
    Some(read.collect())
}

fn read_local(
    violations: &mut Violations,
    path: &dyn Display,
    index: &LocalSecondaryIndex,
) -> LocalIndexMembers {
    let name = read_name(violations, path, &index.index_name);
    let schema_path = format_args!("{path}.keySchema");
    let key = key_schema::read(violations, &schema_path, &index.key_schema, PAIR_ELEMENTS_MAX);
    let projection =
        projection::read(violations, &format_args!("{path}.projection"), &index.projection);
    LocalIndexMembers { name, key, projection }
}

/// Reads the name of an index: the member `indexName` of what is at `path`.
pub(crate) fn read_name(
    violations: &mut Violations,
    path: &dyn Display,
    name: &Option<String>,
) -> String {
    let path = format_args!("{path}.indexName");
    match name {
        Some(name) => violations.append(table_name::known_name_violations(name, &path)),
        None => violations.push(missing(path)),
    }
    name.clone().unwrap_or_default()
}

/// Refuses a list of indexes that is there and empty.
pub(crate) fn check_list<T>(list: &Option<Vec<T>>, name: &str) -> Result<(), ApiError> {
    if list.as_ref().is_some_and(Vec::is_empty) {
        Err(ApiError::parameter(format!("List of {name} is empty")))
    } else {
        Ok(())
    }
}

/// Resolves the local indexes of a table to be created.
pub(crate) fn locals(
    indexes: &[LocalIndexMembers],
    table_key: &KeySchema,
    definitions: &Definitions,
) -> Result<Vec<IndexDefinition>, ApiError> {
    let mut names = HashSet::new();
    let mut resolved = Vec::with_capacity(indexes.len());
    for index in indexes {
        let definition = local(index, table_key, definitions)?;
        add_name(&mut names, &index.name)?;
        resolved.push(definition);
    }
    match resolved.len() {
        0..=LOCAL_INDEXES_MAX => Ok(resolved),
        _ => Err(too_many_locals()),
    }
}

/// Refuses lists of indexes that are so long that they were not read to their ends, before
/// anything is compared with what they lack.
pub(crate) fn check_read_whole(
    locals: &[LocalIndexMembers],
    globals: &[GlobalIndexMembers],
) -> Result<(), ApiError> {
    match (locals.len() >= FEW_MAX, globals.len() >= FEW_MAX) {
        (true, _) => Err(too_many_locals()),
        (false, true) => Err(too_many_globals()),
        (false, false) => Ok(()),
    }
}

fn too_many_locals() -> ApiError {
    ApiError::parameter(format!(
        "Number of LocalSecondaryIndexes exceeds per-table limit of {LOCAL_INDEXES_MAX}"
    ))
}

fn too_many_globals() -> ApiError {
    ApiError::parameter(format!(
        "GlobalSecondaryIndex count exceeds the per-table limit of {GLOBAL_INDEXES_MAX}"
    ))
}

fn local(
    index: &LocalIndexMembers,
    table_key: &KeySchema,
    definitions: &Definitions,
) -> Result<IndexDefinition, ApiError> {
    Ok(IndexDefinition {
        name: index.name.clone(),
        kind: IndexKind::Local,
        key: local_key(index, table_key, definitions)?,
        projected: projection::projected(&index.projection)?,
        throughput: Throughput::default(),
        ceiling: RequestCeiling::default(),
        warm: None,
    })
}

/// Resolves the key of a local index.
fn local_key(
    index: &LocalIndexMembers,
    table_key: &KeySchema,
    definitions: &Definitions,
) -> Result<KeySchema, ApiError> {
    check_table_has_sort_key(table_key)?;
    let key = key_schema::local_index_key(&index.key, definitions)?;
    check_has_sort_key(&index.name, &key)?;
    check_shares_partition_key(&index.name, &key, table_key)?;
    Ok(key)
}

/// Checks the keys of all indexes of a table to be created, and nothing else of them.
pub(crate) fn check_keys(
    locals: &[LocalIndexMembers],
    globals: &[GlobalIndexMembers],
    table_key: &KeySchema,
    definitions: &Definitions,
) -> Result<(), ApiError> {
    locals.iter().try_for_each(|index| local_key(index, table_key, definitions).map(drop))?;
    let key = |index: &GlobalIndexMembers| key_schema::global_index_key(&index.key, definitions);
    globals.iter().try_for_each(|index| key(index).map(drop))
}

fn check_table_has_sort_key(table_key: &KeySchema) -> Result<(), ApiError> {
    if table_key.sort.is_empty() {
        Err(ApiError::parameter(
            "Table KeySchema does not have a range key, which is required when specifying a \
             LocalSecondaryIndex",
        ))
    } else {
        Ok(())
    }
}

fn check_has_sort_key(index: &str, key: &KeySchema) -> Result<(), ApiError> {
    if key.sort.is_empty() {
        Err(ApiError::parameter(format!(
            "Index KeySchema does not have a range key for index: {index}"
        )))
    } else {
        Ok(())
    }
}

fn check_shares_partition_key(
    index: &str,
    key: &KeySchema,
    table_key: &KeySchema,
) -> Result<(), ApiError> {
    if key.partition == table_key.partition {
        return Ok(());
    }
    let name = |key: &KeySchema| {
        let name = |attribute: &KeyAttribute| attribute.name.clone();
        key.partition.first().map(name).unwrap_or_default()
    };
    Err(ApiError::parameter(format!(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: \
         {index}. index hash key: {}, table hash key: {}",
        name(key),
        name(table_key)
    )))
}

/// Resolves the global indexes of a table to be created, beside its local ones.
pub(crate) fn globals(
    indexes: &[GlobalIndexMembers],
    billing: Billing,
    definitions: &Definitions,
    locals: &[IndexDefinition],
) -> Result<Vec<IndexDefinition>, ApiError> {
    let mut names: HashSet<&str> = locals.iter().map(|index| index.name.as_str()).collect();
    let mut resolved = Vec::with_capacity(indexes.len());
    for index in indexes {
        let definition = global(index, billing, definitions)?;
        add_name(&mut names, &index.name)?;
        resolved.push(definition);
    }
    match resolved.len() {
        0..=GLOBAL_INDEXES_MAX => Ok(resolved),
        _ => Err(too_many_globals()),
    }
}

/// Resolves a global index, but for its ceiling, which is checked later.
pub(crate) fn global(
    index: &GlobalIndexMembers,
    billing: Billing,
    definitions: &Definitions,
) -> Result<IndexDefinition, ApiError> {
    Ok(IndexDefinition {
        name: index.name.clone(),
        kind: IndexKind::Global,
        key: key_schema::global_index_key(&index.key, definitions)?,
        projected: projection::projected(&index.projection)?,
        throughput: throughput::of_new_index(billing, index.throughput, &index.name)?,
        ceiling: RequestCeiling::default(),
        warm: None,
    })
}

/// Resolves the ceiling of a global index, and checks what it must serve at once.
pub(crate) fn set_ceiling(
    definition: &mut IndexDefinition,
    index: &GlobalIndexMembers,
    billing: Billing,
) -> Result<(), ApiError> {
    definition.ceiling =
        on_demand_throughput::of_new_index(billing, &index.on_demand, &index.name)?;
    let subject = format!("index {}", index.name);
    warm_throughput::check_new(billing, definition.throughput, &index.warm, &subject)?;
    let served = warm_throughput::served(billing, definition.throughput);
    definition.warm = warm_throughput::of_new(&index.warm, served);
    Ok(())
}

/// Adds the name of an index, which must be new among those before it.
fn add_name<'a>(names: &mut HashSet<&'a str>, name: &'a str) -> Result<(), ApiError> {
    if names.insert(name) {
        Ok(())
    } else {
        Err(ApiError::parameter(format!("Duplicate index name: {name}")))
    }
}

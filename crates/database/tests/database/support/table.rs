//! Tables and indexes written in one line.
//!
//! A key is `pk:S`, `pk:S/sk:N`, or for a global index `a:S,b:N/c:B,d:S`. An index is `NAME KEY
//! PROJECTION`, where the projection is `all`, `keys_only` or `include a,b`; the key of a local
//! index is its sort key alone.

use std::collections::BTreeMap;

use monotable_database::schema::{
    IndexKind, IndexProjection, KeyAttribute, KeySchema, RequestCeiling, TableSettings, Throughput,
};
use monotable_database::{AttachedPolicy, Home, IndexDefinition, TableDefinition};
use monotable_item::key_encoding::KeyType;

type Result<T> = std::result::Result<T, String>;

pub(crate) fn table(name: &str, key: &str) -> Result<TableDefinition> {
    let key = key_schema(key)?;
    let definitions = key.attributes().cloned().collect();
    Ok(TableDefinition {
        home: Home::default(),
        name: name.to_owned(),
        key,
        definitions,
        indexes: Vec::new(),
        vector_indexes: Vec::new(),
        settings: TableSettings::default(),
        tags: BTreeMap::new(),
        policy: AttachedPolicy::default(),
    })
}

/// Adds an index to a table that is to be created.
pub(crate) fn with_index(table: &mut TableDefinition, kind: IndexKind, text: &str) -> Result<()> {
    let index = match kind {
        IndexKind::Global => global_index(text)?,
        IndexKind::Local => local_index(&table.key, text)?,
    };
    for attribute in index.key.attributes() {
        if !table.definitions.contains(attribute) {
            table.definitions.push(attribute.clone());
        }
    }
    table.indexes.push(index);
    Ok(())
}

pub(crate) fn global_index(text: &str) -> Result<IndexDefinition> {
    let (name, key, projected) = index_parts(text)?;
    Ok(index(name, IndexKind::Global, key_schema(key)?, projected))
}

fn local_index(table_key: &KeySchema, text: &str) -> Result<IndexDefinition> {
    let (name, key, projected) = index_parts(text)?;
    let key = KeySchema { partition: table_key.partition.clone(), sort: attributes(key)? };
    Ok(index(name, IndexKind::Local, key, projected))
}

fn index(
    name: &str,
    kind: IndexKind,
    key: KeySchema,
    projected: IndexProjection,
) -> IndexDefinition {
    IndexDefinition {
        name: name.to_owned(),
        kind,
        key,
        projected,
        throughput: Throughput::default(),
        ceiling: RequestCeiling::default(),
        warm: None,
    }
}

fn index_parts(text: &str) -> Result<(&str, &str, IndexProjection)> {
    let mut words = text.split_whitespace();
    let name = words.next().ok_or("an index has a name")?;
    let key = words.next().ok_or("an index has a key")?;
    let projected = match (words.next(), words.next()) {
        (Some("all"), None) => IndexProjection::All,
        (Some("keys_only"), None) => IndexProjection::KeysOnly,
        (Some("include"), Some(names)) => {
            IndexProjection::Include(names.split(',').map(str::to_owned).collect())
        }
        other => return Err(format!("no projection {other:?}")),
    };
    Ok((name, key, projected))
}

pub(crate) fn key_schema(text: &str) -> Result<KeySchema> {
    let (partition, sort) = text.split_once('/').unwrap_or((text, ""));
    Ok(KeySchema { partition: attributes(partition)?, sort: attributes(sort)? })
}

fn attributes(text: &str) -> Result<Vec<KeyAttribute>> {
    let attribute = |text: &str| {
        let (name, kind) = text.split_once(':').ok_or(format!("no type: {text}"))?;
        let kind = match kind {
            "S" => KeyType::String,
            "N" => KeyType::Number,
            "B" => KeyType::Binary,
            other => return Err(format!("no key type {other}")),
        };
        Ok(KeyAttribute { name: name.to_owned(), kind })
    };
    text.split(',').filter(|text| !text.is_empty()).map(attribute).collect()
}

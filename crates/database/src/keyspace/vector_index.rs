//! Vector indexes in the record of their table.

use monotable_item::Value;

use super::record::{Codes, Record, key_attributes, read_key_attributes};
use super::table::{INDEX_STATUSES, put_projected, read_projected};
use super::table_controls::{index_transition, read_index_transition};
use crate::error::CorruptRecord;
use crate::later_attributes::LaterAttributes;
use crate::schema::{
    Distance, IndexId, SearchAttribute, SearchRole, VectorIndexDefinition, VectorIndexSchema,
};

/// A vector index as the record has it.
pub(crate) fn encode(index: &VectorIndexSchema) -> Value {
    let definition = &index.definition;
    let mut record = Record::default();
    record.put("id", i64::from(index.id.0));
    record.put("name", definition.name.as_str());
    record.put("attribute", definition.attribute.as_str());
    record.put("dimensions", i64::from(definition.dimensions));
    record.put("distance", DISTANCES.code(definition.distance));
    let roles = definition.search.iter().map(|element| SEARCH_ROLES.code(element.role).into());
    record.put("search_roles", Value::List(roles.collect()));
    let attributes: Vec<_> =
        definition.search.iter().map(|element| element.attribute.clone()).collect();
    record.put("search", key_attributes(&attributes));
    put_projected(&mut record, &definition.projected);
    record.put("status", INDEX_STATUSES.code(index.status));
    record.put_some("transition", index.transition.map(index_transition));
    index.later.put_into(&mut record.0);
    Value::Map(record.0)
}

/// Reads what [`encode`] wrote.
pub(crate) fn decode(record: &Record) -> Result<VectorIndexSchema, CorruptRecord> {
    let roles = record.texts("search_roles")?;
    let attributes = read_key_attributes(record, "search")?;
    if roles.len() != attributes.len() {
        return Err(CorruptRecord("search roles"));
    }
    let element = |(role, attribute): (String, _)| {
        Ok(SearchAttribute { role: SEARCH_ROLES.read(&role)?, attribute })
    };
    let search = roles.into_iter().zip(attributes).map(element);
    Ok(VectorIndexSchema {
        id: IndexId(record.integer("id")?),
        definition: VectorIndexDefinition {
            name: record.text("name")?,
            attribute: record.text("attribute")?,
            dimensions: record.integer("dimensions")?,
            distance: DISTANCES.read(&record.text("distance")?)?,
            search: search.collect::<Result<_, CorruptRecord>>()?,
            projected: read_projected(record)?,
        },
        status: INDEX_STATUSES.read(&record.text("status")?)?,
        transition: read_index_transition(record.optional_record("transition")?)?,
        later: LaterAttributes::of(&record.0, KNOWN),
    })
}

/// The attributes of a vector index.
const KNOWN: &[&str] = &[
    "id",
    "name",
    "attribute",
    "dimensions",
    "distance",
    "search_roles",
    "search",
    "projected",
    "status",
    "transition",
];

const DISTANCES: Codes<Distance> = Codes(&[
    (Distance::Cosine, "cosine"),
    (Distance::Euclidean, "euclidean"),
    (Distance::DotProduct, "dot-product"),
]);

const SEARCH_ROLES: Codes<SearchRole> =
    Codes(&[(SearchRole::Partition, "partition"), (SearchRole::Filter, "filter")]);

/// Vector indexes for tests.
#[cfg(test)]
pub(super) mod testing {
    use std::collections::BTreeSet;

    use monotable_item::key_encoding::KeyType;

    use super::*;
    use crate::schema::{IndexProjection, IndexStatus, KeyAttribute};

    /// One with everything and one with nothing.
    pub(crate) fn indexes() -> Vec<VectorIndexSchema> {
        let element = |role, name: &str, kind| SearchAttribute {
            role,
            attribute: KeyAttribute { name: name.to_owned(), kind },
        };
        let index = |id, distance, search, projected, status| VectorIndexSchema {
            id: IndexId(id),
            definition: VectorIndexDefinition {
                name: format!("vectors-{id}"),
                attribute: "embedding".to_owned(),
                dimensions: 4096,
                distance,
                search,
                projected,
            },
            status,
            transition: None,
            later: LaterAttributes::default(),
        };
        let search = vec![
            element(SearchRole::Filter, "kind", KeyType::Number),
            element(SearchRole::Partition, "tenant", KeyType::String),
        ];
        let included = IndexProjection::Include(BTreeSet::from(["title".to_owned()]));
        vec![
            index(3, Distance::DotProduct, search, included, IndexStatus::Creating),
            index(4, Distance::Cosine, Vec::new(), IndexProjection::All, IndexStatus::Active),
        ]
    }
}

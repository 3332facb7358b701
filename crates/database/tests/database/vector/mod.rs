//! Vector indexes follow the items, and searches find what brute force finds.
//!
//! Vectors are of small whole numbers, whose products and sums are exact: so scores can be compared
//! for equality, and there are many ties.

mod brute_force;
mod life_cycle;
mod sketched;

use std::collections::{BTreeMap, BTreeSet};

use monotable_database::schema::{
    Distance, IndexProjection, KeyAttribute, SearchAttribute, SearchRole, VectorIndexDefinition,
};
use monotable_database::{TableDefinition, VectorMatch, VectorSearch, Write};
use monotable_item::key_encoding::KeyType;
use monotable_item::{Item, Value, stored};

use crate::support::harness::Harness;
use crate::support::store::Store;
use crate::support::table;

const TABLE: &str = "t";
const DIMENSIONS: u32 = 3;

fn element(role: SearchRole, name: &str) -> SearchAttribute {
    let attribute = KeyAttribute { name: name.to_owned(), kind: KeyType::String };
    SearchAttribute { role, attribute }
}

fn vector_index(
    name: &str,
    distance: Distance,
    search: Vec<SearchAttribute>,
) -> VectorIndexDefinition {
    VectorIndexDefinition {
        name: name.to_owned(),
        attribute: "v".to_owned(),
        dimensions: DIMENSIONS,
        distance,
        search,
        projected: IndexProjection::Include(BTreeSet::from(["x".to_owned()])),
    }
}

/// An index by tenant with a filter, and one of everything.
fn indexes(distance: Distance) -> Vec<VectorIndexDefinition> {
    let search =
        vec![element(SearchRole::Partition, "tenant"), element(SearchRole::Filter, "kind")];
    vec![
        vector_index("by_tenant", distance, search),
        vector_index("all", distance, vec![element(SearchRole::Filter, "kind")]),
    ]
}

fn definition(vector_indexes: Vec<VectorIndexDefinition>) -> TableDefinition {
    let mut definition = table::table(TABLE, "pk:S").unwrap();
    let searched = ["tenant", "kind"]
        .map(|name| KeyAttribute { name: name.to_owned(), kind: KeyType::String });
    definition.definitions.extend(searched);
    TableDefinition { vector_indexes, ..definition }
}

/// An item with what is given of it.
fn item(pk: &str, vector: Option<&[i64]>, attributes: &[(&str, &str)]) -> Item {
    let mut item = Item::from([("pk".to_owned(), Value::from(pk))]);
    if let Some(vector) = vector {
        let numbers = vector.iter().map(|number| Value::from(*number)).collect();
        item.insert("v".to_owned(), Value::List(numbers));
    }
    for (name, value) in attributes {
        item.insert((*name).to_owned(), Value::from(*value));
    }
    item
}

fn put<S: Store>(harness: &Harness<S>, item: &Item) {
    let table = harness.table(TABLE).unwrap();
    let write = Write::put(table.schema(), stored::encode(item).into()).unwrap();
    harness.run(harness.database().write(&table, &write)).unwrap();
}

fn search<S: Store>(
    harness: &Harness<S>,
    index: &str,
    vector: &[f32],
    limit: usize,
    conditions: &[(&str, &str)],
) -> Vec<VectorMatch> {
    let table = harness.table(TABLE).unwrap();
    let found = table.schema().vector_index(index).unwrap();
    let conditions: BTreeMap<&str, &str> = conditions.iter().copied().collect();
    let value = |name: &str| conditions.get(name).map(|value| Value::from(*value));
    let request = VectorSearch {
        index: found.id,
        vector: vector.to_vec(),
        limit,
        partition: found.definition.partition().and_then(|part| value(&part.name)),
        filters: value("kind").map(|value| ("kind".to_owned(), value)).into_iter().collect(),
        projection: None,
    };
    harness.run(harness.database().search_vectors(&table, &request)).unwrap()
}

/// The keys and scores of what was found.
fn found(matches: &[VectorMatch]) -> Vec<(String, f32)> {
    let pair = |found: &VectorMatch| {
        let item = stored::decode(&found.item).unwrap();
        match item.get("pk") {
            Some(Value::String(pk)) => (pk.clone(), found.score),
            other => panic!("a key of {other:?}"),
        }
    };
    matches.iter().map(pair).collect()
}

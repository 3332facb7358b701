//! Random items and searches, compared with a comparison of everything.

use monotable_database::schema::Distance;
use monotable_item::{Item, Value};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::{definition, found, indexes, item, put, search};
use crate::support::harness::Harness;
use crate::support::store::MemoryStore;

/// What an item is put with.
#[derive(Debug, Clone)]
pub(super) struct Put {
    pub(super) pk: String,
    pub(super) vector: Option<Vec<i64>>,
    pub(super) tenant: Option<String>,
    pub(super) kind: Option<String>,
}

impl Put {
    pub(super) fn item(&self) -> Item {
        let attributes = [("tenant", &self.tenant), ("kind", &self.kind)];
        let attributes: Vec<(&str, &str)> = attributes
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.as_deref()?)))
            .collect();
        item(&self.pk, self.vector.as_deref(), &attributes)
    }
}

fn a_put() -> impl Strategy<Value = Put> {
    let vector = option::weighted(0.8, vec(-2..3_i64, 3));
    ("[a-h]", vector, option::of("[pq]"), option::of("[xy]"))
        .prop_map(|(pk, vector, tenant, kind)| Put { pk, vector, tenant, kind })
}

pub(super) fn distance() -> impl Strategy<Value = Distance> {
    prop_oneof![Just(Distance::Cosine), Just(Distance::Euclidean), Just(Distance::DotProduct)]
}

fn score(distance: Distance, query: &[i64], stored: &[i64]) -> f64 {
    let product = |left: &[i64], right: &[i64]| -> f64 {
        left.iter().zip(right).map(|(left, right)| (left * right) as f64).sum()
    };
    match distance {
        Distance::DotProduct => product(query, stored),
        Distance::Euclidean => {
            let squares = query.iter().zip(stored).map(|(q, s)| ((q - s) * (q - s)) as f64);
            squares.sum::<f64>().sqrt()
        }
        Distance::Cosine => {
            let lengths = product(query, query) * product(stored, stored);
            if lengths == 0.0 { 1.0 } else { 1.0 - product(query, stored) / lengths.sqrt() }
        }
    }
}

pub(super) fn nearest(
    items: &std::collections::BTreeMap<String, Put>,
    distance: Distance,
    query: &[i64],
    limit: usize,
    passes: impl Fn(&Put) -> bool,
) -> Vec<(String, f32)> {
    let scored = items.values().filter(|put| passes(put)).filter_map(|put| {
        let score = score(distance, query, put.vector.as_ref()?);
        Some((put.pk.clone(), score as f32 + 0.0))
    });
    let mut scored: Vec<(String, f32)> = scored.collect();
    let rank = |score: f32| if distance == Distance::DotProduct { -score } else { score };
    // Stable, and the map has its keys in order.
    scored.sort_by(|left, right| rank(left.1).total_cmp(&rank(right.1)));
    scored.truncate(limit);
    scored
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn searches_find_what_brute_force_finds(
        puts in vec(a_put(), 0..24),
        distance in distance(),
        query in vec(-2..3_i64, 3),
        limit in 1..9_usize,
        tenant in "[pq]",
        kind in option::of("[xy]"),
    ) {
        let harness = Harness::<MemoryStore>::new();
        let created = harness.database().create_table(definition(indexes(distance)));
        harness.change(created).unwrap();
        let mut items = std::collections::BTreeMap::new();
        for one in puts {
            put(&harness, &one.item());
            items.insert(one.pk.clone(), one);
        }
        let vector: Vec<f32> = query.iter().map(|number| *number as f32).collect();
        let mut conditions: Vec<(&str, &str)> = vec![("tenant", &tenant)];
        conditions.extend(kind.as_deref().map(|kind| ("kind", kind)));
        let has_kind = |put: &Put| kind.is_none() || put.kind == kind;

        let expected = nearest(&items, distance, &query, limit, |put| {
            put.tenant.as_deref() == Some(tenant.as_str()) && has_kind(put)
        });
        let actual = found(&search(&harness, "by_tenant", &vector, limit, &conditions));
        prop_assert_eq!(actual, expected);

        let expected = nearest(&items, distance, &query, limit, has_kind);
        let actual = found(&search(&harness, "all", &vector, limit, &conditions));
        prop_assert_eq!(actual, expected);
        prop_assert_eq!(harness.faults(), []);
    }
}

#[test]
fn a_search_returns_what_the_index_projects_and_no_vector() {
    let harness = Harness::<MemoryStore>::new();
    harness.change(harness.database().create_table(definition(indexes(Distance::Cosine)))).unwrap();
    let attributes = [("tenant", "p"), ("kind", "x"), ("x", "kept"), ("y", "dropped")];
    put(&harness, &item("a", Some(&[1, 0, 0]), &attributes));
    let matches = search(&harness, "all", &[1.0, 0.0, 0.0], 1, &[]);
    let returned = monotable_item::stored::decode(&matches[0].item).unwrap();
    let text = |name: &str| (name.to_owned(), Value::from(if name == "x" { "kept" } else { name }));
    let expected: Item =
        [("pk".to_owned(), "a".into()), ("kind".to_owned(), "x".into()), text("x")]
            .into_iter()
            .collect();
    assert_eq!(returned, expected);
}

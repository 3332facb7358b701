//! Searches by sketches find what searches of everything find, whatever happens meanwhile.

use std::collections::BTreeMap;

use monotable_database::schema::Distance;
use monotable_database::{DatabaseOptions, TableChange, VectorOptions, VectorSearch, Write};
use monotable_item::stored;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::brute_force::{Put, distance, nearest};
use super::{TABLE, definition, found, indexes, item, put, search};
use crate::support::harness::Harness;
use crate::support::store::{ContendedStore, LocalStore, MemoryStore, Store};

/// Sketches whatever is searched, in so much memory.
fn sketching(sketch_bytes_max: usize) -> DatabaseOptions {
    let vectors = VectorOptions { sketch_bytes_max, sketched_vectors_min: 1 };
    DatabaseOptions { vectors, ..DatabaseOptions::default() }
}

const PLENTY: usize = 1 << 26;

fn new_harness<S: Store>(options: DatabaseOptions, distance: Distance) -> Harness<S> {
    let harness = Harness::<S>::with(options);
    harness.change(harness.database().create_table(definition(indexes(distance)))).unwrap();
    harness
}

fn delete<S: Store>(harness: &Harness<S>, pk: &str) {
    let table = harness.table(TABLE).unwrap();
    let stored = stored::encode(&item(pk, None, &[])).into();
    let key = Write::put(table.schema(), stored).unwrap().key().clone();
    harness.run(harness.database().write(&table, &Write::delete(key))).unwrap();
}

/// How many searches went by sketches, and how many passed over everything.
fn searches<S: Store>(harness: &Harness<S>) -> (u64, u64) {
    let statistics = harness.database().vector_statistics();
    (statistics.sketched_searches, statistics.full_searches)
}

fn sketch_bytes<S: Store>(harness: &Harness<S>) -> usize {
    harness.database().vector_statistics().sketch_bytes
}

/// The nearest of all, by their keys.
fn nearest_keys<S: Store>(harness: &Harness<S>, vector: &[f32], limit: usize) -> Vec<String> {
    let found = found(&search(harness, "all", vector, limit, &[]));
    found.into_iter().map(|(pk, _)| pk).collect()
}

/// Items `0000` to `0299` on a line.
fn put_line<S: Store>(harness: &Harness<S>) {
    for number in 0..300_i64 {
        put(harness, &item(&format!("{number:04}"), Some(&[number, 1, 0]), &[("kind", "x")]));
    }
}

#[derive(Debug, Clone)]
enum Step {
    Put(Put),
    Delete(String),
}

fn a_put() -> impl Strategy<Value = Put> {
    let vector = option::weighted(0.9, vec(-9..10_i64, 3));
    ("[a-h][0-9]", vector, option::weighted(0.9, "[pq]"), option::of("[xy]"))
        .prop_map(|(pk, vector, tenant, kind)| Put { pk, vector, tenant, kind })
}

fn a_step() -> impl Strategy<Value = Step> {
    prop_oneof![3 => a_put().prop_map(Step::Put), 1 => "[a-h][0-9]".prop_map(Step::Delete)]
}

/// A search, with the condition on the kind if it has one.
type Question = (Vec<i64>, usize, String, Option<String>);

fn a_question() -> impl Strategy<Value = Question> {
    (vec(-9..10_i64, 3), 1..6_usize, "[pq]", option::of("[xy]"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn searches_by_sketches_find_what_brute_force_finds(
        distance in distance(),
        puts in vec(a_put(), 60..120),
        rounds in vec((vec(a_step(), 0..20), a_question(), any::<bool>()), 2..6),
    ) {
        let harness = new_harness::<ContendedStore>(sketching(PLENTY), distance);
        let mut items = BTreeMap::new();
        for one in puts {
            put(&harness, &one.item());
            items.insert(one.pk.clone(), one);
        }
        for (steps, (query, limit, tenant, kind), settles) in rounds {
            for step in steps {
                match step {
                    Step::Put(one) => {
                        put(&harness, &one.item());
                        items.insert(one.pk.clone(), one);
                    }
                    Step::Delete(pk) => {
                        delete(&harness, &pk);
                        items.remove(&pk);
                    }
                }
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
            if settles {
                harness.settle();
            }
        }
        prop_assert_eq!(harness.faults(), []);
    }
}

#[test]
fn the_second_search_goes_by_sketches() {
    let harness = new_harness::<MemoryStore>(sketching(PLENTY), Distance::Euclidean);
    put_line(&harness);
    let expected = ["0007", "0006", "0008"];
    assert_eq!(nearest_keys(&harness, &[7.0, 1.0, 0.0], 3), expected);
    assert_eq!(searches(&harness), (0, 1));
    harness.settle();
    assert_eq!(nearest_keys(&harness, &[7.0, 1.0, 0.0], 3), expected);
    assert_eq!(searches(&harness), (1, 1));
    // Few have the kind that is asked for: those are all looked at.
    put(&harness, &item("far", Some(&[1000, 0, 0]), &[("kind", "y")]));
    let matches = search(&harness, "all", &[7.0, 1.0, 0.0], 3, &[("kind", "y")]);
    assert_eq!(found(&matches).len(), 1);
    assert_eq!(searches(&harness), (2, 1));
}

#[test]
fn what_is_written_while_vectors_are_sketched_is_found() {
    let harness = new_harness::<MemoryStore>(sketching(PLENTY), Distance::Euclidean);
    put_line(&harness);
    harness.background().pause();
    let query = [7.0, 1.0, 0.0];
    nearest_keys(&harness, &query, 3);
    put(&harness, &item("new", Some(&[7, 1, 0]), &[]));
    delete(&harness, "0007");
    assert_eq!(nearest_keys(&harness, &query, 2), ["new", "0006"]);
    harness.background().resume();
    harness.settle();
    put(&harness, &item("0006", Some(&[500, 1, 0]), &[]));
    put(&harness, &item("newer", Some(&[7, 1, 0]), &[]));
    assert_eq!(nearest_keys(&harness, &query, 3), ["new", "newer", "0008"]);
    assert_eq!(searches(&harness), (1, 2));
}

#[test]
fn one_item_that_changes_often_does_not_hide_others() {
    let harness = new_harness::<MemoryStore>(sketching(PLENTY), Distance::Euclidean);
    put_line(&harness);
    nearest_keys(&harness, &[7.0, 1.0, 0.0], 1);
    harness.settle();
    for number in 0..200_i64 {
        put(&harness, &item("0250", Some(&[7, 1, number % 2]), &[]));
    }
    put(&harness, &item("0250", Some(&[250, 1, 0]), &[]));
    let expected = ["0007", "0006", "0008", "0005", "0009"];
    assert_eq!(nearest_keys(&harness, &[7.0, 1.0, 0.0], 5), expected);
    assert_eq!(searches(&harness), (1, 1));
}

#[test]
fn a_range_whose_nearest_are_gone_is_sketched_anew() {
    let harness = new_harness::<MemoryStore>(sketching(PLENTY), Distance::Euclidean);
    put_line(&harness);
    nearest_keys(&harness, &[0.0, 1.0, 0.0], 1);
    harness.settle();
    (0..100).for_each(|number| delete(&harness, &format!("{number:04}")));
    assert_eq!(nearest_keys(&harness, &[0.0, 1.0, 0.0], 2), ["0100", "0101"]);
    assert_eq!(searches(&harness), (0, 2));
    harness.settle();
    assert_eq!(nearest_keys(&harness, &[0.0, 1.0, 0.0], 2), ["0100", "0101"]);
    assert_eq!(searches(&harness), (1, 2));
}

#[test]
fn after_a_crash_vectors_are_sketched_anew() {
    let mut harness = new_harness::<LocalStore>(sketching(PLENTY), Distance::Cosine);
    put_line(&harness);
    let query = [3.0, 1.0, 0.0];
    let expected = nearest_keys(&harness, &query, 5);
    // One is cut short, and one is complete.
    for settles in [false, true] {
        if settles {
            harness.settle();
            assert_eq!(nearest_keys(&harness, &query, 5), expected);
            assert_eq!(searches(&harness).0, 1);
        }
        harness.crash();
        assert_eq!((sketch_bytes(&harness), searches(&harness)), (0, (0, 0)));
        assert_eq!(nearest_keys(&harness, &query, 5), expected);
    }
    harness.restart();
    assert_eq!(nearest_keys(&harness, &query, 5), expected);
    assert_eq!(harness.faults(), []);
}

#[test]
fn searches_that_nobody_waits_for_change_nothing() {
    let harness = new_harness::<MemoryStore>(sketching(PLENTY), Distance::Euclidean);
    put_line(&harness);
    let table = harness.table(TABLE).unwrap();
    let request = VectorSearch {
        index: table.schema().vector_index("all").unwrap().id,
        vector: vec![7.0, 1.0, 0.0],
        limit: 3,
        partition: None,
        filters: Vec::new(),
        projection: None,
    };
    // Dropped after this many steps, before and while the vectors are sketched, and afterwards.
    for steps in (0..6).chain(0..6) {
        harness.run(async {
            let mut search = Box::pin(harness.database().search_vectors(&table, &request));
            for _ in 0..steps {
                tokio::select! {
                    biased;
                    _ = &mut search => break,
                    () = std::future::ready(()) => {}
                }
                tokio::task::yield_now().await;
            }
        });
        if steps == 5 {
            harness.settle();
        }
    }
    assert_eq!(nearest_keys(&harness, &[7.0, 1.0, 0.0], 3), ["0007", "0006", "0008"]);
    assert!(searches(&harness).0 > 0);
}

#[test]
fn sketches_never_take_more_memory_than_they_may() {
    // The sketches of one index fit at first, and not those of both.
    let harness = new_harness::<MemoryStore>(sketching(40_000), Distance::Euclidean);
    put_line(&harness);
    let query = [7.0, 1.0, 0.0];
    nearest_keys(&harness, &query, 3);
    harness.settle();
    let held = sketch_bytes(&harness);
    assert!(held > 0 && held <= 40_000, "{held}");
    let expected = ["0007", "0006", "0008"];
    assert_eq!(nearest_keys(&harness, &query, 3), expected);
    assert_eq!(searches(&harness), (1, 1));
    // With more vectors they do not fit any more, and everything is passed over.
    for number in 0..1500_i64 {
        put(&harness, &item(&format!("more-{number}"), Some(&[number, 900, 0]), &[]));
        assert!(sketch_bytes(&harness) <= 40_000);
    }
    assert_eq!(sketch_bytes(&harness), 0);
    for _ in 0..2 {
        assert_eq!(nearest_keys(&harness, &query, 3), expected);
        harness.settle();
    }
    assert_eq!((sketch_bytes(&harness), searches(&harness)), (0, (1, 3)));
}

#[test]
fn without_memory_nothing_is_sketched() {
    let harness = new_harness::<MemoryStore>(sketching(0), Distance::Euclidean);
    put_line(&harness);
    for _ in 0..2 {
        assert_eq!(nearest_keys(&harness, &[7.0, 1.0, 0.0], 1), ["0007"]);
        harness.settle();
    }
    assert_eq!((sketch_bytes(&harness), searches(&harness)), (0, (0, 2)));
}

#[test]
fn the_sketches_of_an_index_go_with_it() {
    let harness = new_harness::<MemoryStore>(sketching(PLENTY), Distance::Euclidean);
    put_line(&harness);
    nearest_keys(&harness, &[7.0, 1.0, 0.0], 1);
    harness.settle();
    assert!(sketch_bytes(&harness) > 0);
    let table = harness.table(TABLE).unwrap();
    let change =
        TableChange { delete_vector_index: Some("all".to_owned()), ..TableChange::default() };
    harness.change(harness.database().update_table(&table, change)).unwrap();
    harness.settle();
    assert_eq!(sketch_bytes(&harness), 0);
}

fn evicted_ranges<S: Store>(harness: &Harness<S>) -> u64 {
    harness.database().vector_statistics().evicted_ranges
}

/// Searches the partition of a tenant; returns whether that went by sketches.
fn search_tenant<S: Store>(harness: &Harness<S>, tenant: &str) -> bool {
    let before = searches(harness).0;
    let found = found(&search(harness, "by_tenant", &[7.0, 1.0, 0.0], 1, &[("tenant", tenant)]));
    assert_eq!(found.first().map(|(pk, _)| pk.as_str()), Some(format!("{tenant}-0007").as_str()));
    harness.settle();
    searches(harness).0 > before
}

/// Tenants with 20 items each, and memory for the sketches of two of them.
fn three_tenants() -> Harness<MemoryStore> {
    let harness = new_harness::<MemoryStore>(sketching(60_000), Distance::Euclidean);
    for tenant in ["p", "q", "r"] {
        for number in 0..20_i64 {
            let pk = format!("{tenant}-{number:04}");
            put(&harness, &item(&pk, Some(&[number, 1, 0]), &[("tenant", tenant)]));
        }
    }
    harness
}

#[test]
fn sketches_that_nobody_searches_by_give_way_to_others() {
    let harness = three_tenants();
    for tenant in ["p", "q"] {
        assert_eq!([(); 2].map(|()| search_tenant(&harness, tenant)), [false, true]);
    }
    // The first search of the third might be the only one.
    assert_eq!([(); 3].map(|()| search_tenant(&harness, "r")), [false, false, true]);
    let statistics = harness.database().vector_statistics();
    assert_eq!((statistics.evicted_ranges, statistics.sketched_ranges), (1, 2));
    assert!(statistics.sketch_bytes <= statistics.sketch_bytes_max, "{statistics:?}");
    // The one whose last search was longest ago is gone.
    assert!(search_tenant(&harness, "q") && !search_tenant(&harness, "p"));
}

#[test]
fn ranges_that_are_searched_in_turn_do_not_drive_each_other_out() {
    let harness = three_tenants();
    let mut by_sketches = [0; 3];
    for _ in 0..5 {
        for (tenant, count) in ["p", "q", "r"].into_iter().zip(&mut by_sketches) {
            *count += u32::from(search_tenant(&harness, tenant));
        }
    }
    assert_eq!((by_sketches, evicted_ranges(&harness)), ([4, 4, 0], 0));
}

#[test]
fn nothing_is_given_up_for_what_does_not_fit_anyhow() {
    let harness = three_tenants();
    search_tenant(&harness, "p");
    for number in 0..3000_i64 {
        let pk = format!("s-{number:04}");
        put(&harness, &item(&pk, Some(&[number, 1, 0]), &[("tenant", "s")]));
    }
    assert_eq!([(); 4].map(|()| search_tenant(&harness, "s")), [false; 4]);
    assert_eq!(evicted_ranges(&harness), 0);
    assert!(search_tenant(&harness, "p"));
}

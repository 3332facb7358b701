//! Keys that no index of the database holds whole.

use std::ops::ControlFlow;

use monotable_storage::{Batch, Direction, Engine, Key, KeyRange, Snapshot};

use crate::store::{Store, runtime};

/// A key of 3,000 bytes, beginning with a number.
fn key(number: u32) -> Key {
    let mut key = number.to_be_bytes().to_vec();
    key.resize(3000, b'k');
    key
}

#[test]
fn a_range_of_long_keys_is_found_by_an_index() {
    let store = Store::new();
    // The statement of the engine, for the middle of three.
    let plan = store.ask_all(
        "set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off;
         insert into kv_long select sha256(k), k, 'v' from
             (select int8send(n) || convert_to(repeat('k', 3000), 'UTF8') as k
              from generate_series(1, 1000) as n) as keys;
         analyze kv_long;
         explain select k, v from kv_long
             where substring(k, 1, 2600) >= substring(int8send(500), 1, 2600)
             and substring(k, 1, 2600) <= substring(int8send(600), 1, 2600)
             and k >= int8send(500) and k < int8send(600)
             order by substring(k, 1, 2600), k limit 10",
    );
    assert!(plan.contains("Index Scan using kv_long_beginning"), "{plan}");
    assert!(!plan.contains("Seq Scan"), "{plan}");
}

#[test]
fn pages_of_long_keys_are_in_order_and_whole() {
    let store = Store::new();
    let engine = store.open();
    let numbers: Vec<u32> = (0..100).collect();
    let mut batch = Batch::new();
    numbers.iter().for_each(|number| batch.put(key(*number), number.to_be_bytes().to_vec()));
    // Two that differ only after the beginning that the index holds.
    let (mut short, mut long) = (key(50), key(50));
    short.truncate(2900);
    long.push(b'k');
    batch.put(short.clone(), "short");
    batch.put(long.clone(), "long");
    runtime().block_on(async {
        monotable_storage::testing::commit(&engine, &batch).await.expect("commits");
        let snapshot = engine.snapshot().await.expect("a snapshot opens");
        for direction in [Direction::Forward, Direction::Backward] {
            let mut found: Vec<Key> = Vec::new();
            let visit = |key: &[u8], _| {
                found.push(key.to_vec());
                ControlFlow::Continue(())
            };
            snapshot.visit(&KeyRange::all(), direction, 7, visit).await.expect("a range reads");
            if direction == Direction::Backward {
                found.reverse();
            }
            let mut expected: Vec<Key> = numbers.iter().map(|number| key(*number)).collect();
            expected.extend([short.clone(), long.clone()]);
            expected.sort();
            assert_eq!(found, expected);
        }
    });
}

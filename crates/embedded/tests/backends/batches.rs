//! Batches of reads and writes.

use std::collections::BTreeMap;

use monotable::backend::{
    BatchGetItem, BatchGetItemOutcome, BatchWriteItem, BatchWriteItemOutcome, CapacityDetail,
    KeysToGet, WriteOne,
};
use monotable_embedded::Embedded;

use crate::fixture::{found, items_table, key, on_all, put, table};

fn write(writes: Vec<WriteOne>) -> BatchWriteItem {
    BatchWriteItem { tables: BTreeMap::from([(table(), writes)]), capacity: CapacityDetail::Total }
}

fn read(keys: Vec<monotable_item::Item>) -> BatchGetItem {
    let keys = KeysToGet { keys, consistent: true, ..KeysToGet::default() };
    BatchGetItem { tables: BTreeMap::from([(table(), keys)]), capacity: CapacityDetail::None }
}

#[tokio::test]
async fn a_batch_writes_and_removes_and_another_reads() {
    on_all(async |backend| {
        backend.put_item(put(key("c", 1))).await.unwrap();
        let writes = vec![
            WriteOne::Put(key("a", 1)),
            WriteOne::Put(key("b", 1)),
            WriteOne::Delete(key("c", 1)),
        ];
        let outcome = backend.batch_write_item(write(writes)).await.unwrap();
        assert_eq!(outcome.unprocessed, BTreeMap::new());
        assert_eq!(outcome.consumed.iter().map(|it| it.units).collect::<Vec<_>>(), [3.0]);
        let keys = vec![key("a", 1), key("b", 1), key("c", 1)];
        let mut outcome = backend.batch_get_item(read(keys)).await.unwrap();
        let found = outcome.items.get_mut(&table()).unwrap();
        found.sort_by_key(|item| format!("{item:?}"));
        assert_eq!(*found, [key("a", 1), key("b", 1)]);
        assert_eq!(outcome.unprocessed, BTreeMap::new());
    })
    .await;
}

/// What a batch leaves comes back as it was sent, so that it can be sent again.
#[tokio::test]
async fn what_a_batch_leaves_can_be_sent_again() {
    let embedded = Embedded::in_memory();
    let backends: [&dyn monotable::backend::Backend; 2] = [&embedded, &embedded.sdk_client()];
    backends[0].create_table(items_table()).await.unwrap();
    for backend in backends {
        embedded.faults().add("unprocessed count=1").unwrap();
        let request = write(vec![WriteOne::Put(key("a", 1)), WriteOne::Delete(key("b", 1))]);
        let sent = request.tables[&table()].clone();
        let BatchWriteItemOutcome { unprocessed, .. } =
            backend.batch_write_item(request).await.unwrap();
        assert_eq!(unprocessed[&table()].len(), 1);
        assert!(sent.contains(&unprocessed[&table()][0]));
        let BatchGetItemOutcome { unprocessed, .. } =
            backend.batch_get_item(read(vec![key("a", 1), key("b", 1)])).await.unwrap();
        assert_eq!(unprocessed[&table()].keys.len(), 1);
        assert!(unprocessed[&table()].consistent);
        embedded.faults().clear();
        let left = BatchGetItem { tables: unprocessed, capacity: CapacityDetail::None };
        let outcome = backend.batch_get_item(left).await.unwrap();
        assert_eq!(outcome.unprocessed, BTreeMap::new());
    }
    assert_eq!(found(&embedded, "b", 1).await, None);
}

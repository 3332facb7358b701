//! What happens between two requests of one operation: others write, and the service fails.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use monotable::backend::{
    Answer, BackendError, BatchGetItem, BatchGetItemOutcome, BatchWriteItem, BatchWriteItemOutcome,
    CreateTable, DeleteItem, DeleteTable, DescribeTable, ErrorKind, GetItem, GetItemOutcome,
    PageOutcome, Pause, PutItem, Query, Scan, TableDescription, TransactGetItems,
    TransactGetItemsOutcome, TransactWriteItems, TransactWriteItemsOutcome, UpdateItem,
    UpdateTimeToLive, WriteOutcome,
};
use monotable::prelude::*;
use monotable::{Error, Item, Value};
use monotable_embedded::Embedded;

use super::shop::{self, Customer, CustomerId, Order, Shop, Status, key_of};

/// A database where another client comes in between.
struct Meanwhile {
    inner: Embedded,
    /// What another client writes just before the next update or transaction.
    puts: Mutex<Vec<PutItem>>,
    /// What another client writes just after the next read of an item.
    puts_after_read: Mutex<Vec<PutItem>>,
    /// How many batches of writes are done before one fails.
    batches: AtomicUsize,
}

impl Meanwhile {
    fn new() -> Arc<Meanwhile> {
        let batches = AtomicUsize::new(usize::MAX);
        let (puts, puts_after_read) = Default::default();
        Arc::new(Meanwhile { inner: Embedded::in_memory(), puts, puts_after_read, batches })
    }

    async fn shop(self: &Arc<Meanwhile>) -> Db<Shop> {
        let db: Db<Shop> = Db::new("shop", Arc::clone(self) as Arc<dyn Backend>);
        db.create_table().await.unwrap();
        db
    }

    /// Another client changes an attribute of a stored item just before the next write.
    async fn change(&self, key: Item, attribute: &str, value: Value) {
        let get = GetItem {
            table: "shop".into(),
            key,
            consistent: true,
            projection: None,
            names: Default::default(),
            capacity: Default::default(),
        };
        let mut item = self.inner.get_item(get).await.unwrap().item.unwrap();
        item.insert(attribute.to_owned(), value);
        let put = PutItem {
            table: "shop".into(),
            item,
            condition: None,
            names: Default::default(),
            values: Default::default(),
            returns: Default::default(),
            item_on_failure: false,
            capacity: Default::default(),
        };
        self.puts.lock().unwrap().push(put);
    }

    async fn let_others_write(&self) -> Result<(), BackendError> {
        let puts = std::mem::take(&mut *self.puts.lock().unwrap());
        for put in puts {
            self.inner.put_item(put).await?;
        }
        Ok(())
    }
}

macro_rules! pass_on {
    ($( $operation:ident: $request:ty => $outcome:ty; )+) => {$(
        fn $operation(&self, request: $request) -> Answer<'_, $outcome> {
            self.inner.$operation(request)
        }
    )+};
}

impl Backend for Meanwhile {
    pass_on! {
        put_item: PutItem => WriteOutcome;
        delete_item: DeleteItem => WriteOutcome;
        query: Query => PageOutcome;
        scan: Scan => PageOutcome;
        batch_get_item: BatchGetItem => BatchGetItemOutcome;
        transact_get_items: TransactGetItems => TransactGetItemsOutcome;
        create_table: CreateTable => TableDescription;
        describe_table: DescribeTable => TableDescription;
        delete_table: DeleteTable => TableDescription;
        update_time_to_live: UpdateTimeToLive => ();
    }

    fn get_item(&self, request: GetItem) -> Answer<'_, GetItemOutcome> {
        Box::pin(async move {
            let read = self.inner.get_item(request).await?;
            let puts = std::mem::take(&mut *self.puts_after_read.lock().unwrap());
            for put in puts {
                self.inner.put_item(put).await?;
            }
            Ok(read)
        })
    }

    fn update_item(&self, request: UpdateItem) -> Answer<'_, WriteOutcome> {
        Box::pin(async move {
            self.let_others_write().await?;
            self.inner.update_item(request).await
        })
    }

    fn transact_write_items(
        &self,
        request: TransactWriteItems,
    ) -> Answer<'_, TransactWriteItemsOutcome> {
        Box::pin(async move {
            self.let_others_write().await?;
            self.inner.transact_write_items(request).await
        })
    }

    fn batch_write_item(&self, request: BatchWriteItem) -> Answer<'_, BatchWriteItemOutcome> {
        if self.batches.fetch_sub(1, Ordering::Relaxed) > 0 {
            return self.inner.batch_write_item(request);
        }
        Box::pin(std::future::ready(Err(unavailable())))
    }

    fn now(&self) -> SystemTime {
        self.inner.now()
    }

    fn pause(&self, attempt: u32) -> Pause<'_> {
        self.inner.pause(attempt)
    }
}

fn unavailable() -> BackendError {
    BackendError {
        kind: ErrorKind::Unavailable,
        code: "ServiceUnavailable".to_owned(),
        message: "no".to_owned(),
    }
}

#[tokio::test]
async fn keys_are_computed_again_from_an_item_that_changed_meanwhile() {
    let backend = Meanwhile::new();
    let db = backend.shop().await;
    let order = db.create(&shop::order("c1", "o1", "2026-01-02T00:00:00Z")).await.unwrap();
    let key = key_of(&order).to_item().unwrap();
    // Without its keys, as if it had been stored before there was the index.
    backend.change(key.clone(), "gsi1pk", Value::from("")).await;
    let mut put = backend.puts.lock().unwrap().remove(0);
    put.item.retain(|name, _| !name.starts_with("gsi"));
    backend.inner.put_item(put).await.unwrap();
    assert_eq!(db.query(Order::by_status(Status::Open)).count().await.unwrap(), 0);

    backend.change(key, "status", Value::from("paid")).await;
    let found = db.rekey(key_of(&order)).await.unwrap().expect("it is there");
    assert_eq!(found.status, Status::Paid);
    assert_eq!(db.query(Order::by_status(Status::Open)).count().await.unwrap(), 0);
    assert_eq!(db.query(Order::by_day(order.placed_at)).count().await.unwrap(), 1);
}

#[tokio::test]
async fn a_refused_delete_shows_the_item_as_it_was_when_it_was_refused() {
    let backend = Meanwhile::new();
    let db = backend.shop().await;
    let order =
        Order { number: Some("n1".to_owned()), ..shop::order("c1", "o1", "2026-01-02T00:00:00Z") };
    let order = db.create(&order).await.unwrap();
    backend.change(key_of(&order).to_item().unwrap(), "total", Value::from(7)).await;
    let refused = db.delete(key_of(&order)).when(Order::TOTAL.is(100_u64)).await;
    let current = Order { total: 7, ..order };
    assert_eq!(refused, Err(WriteError::NotMet { current: Some(current) }));
}

#[tokio::test]
async fn an_owner_that_is_back_meanwhile_keeps_its_unique_value() {
    let backend = Meanwhile::new();
    let db = backend.shop().await;
    let numbered = |id: &str| Order {
        number: Some("n1".to_owned()),
        ..shop::order("c1", id, "2026-01-02T00:00:00Z")
    };
    let first = db.create(&numbered("o1")).await.unwrap();
    let key = key_of(&first).to_item().unwrap();
    // The item is removed by hand, and comes back when another has seen that it is gone.
    backend.change(key.clone(), "total", Value::from(7)).await;
    let back = backend.puts.lock().unwrap().remove(0);
    let delete = DeleteItem {
        table: "shop".into(),
        key: key.clone(),
        condition: None,
        names: Default::default(),
        values: Default::default(),
        returns: Default::default(),
        item_on_failure: false,
        capacity: Default::default(),
    };
    backend.inner.delete_item(delete).await.unwrap();
    backend.puts_after_read.lock().unwrap().push(back);

    let taken = Err(WriteError::Taken { attribute: "number", by: Some(key) });
    assert_eq!(db.create(&numbered("o2")).await, taken);
    assert!(backend.puts_after_read.lock().unwrap().is_empty(), "the owner was read");
    assert_eq!(db.create(&numbered("o2")).await, taken);
    assert_eq!(db.get(key_of(&numbered("o2"))).await.unwrap(), None);
}

#[tokio::test]
async fn a_batch_that_fails_half_way_says_what_is_left() {
    let backend = Meanwhile::new();
    let db = backend.shop().await;
    let batch = || {
        let customers = (0..60).map(|number| shop::customer(&format!("c{number:02}")));
        customers.fold(db.write_many(), |batch, customer| batch.put(&customer))
    };
    backend.batches.store(1, Ordering::Relaxed);
    match batch().await {
        Err(Error::Interrupted { remainder, error }) => {
            assert_eq!((remainder.len(), error), (35, unavailable()));
        }
        other => panic!("{other:?}"),
    }
    let written = db.get(Customer::by_id(CustomerId("c24".into()))).await.unwrap();
    assert!(written.is_some(), "the first request was done");

    backend.batches.store(0, Ordering::Relaxed);
    assert_eq!(batch().await, Err(Error::Backend(unavailable())));
}

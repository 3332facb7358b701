//! What the operations do to a database.

use std::sync::Arc;

use futures_util::TryStreamExt;
use monotable::backend::Recorder;
use monotable::prelude::*;
use monotable::{DecodeFault, Error, Item, Value, assert_cost};
use monotable_embedded::Embedded;

use super::shop::{
    self, Customer, CustomerFile, CustomerId, CustomerPage, CustomerRow, Order, OrderId, Parcel,
    Shop, Status, key_of, time,
};

pub(crate) async fn shop() -> Db<Shop> {
    let db = Shop::open("shop", Embedded::in_memory());
    db.create_table().await.unwrap();
    db
}

async fn with_orders(count: usize) -> Db<Shop> {
    let db = shop().await;
    for number in 0..count {
        let placed_at = format!("2026-01-02T00:00:{number:02}Z");
        db.create(&shop::order("c1", &format!("o{number:02}"), &placed_at)).await.unwrap();
    }
    db
}

fn ids(orders: &[Order]) -> Vec<&str> {
    orders.iter().map(|order| order.id.0.as_str()).collect()
}

#[tokio::test]
async fn an_item_comes_back_as_it_was_created() {
    let db = shop().await;
    let mut order = shop::order("c#1", "o$1", "2026-01-02T00:00:00Z");
    order.note = Some("with # and $".into());
    order.tags.insert("vip".into());
    order.expires_at = Some(UnixSeconds(4_000_000_000));
    let stored = db.create(&order).await.unwrap();
    assert_eq!(Order { updated_at: order.updated_at, ..stored.clone() }, order);
    assert_eq!(db.get(key_of(&order)).consistent().await.unwrap(), Some(stored));
    let parcel = shop::parcel("p1");
    db.create(&parcel).await.unwrap();
    assert_eq!(db.get(Parcel::by_id("p1")).await.unwrap(), Some(parcel));
    assert_eq!(db.get(Parcel::by_id("p2")).await.unwrap(), None);
}

#[tokio::test]
async fn what_exists_is_not_created_again() {
    let db = shop().await;
    let customer = shop::customer("c1");
    db.create(&customer).await.unwrap();
    let other = Customer { name: "Other".into(), ..customer.clone() };
    let refused = db.create(&other).await.unwrap_err();
    assert_eq!(refused, WriteError::NotMet { current: Some(customer) });
    db.upsert(&other).await.unwrap();
    assert_eq!(db.get(Customer::by_id(CustomerId("c1".into()))).await.unwrap(), Some(other));
}

#[tokio::test]
async fn a_patch_returns_the_new_item_and_creates_none() {
    let db = shop().await;
    let order = db.create(&shop::order("c1", "o1", "2026-01-02T00:00:00Z")).await.unwrap();
    let patched = db
        .patch(key_of(&order))
        .total(add(50_u64))
        .tags(insert("vip"))
        .note("hello")
        .await
        .unwrap();
    assert_eq!((patched.total, patched.rev), (150, 2));
    assert!(patched.tags.contains("vip"));
    let cleared = db.patch(key_of(&order)).note(clear()).tags(remove("vip")).await.unwrap();
    assert_eq!(cleared.note, None);
    assert!(cleared.tags.is_empty());

    let absent = shop::order("c1", "o2", "2026-01-02T00:00:00Z");
    let refused = db.patch(key_of(&absent)).total(1_u64).await.unwrap_err();
    assert_eq!(refused, WriteError::NotMet { current: None });
    assert_eq!(db.get(key_of(&absent)).await.unwrap(), None);
}

#[tokio::test]
async fn a_condition_that_fails_changes_nothing_and_shows_the_item() {
    let db = shop().await;
    let order = db.create(&shop::order("c1", "o1", "2026-01-02T00:00:00Z")).await.unwrap();
    let refused =
        db.patch(key_of(&order)).total(1_u64).when(Order::TOTAL.gt(500_u64)).await.unwrap_err();
    assert_eq!(refused, WriteError::NotMet { current: Some(order.clone()) });
    assert!(db.delete(key_of(&order)).if_rev(9).await.is_err());
    assert_eq!(db.get(key_of(&order)).await.unwrap(), Some(order.clone()));
    assert_eq!(db.delete(key_of(&order)).if_rev(1).await.unwrap(), Some(order.clone()));
    assert_eq!(db.get(key_of(&order)).await.unwrap(), None);
    assert_eq!(db.delete(key_of(&order)).await.unwrap(), None);
}

#[tokio::test]
async fn a_unique_value_is_taken_swapped_and_given_free_with_its_item() {
    let db = shop().await;
    let number = |text: &str| Some(text.to_owned());
    let first = Order { number: number("n1"), ..shop::order("c1", "o1", "2026-01-02T00:00:00Z") };
    let second = Order { number: number("n1"), id: OrderId("o2".into()), ..first.clone() };
    db.create(&first).await.unwrap();
    match db.create(&second).await {
        Err(WriteError::Taken { attribute: "number", by: Some(owner) }) => {
            assert_eq!(owner, key_of(&first).to_item().unwrap());
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(db.get(key_of(&second)).await.unwrap(), None);

    let swapped = db.patch(key_of(&first)).number_from(number("n1"), number("n2")).await.unwrap();
    assert_eq!(swapped.number, number("n2"));
    db.create(&second).await.unwrap();
    let taken = db.patch(key_of(&first)).number_from(number("n2"), number("n1")).await;
    assert!(matches!(taken, Err(WriteError::Taken { attribute: "number", .. })), "{taken:?}");
    db.delete(key_of(&second)).await.unwrap();
    db.patch(key_of(&first)).number_from(number("n2"), number("n1")).await.unwrap();
}

#[tokio::test]
async fn a_page_of_exactly_so_many_reads_on_past_a_filter() {
    let db = with_orders(12).await;
    for number in [3_usize, 7, 11] {
        let placed_at = format!("2026-01-02T00:00:{number:02}Z");
        let order = shop::order("c1", &format!("o{number:02}"), &placed_at);
        db.patch(key_of(&order)).total(900_u64).await.unwrap();
    }
    let orders = || Order::by_customer(CustomerId("c1".into()));
    let dear = Order::TOTAL.gt(500_u64);
    let page = db.query(orders()).filter(dear.clone()).exactly(2).await.unwrap();
    assert_eq!(ids(page.rows()), ["o03", "o07"]);
    let next = page.next().expect("there may be more");
    let rest = db.query(orders()).filter(dear.clone()).after(next).exactly(2).await.unwrap();
    assert_eq!(ids(rest.rows()), ["o11"]);
    assert_eq!(db.query(orders()).filter(dear).count().await.unwrap(), 3);
}

#[tokio::test]
async fn cursors_lead_on_and_back_in_both_orders() {
    let db = with_orders(7).await;
    let orders = || Order::by_customer(CustomerId("c1".into()));
    for descending in [false, true] {
        let query = || if descending { db.query(orders()).desc() } else { db.query(orders()) };
        let all = query().all().await.unwrap();
        let first = query().exactly(3).await.unwrap();
        assert_eq!(first.rows(), &all[..3]);
        assert!(first.previous().is_none());
        let second = query().exactly(3).after(first.next().unwrap()).await.unwrap();
        assert_eq!(second.rows(), &all[3..6]);
        let back = query().exactly(3).before(second.previous().unwrap()).await.unwrap();
        assert_eq!(back.rows(), &all[..3]);
        let again = query().exactly(3).after(back.next().unwrap()).await.unwrap();
        assert_eq!(again.rows(), &all[3..6]);
    }
}

#[tokio::test]
async fn a_sealed_cursor_is_refused_where_it_does_not_belong() {
    let db = with_orders(3).await;
    let orders = |customer: &str| Order::by_customer(CustomerId(customer.into()));
    let page = db.query(orders("c1")).exactly(1).await.unwrap();
    let sealed = page.next().unwrap().seal(b"secret");
    let opened = Cursor::<shop::order::ByCustomer>::open(&sealed, b"secret").unwrap();
    let next = db.query(orders("c1")).exactly(1).after(opened.clone()).await.unwrap();
    assert_eq!(ids(next.rows()), ["o01"]);
    assert!(Cursor::<shop::order::ByCustomer>::open(&sealed, b"other").is_err());
    assert!(Cursor::<shop::order::ByStatus>::open(&sealed, b"secret").is_err());
    let mut forged = sealed.into_bytes();
    forged[20] ^= 1;
    let forged = String::from_utf8_lossy(&forged).into_owned();
    assert!(Cursor::<shop::order::ByCustomer>::open(&forged, b"secret").is_err());
    assert!(db.query(orders("c2")).after(opened).await.is_err(), "another partition");
}

#[tokio::test]
async fn shards_are_read_as_one_in_order_with_one_cursor() {
    let db = with_orders(12).await;
    let day = || Order::by_day(time("2026-01-02T12:00:00Z"));
    let all = db.query(day()).all().await.unwrap();
    let sorted: Vec<String> = (0..12).map(|number| format!("o{number:02}")).collect();
    assert_eq!(all.iter().map(|row| row.id.0.clone()).collect::<Vec<_>>(), sorted);

    let mut seen = Vec::new();
    let mut cursor = None;
    loop {
        let query = db.query(day()).desc().exactly(5);
        let page = match cursor.take() {
            Some(cursor) => query.after(cursor).await.unwrap(),
            None => query.await.unwrap(),
        };
        seen.extend(page.rows().iter().map(|row| row.id.0.clone()));
        match page.next() {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    seen.reverse();
    assert_eq!(seen, sorted);
}

#[tokio::test]
async fn a_narrow_index_gives_narrow_rows_and_hydrates_them() {
    let db = with_orders(3).await;
    let day = || Order::by_day(time("2026-01-02T12:00:00Z"));
    let rows = db.query(day()).all().await.unwrap();
    assert_eq!(rows[0].total, 100);
    assert_eq!(rows[0].customer_id, CustomerId("c1".into()), "read from the key");
    let whole = db.query(day()).hydrate().await.unwrap();
    assert_eq!(ids(&whole), ["o00", "o01", "o02"]);
}

#[tokio::test]
async fn an_index_follows_every_patch() {
    let db = shop().await;
    let order = db.create(&shop::order("c1", "o1", "2026-01-02T00:00:00Z")).await.unwrap();
    let open = || db.query(Order::by_status(Status::Open)).all();
    assert_eq!(open().await.unwrap().len(), 1);
    db.patch(key_of(&order)).status(Status::Paid).await.unwrap();
    assert_eq!(open().await.unwrap().len(), 0);
    db.patch(key_of(&order)).status(Status::Open).await.unwrap();
    assert_eq!(open().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_collection_comes_back_typed_and_as_a_stream() {
    let db = with_orders(2).await;
    db.create(&shop::customer("c1")).await.unwrap();
    let all = CustomerRow::of(CustomerId("c1".into()));
    let rows: Vec<CustomerRow> = db.query(all).limit(1).stream().try_collect().await.unwrap();
    let kinds: Vec<&str> = rows
        .iter()
        .map(|row| match row {
            CustomerRow::Order(_) => "order",
            CustomerRow::Customer(_) => "customer",
        })
        .collect();
    assert_eq!(kinds, ["order", "order", "customer"]);
}

#[tokio::test]
async fn a_partition_is_gathered_into_a_struct() {
    let db = with_orders(4).await;
    let rows = || CustomerRow::of(CustomerId("c1".into()));
    let file: CustomerFile = db.gather(rows()).await.unwrap();
    assert_eq!((file.customer, file.orders.len()), (None, 4));
    let missing = db.gather::<CustomerPage>(rows()).await.unwrap_err();
    assert!(missing.to_string().contains("customer is missing"), "{missing}");
    let customer = db.create(&shop::customer("c1")).await.unwrap();
    let page: CustomerPage = db.gather(rows()).await.unwrap();
    assert_eq!(page.customer, customer);
    assert_eq!(ids(&page.latest), ["o03", "o02"]);
}

#[tokio::test]
async fn a_foreign_item_and_a_missing_attribute_are_reported_with_their_key() {
    let db = shop().await;
    let order = db.create(&shop::order("c1", "o1", "2026-01-02T00:00:00Z")).await.unwrap();
    let mut item: Item = key_of(&order).to_item().unwrap();
    item.insert("_t".into(), Value::from("Invoice"));
    let put = monotable::backend::PutItem {
        table: "shop".into(),
        item,
        condition: None,
        names: Default::default(),
        values: Default::default(),
        returns: Default::default(),
        item_on_failure: false,
        capacity: Default::default(),
    };
    db.backend().put_item(put.clone()).await.unwrap();
    let error = db.query(Order::by_customer(&order.customer_id)).await.err().unwrap();
    let Error::Decode(error) = error else { panic!("{error:?}") };
    assert_eq!(error.fault, DecodeFault::Foreign { found: Some("Invoice".into()) });
    assert!(error.to_string().contains("pk=CUST#c1"), "{error}");

    let mut partial = put;
    partial.item.insert("_t".into(), Value::from("Order"));
    db.backend().put_item(partial).await.unwrap();
    match db.get(key_of(&order)).await {
        Err(Error::Decode(error)) => {
            assert_eq!(error.fault, DecodeFault::Missing { attribute: "customer_id" })
        }
        other => panic!("{other:?}"),
    }
}

#[derive(Debug, PartialEq)]
enum Refused {
    Blocked,
    TooDear,
}

#[tokio::test]
async fn a_transaction_says_which_step_was_refused_and_why() {
    let db = shop().await;
    let customer = db.create(&shop::customer("c1")).await.unwrap();
    let order = db.create(&shop::order("c1", "o1", "2026-01-02T00:00:00Z")).await.unwrap();
    let parcel = shop::parcel("p1");
    let attempt = |limit: u64| {
        db.transaction::<Refused>()
            .create(&parcel)
            .check(&Customer::by_id(&customer.id), Customer::BLOCKED.is(false))
            .or(Refused::Blocked)
            .patch(patch(key_of(&order)).total(add(1_u64)).when(Order::TOTAL.lt(limit)))
            .or(Refused::TooDear)
    };
    match attempt(10).await {
        Err(monotable::db::TransactError::Refused(refusal)) => {
            assert_eq!((refusal.at, &refusal.error), (2, &Some(Refused::TooDear)));
            assert_eq!(refusal.current::<Order>(), Some(order.clone()));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(db.get(Parcel::by_id("p1")).await.unwrap(), None);
    attempt(1000).await.unwrap();
    assert_eq!(db.get(key_of(&order)).await.unwrap().unwrap().total, 101);
    assert_eq!(db.get(Parcel::by_id("p1")).await.unwrap(), Some(parcel.clone()));
}

#[tokio::test]
async fn batches_are_cut_into_requests_and_answer_in_order() {
    let db = shop().await;
    let mut batch = db.write_many();
    for number in 0..60 {
        batch = batch.put(&shop::customer(&format!("c{number:03}")));
    }
    assert_eq!(batch.await.unwrap().remainder, []);
    let keys = (0..120).rev().map(|number| Customer::by_id(CustomerId(format!("c{number:03}"))));
    let gotten = db.get_many(keys).await.unwrap();
    assert!(gotten.remainder.is_empty());
    assert_eq!(gotten.found.len(), 120);
    assert!(gotten.found[..60].iter().all(Option::is_none));
    assert_eq!(gotten.found[119].as_ref().unwrap().id.0, "c000");
}

#[tokio::test]
async fn the_cost_of_a_block_can_be_asserted() {
    let db = shop().await;
    let customer = shop::customer("c1");
    assert_cost!(db, 1.0 WCU, { db.upsert(&customer).await.unwrap() });
    let read = assert_cost!(db, 0.5 RCU, {
        db.get(Customer::by_id(&customer.id)).await.unwrap()
    });
    assert_eq!(read, Some(customer));
}

#[tokio::test]
async fn an_item_without_its_table_is_an_error_of_the_database() {
    let db = Shop::open("nowhere", Embedded::in_memory());
    let error = db.get(Parcel::by_id("p1")).await.unwrap_err();
    let Error::Backend(error) = error else { panic!("{error:?}") };
    assert_eq!(error.kind, monotable::backend::ErrorKind::NotFound);
}

#[tokio::test]
async fn requests_pass_a_recorder_unchanged() {
    let embedded = Embedded::in_memory();
    let recorder = Arc::new(Recorder::wrap(embedded));
    let db: Db<Shop> = Db::new("shop", Arc::clone(&recorder) as Arc<dyn Backend>);
    db.create_table().await.unwrap();
    db.upsert(&shop::customer("c1")).await.unwrap();
    assert!(recorder.take().len() >= 2);
    assert!(db.get(Customer::by_id(CustomerId("c1".into()))).await.unwrap().is_some());
}

//! Reading all shards of a pattern: in one order, from where a cursor says, and nothing twice.

use std::sync::Arc;

use futures_util::TryStreamExt;
use monotable::backend::{Recorder, Request};
use monotable::prelude::*;
use monotable::{CursorError, assert_cost};
use monotable_embedded::Embedded;

use super::shop::{self, CustomerId, Order, Shop, time};

/// More than a page of every shard.
const ORDERS: usize = 480;

/// A shop with orders of one day in four shards.
async fn with_orders(recorder: &Arc<Recorder>) -> Db<Shop> {
    let db: Db<Shop> = Db::new("shop", Arc::clone(recorder) as Arc<dyn Backend>);
    db.create_table().await.unwrap();
    for number in 0..ORDERS {
        let placed_at = format!("2026-01-02T00:{:02}:{:02}Z", number / 60, number % 60);
        db.create(&shop::order("c1", &format!("o{number:03}"), &placed_at)).await.unwrap();
    }
    recorder.take();
    db
}

fn recorder() -> Arc<Recorder> {
    Arc::new(Recorder::wrap(Embedded::in_memory()))
}

fn day() -> shop::order::ByDayPartition {
    Order::by_day(time("2026-01-02T12:00:00Z"))
}

fn expected() -> Vec<String> {
    (0..ORDERS).map(|number| format!("o{number:03}")).collect()
}

#[tokio::test]
async fn all_shards_are_read_once() {
    let db = with_orders(&recorder()).await;
    // An entry of the index is about 130 bytes, and a shard holds about 120 of them.
    let rows = assert_cost!(db, 8.0 RCU, { db.query(day()).all().await.unwrap() });
    let ids: Vec<String> = rows.into_iter().map(|row| row.id.0).collect();
    assert_eq!(ids, expected());
    assert_cost!(db, 8.0 RCU, { db.query(day()).count().await.unwrap() });
}

#[tokio::test]
async fn a_stream_keeps_what_it_has_read_of_a_shard_until_it_is_its_turn() {
    let recorder = recorder();
    let db = with_orders(&recorder).await;
    let rows: Vec<_> = db.query(day()).desc().limit(20).stream().try_collect().await.unwrap();
    let mut ids: Vec<String> = rows.into_iter().map(|row| row.id.0).collect();
    ids.reverse();
    assert_eq!(ids, expected());
    // Each item once, in requests of 20 and at most one more for each shard.
    let requests = recorder.take().len();
    assert!((24..=24 + 2 * 4).contains(&requests), "{requests}");
}

#[tokio::test]
async fn a_stream_reads_no_more_than_is_taken_of_it() {
    let recorder = recorder();
    let db = with_orders(&recorder).await;
    let mut rows = std::pin::pin!(db.query(day()).limit(20).stream());
    for _ in 0..5 {
        rows.try_next().await.unwrap();
    }
    assert_eq!(recorder.take().len(), 4);
}

#[tokio::test]
async fn what_comes_after_a_cursor_is_read_counted_and_streamed() {
    let db = with_orders(&recorder()).await;
    let page = db.query(day()).exactly(100).await.unwrap();
    let cursor = page.next().unwrap();
    let after = || db.query(day()).after(cursor.clone());
    assert_eq!(after().count().await.unwrap(), 380);
    let ids = |rows: Vec<shop::order::ByDayRow>| -> Vec<String> {
        rows.into_iter().map(|row| row.id.0).collect()
    };
    assert_eq!(ids(after().all().await.unwrap()), expected()[100..]);
    assert_eq!(ids(after().stream().try_collect().await.unwrap()), expected()[100..]);
    assert!(db.query(day()).before(cursor).count().await.is_err());
}

#[tokio::test]
async fn a_cursor_goes_on_in_the_same_shards_and_in_the_same_direction() {
    let db = with_orders(&recorder()).await;
    let cursor = db.query(day()).exactly(100).await.unwrap().next().unwrap();
    let sealed = Cursor::open(&cursor.seal(b"secret"), b"secret").unwrap();
    assert_eq!(db.query(day()).after(sealed).count().await.unwrap(), 380);

    let other = || db.query(Order::by_day(time("2026-01-03T12:00:00Z")));
    let refused = Err(Error::Cursor(CursorError::OtherPartition));
    assert_eq!(other().after(cursor.clone()).count().await, refused);
    let sealed = Cursor::open(&cursor.seal(b"secret"), b"secret").unwrap();
    assert_eq!(other().after(sealed).count().await, refused);

    let refused = db.query(day()).desc().after(cursor).count().await;
    assert_eq!(refused, Err(Error::Cursor(CursorError::OtherDirection)));
}

#[tokio::test]
async fn both_sides_of_a_cursor_are_all_that_there_is() {
    let db = with_orders(&recorder()).await;
    for descending in [false, true] {
        let query = || {
            let query = db.query(Order::by_customer(CustomerId("c1".into())));
            if descending { query.desc() } else { query }
        };
        let all = query().all().await.unwrap();
        let cursor = query().exactly(100).await.unwrap().next().unwrap();
        assert_eq!(query().after(cursor.clone()).all().await.unwrap(), all[100..]);
        assert_eq!(query().after(cursor.clone()).count().await.unwrap(), 380);
        // The item of the cursor itself is on neither side.
        assert_eq!(query().before(cursor.clone()).all().await.unwrap(), all[..99]);
        assert_eq!(query().before(cursor.clone()).count().await.unwrap(), 99);
        let before: Vec<Order> = query().before(cursor).stream().try_collect().await.unwrap();
        assert_eq!(before, all[..99]);
    }
}

#[tokio::test]
async fn whole_items_are_those_of_the_page_that_was_asked_for() {
    let recorder = recorder();
    let db = with_orders(&recorder).await;
    let first = db.query(day()).exactly(3).hydrate().await.unwrap();
    assert_eq!(
        first.iter().map(|it| it.id.0.as_str()).collect::<Vec<_>>(),
        ["o000", "o001", "o002"]
    );
    let keys = recorder.take().into_iter().find_map(|request| match request {
        Request::BatchGetItem(request) => Some(request.tables["shop"].keys.len()),
        _ => None,
    });
    assert_eq!(keys, Some(3));
    assert_eq!(db.query(day()).limit(5).hydrate().await.unwrap().len(), 5);
    assert_eq!(db.query(day()).hydrate().await.unwrap().len(), ORDERS);
}

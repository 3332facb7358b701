//! Operations on tables.

use std::time::{Duration, SystemTime};

use monotable::backend::{
    Billing, CreateTable, DeleteTable, DescribeTable, ErrorKind, StreamView, TableStatus,
    UpdateTimeToLive,
};

use monotable::prelude::*;
use monotable_embedded::Embedded;

use crate::fixture::{items_table, key, on_all, put, table};

#[tokio::test]
async fn a_table_is_described_as_it_was_made() {
    on_all(async |backend| {
        let made = items_table();
        backend.put_item(put(key("a", 1))).await.unwrap();
        let table = backend.describe_table(DescribeTable { table: table() }).await.unwrap();
        assert_eq!((&*table.table, table.status), ("items", TableStatus::Active));
        assert_eq!((table.key, table.indexes), (made.key, made.indexes));
        let sorted = |mut attributes: Vec<(String, monotable_item::Type)>| {
            attributes.sort();
            attributes
        };
        assert_eq!(sorted(table.attributes), sorted(made.attributes));
        assert_eq!(table.item_count, 1);
    })
    .await;
}

#[tokio::test]
async fn a_provisioned_table_with_a_stream_is_made_and_removed() {
    on_all(async |backend| {
        let other = CreateTable {
            table: "other".into(),
            billing: Billing::Provisioned { read_units: 5, write_units: 5 },
            stream: Some(StreamView::NewAndOldImages),
            ..items_table()
        };
        backend.create_table(other.clone()).await.unwrap();
        let error = backend.create_table(other.clone()).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::InUse, "{error}");
        let removed = backend.delete_table(DeleteTable { table: "other".into() }).await.unwrap();
        assert_eq!(removed.table, "other");
        assert_eq!(gone(backend).await, ErrorKind::NotFound);
    })
    .await;
}

async fn gone(backend: &dyn Backend) -> ErrorKind {
    backend.describe_table(DescribeTable { table: "other".into() }).await.unwrap_err().kind
}

#[tokio::test]
async fn items_are_told_to_expire_once() {
    on_all(async |backend| {
        let request =
            UpdateTimeToLive { table: table(), attribute: "expires".to_owned(), enabled: true };
        backend.update_time_to_live(request.clone()).await.unwrap();
        let error = backend.update_time_to_live(request).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Validation);
        assert_eq!(error.message, "TimeToLive is already enabled");
    })
    .await;
}

#[derive(Table)]
#[table(pk = "pk")]
struct Slow;

#[tokio::test]
async fn the_client_waits_for_a_table_that_takes_its_time() {
    let delay = Duration::from_millis(20);
    let slow = || Embedded::builder().control_plane_delay(delay);
    let db = Slow::open("slow", slow().in_memory());
    db.create_table().await.unwrap();

    // Nobody moves this clock while the client waits.
    let embedded = slow().clock_at(SystemTime::UNIX_EPOCH).in_memory();
    let db = Slow::open("slow", embedded.clone());
    let refused = db.create_table().await;
    assert_eq!(refused, Err(Error::TableUnusable { table: "slow".to_owned() }));
    embedded.clock().advance(delay).await.unwrap();
    let table = DescribeTable { table: "slow".into() };
    assert_eq!(embedded.describe_table(table).await.unwrap().status, TableStatus::Active);
}

//! Operations on tables.

use monotable::backend::{
    Backend, Billing, CreateTable, DeleteTable, DescribeTable, ErrorKind, StreamView, TableStatus,
    UpdateTimeToLive,
};

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

//! Batches of reads and writes.

use aws_sdk_dynamodb::types::{DeleteRequest, KeysAndAttributes, PutRequest, WriteRequest};

use crate::fixture::{Fixture, key, sort_keys};

fn put(sk: u32) -> WriteRequest {
    let put = PutRequest::builder().set_item(Some(key("a", sk))).build().unwrap();
    WriteRequest::builder().put_request(put).build()
}

fn delete(sk: u32) -> WriteRequest {
    let delete = DeleteRequest::builder().set_key(Some(key("a", sk))).build().unwrap();
    WriteRequest::builder().delete_request(delete).build()
}

#[tokio::test]
async fn puts_and_deletes_go_in_one_batch_and_are_read_in_another() {
    let fixture = Fixture::with_table().await;
    let first = (0..25).map(put).collect();
    let response =
        fixture.client.batch_write_item().request_items("items", first).send().await.unwrap();
    assert!(response.unprocessed_items.unwrap().is_empty());
    let second = (0..20).map(delete).chain([put(30)]).collect();
    fixture.client.batch_write_item().request_items("items", second).send().await.unwrap();

    let keys = (0..31).map(|sk| key("a", sk)).collect();
    let wanted =
        KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(true).build().unwrap();
    let response =
        fixture.client.batch_get_item().request_items("items", wanted).send().await.unwrap();
    let mut found = sort_keys(&response.responses.unwrap()["items"]);
    found.sort_unstable();
    assert_eq!(found, [20, 21, 22, 23, 24, 30]);
    assert!(response.unprocessed_keys.unwrap().is_empty());
}

//! Several items are written together or not at all.

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{Put, TransactWriteItem};

use crate::fixture::{get, key, put, with_table};

fn put_of(pk: &str, condition: Option<&str>) -> TransactWriteItem {
    let put = Put::builder().table_name("items").set_item(Some(key(pk, 1)));
    let put = put.set_condition_expression(condition.map(str::to_owned)).build().unwrap();
    TransactWriteItem::builder().put(put).build()
}

#[tokio::test]
async fn a_transaction_writes_all_of_its_items() {
    let (_, client) = with_table().await;
    let request = client.transact_write_items();
    let request = request.transact_items(put_of("a", None)).transact_items(put_of("b", None));
    request.send().await.unwrap();
    assert!(get(&client, "a", 1).await.is_some() && get(&client, "b", 1).await.is_some());
}

#[tokio::test]
async fn a_cancelled_transaction_says_why_and_writes_nothing() {
    let (_, client) = with_table().await;
    put(&client, "b", 1).await;
    let request = client.transact_write_items().transact_items(put_of("a", None));
    let request = request.transact_items(put_of("b", Some("attribute_not_exists(pk)")));
    let error = request.send().await.unwrap_err().into_service_error();
    let TransactWriteItemsError::TransactionCanceledException(cancelled) = error else {
        panic!("another error: {error:?}");
    };
    let reasons = cancelled.cancellation_reasons();
    let codes: Vec<_> = reasons.iter().map(|reason| reason.code().unwrap_or_default()).collect();
    assert_eq!(codes, ["None", "ConditionalCheckFailed"]);
    assert_eq!(get(&client, "a", 1).await, None);
}

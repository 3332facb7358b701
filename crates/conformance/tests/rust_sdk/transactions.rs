//! Transactions: all or nothing, the reasons of a cancellation, tokens, and reads of one moment.

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, Get, Put, ReturnValuesOnConditionCheckFailure, TransactGetItem,
    TransactWriteItem, Update,
};

use crate::fixture::{Fixture, key, number};

fn put_new(sk: u32) -> TransactWriteItem {
    let put = Put::builder()
        .table_name("items")
        .set_item(Some(key("a", sk)))
        .condition_expression("attribute_not_exists(pk)")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .build()
        .unwrap();
    TransactWriteItem::builder().put(put).build()
}

fn add(sk: u32, amount: i32) -> TransactWriteItem {
    let update = Update::builder()
        .table_name("items")
        .set_key(Some(key("a", sk)))
        .update_expression("ADD n :n")
        .expression_attribute_values(":n", number(amount))
        .build()
        .unwrap();
    TransactWriteItem::builder().update(update).build()
}

fn delete(sk: u32) -> TransactWriteItem {
    let delete = Delete::builder().table_name("items").set_key(Some(key("a", sk))).build().unwrap();
    TransactWriteItem::builder().delete(delete).build()
}

fn check(sk: u32) -> TransactWriteItem {
    let check = ConditionCheck::builder()
        .table_name("items")
        .set_key(Some(key("a", sk)))
        .condition_expression("attribute_exists(n)")
        .build()
        .unwrap();
    TransactWriteItem::builder().condition_check(check).build()
}

fn get(sk: u32) -> TransactGetItem {
    let get = Get::builder().table_name("items").set_key(Some(key("a", sk))).build().unwrap();
    TransactGetItem::builder().get(get).build()
}

async fn numbers(fixture: &Fixture, sks: &[u32]) -> Vec<Option<String>> {
    let gets = sks.iter().map(|sk| get(*sk)).collect();
    let response =
        fixture.client.transact_get_items().set_transact_items(Some(gets)).send().await.unwrap();
    let responses = response.responses.unwrap();
    responses.into_iter().map(|found| Some(found.item?.get("n")?.as_n().unwrap().clone())).collect()
}

#[tokio::test]
async fn the_four_kinds_of_action_happen_together() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 3).await;
    let actions = vec![put_new(9), add(0, 5), delete(1), check(2)];
    fixture.client.transact_write_items().set_transact_items(Some(actions)).send().await.unwrap();
    let expected = [Some("5".to_owned()), None, Some("20".to_owned()), None];
    assert_eq!(numbers(&fixture, &[0, 1, 2, 9]).await, expected);
    assert_eq!(fixture.client.scan().table_name("items").send().await.unwrap().count, 3);
}

#[tokio::test]
async fn a_cancelled_transaction_changes_nothing_and_says_why() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 1).await;
    let actions = vec![add(5, 1), put_new(0), delete(7)];
    let request = fixture.client.transact_write_items().set_transact_items(Some(actions));
    let error = request.send().await.unwrap_err().into_service_error();
    let TransactWriteItemsError::TransactionCanceledException(cancelled) = error else {
        panic!("{error}")
    };
    let reasons = cancelled.cancellation_reasons.unwrap();
    let codes: Vec<_> = reasons.iter().map(|reason| reason.code().unwrap()).collect();
    assert_eq!(codes, ["None", "ConditionalCheckFailed", "None"]);
    assert_eq!(reasons[1].item().unwrap()["n"], number(0));
    assert_eq!(numbers(&fixture, &[5]).await, [None]);
}

#[tokio::test]
async fn a_transaction_with_the_same_token_happens_once() {
    let fixture = Fixture::with_table().await;
    let send = |amount| {
        let request = fixture.client.transact_write_items().client_request_token("token");
        request.transact_items(add(0, amount)).send()
    };
    for _ in 0..3 {
        send(1).await.unwrap();
    }
    assert_eq!(numbers(&fixture, &[0]).await, [Some("1".to_owned())]);
    let error = send(2).await.unwrap_err().into_service_error();
    assert!(error.is_idempotent_parameter_mismatch_exception());
}

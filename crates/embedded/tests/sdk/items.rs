//! Items are written, read, changed and removed.

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::operation::RequestId;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue, ReturnValuesOnConditionCheckFailure};

use crate::fixture::{get, key, number, put, string, with_table};

#[tokio::test]
async fn an_item_of_every_type_comes_back_as_it_was_written() {
    let (_, client) = with_table().await;
    let texts = |members: &[&str]| members.iter().map(|text| (*text).to_owned()).collect();
    let mut item = key("a", 1);
    item.extend([
        ("s".to_owned(), string("né\n\"")),
        ("n".to_owned(), number("-12.5")),
        ("b".to_owned(), AttributeValue::B(Blob::new([0, 255]))),
        ("bool".to_owned(), AttributeValue::Bool(true)),
        ("null".to_owned(), AttributeValue::Null(true)),
        ("l".to_owned(), AttributeValue::L(vec![number(1), string("x")])),
        ("m".to_owned(), AttributeValue::M(key("inside", 2))),
        ("ss".to_owned(), AttributeValue::Ss(texts(&["a", "b"]))),
        ("ns".to_owned(), AttributeValue::Ns(texts(&["1", "2"]))),
        ("bs".to_owned(), AttributeValue::Bs(vec![Blob::new([1])])),
    ]);
    client.put_item().table_name("items").set_item(Some(item.clone())).send().await.unwrap();
    assert_eq!(get(&client, "a", 1).await, Some(item));
}

#[tokio::test]
async fn an_item_is_changed_and_removed() {
    let (_, client) = with_table().await;
    let update = client.update_item().table_name("items").set_key(Some(key("a", 1)));
    let update =
        update.update_expression("SET n = :n").expression_attribute_values(":n", number(7));
    let updated = update.return_values(ReturnValue::AllNew).send().await.unwrap();
    assert_eq!(updated.attributes.unwrap()["n"], number(7));
    let delete = client.delete_item().table_name("items").set_key(Some(key("a", 1)));
    let deleted = delete.return_values(ReturnValue::AllOld).send().await.unwrap();
    assert_eq!(deleted.attributes.unwrap()["n"], number(7));
    assert_eq!(get(&client, "a", 1).await, None);
}

#[tokio::test]
async fn a_failed_condition_carries_the_item() {
    let (_, client) = with_table().await;
    put(&client, "a", 1).await;
    let request = client.put_item().table_name("items").set_item(Some(key("a", 1)));
    let request = request.condition_expression("attribute_not_exists(pk)");
    let returned = ReturnValuesOnConditionCheckFailure::AllOld;
    let error = request.return_values_on_condition_check_failure(returned).send().await;
    let error = error.unwrap_err().into_service_error();
    assert!(error.is_conditional_check_failed_exception(), "{error:?}");
    let aws_sdk_dynamodb::operation::put_item::PutItemError::ConditionalCheckFailedException(
        failed,
    ) = error
    else {
        panic!("another error");
    };
    assert_eq!(failed.item, Some(key("a", 1)));
}

/// The words are those of AWS, because the checks are the server's.
#[tokio::test]
async fn a_wrong_request_is_refused_in_dynamodbs_words() {
    let (_, client) = with_table().await;
    let request = client.put_item().table_name("items").item("pk", string("a"));
    let error = request.send().await.unwrap_err();
    assert_eq!(error.code(), Some("ValidationException"));
    let text = "One or more parameter values were invalid: Missing the key sk in the item";
    assert_eq!(error.message(), Some(text));
}

#[tokio::test]
async fn every_answer_has_a_request_id_of_its_own() {
    let (_, client) = with_table().await;
    let read = || client.get_item().table_name("items").set_key(Some(key("a", 1))).send();
    let (first, second) = (read().await.unwrap(), read().await.unwrap());
    let ids = [first.request_id().unwrap(), second.request_id().unwrap()];
    assert_eq!(ids.map(str::len), [52, 52]);
    assert_ne!(ids[0], ids[1]);
    let error = client.describe_table().table_name("none").send().await.unwrap_err();
    assert!(error.request_id().is_some());
}

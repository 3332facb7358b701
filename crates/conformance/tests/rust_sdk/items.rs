//! Single items: every type, every mode of return values.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity, ReturnValue};

use crate::fixture::{Fixture, Item, key, number, string};

fn every_type() -> Item {
    let map =
        HashMap::from([("nested".to_owned(), AttributeValue::L(vec![number(1), string("")]))]);
    let mut item = key("a", 1);
    item.extend([
        ("s".to_owned(), string("Grüße")),
        ("n".to_owned(), number("-12.5")),
        ("b".to_owned(), AttributeValue::B(Blob::new([0, 255]))),
        ("bool".to_owned(), AttributeValue::Bool(true)),
        ("null".to_owned(), AttributeValue::Null(true)),
        ("ss".to_owned(), AttributeValue::Ss(vec!["only".to_owned()])),
        ("ns".to_owned(), AttributeValue::Ns(vec!["7".to_owned()])),
        ("bs".to_owned(), AttributeValue::Bs(vec![Blob::new([1])])),
        ("m".to_owned(), AttributeValue::M(map)),
    ]);
    item
}

#[tokio::test]
async fn every_type_is_read_back_as_it_was_written() {
    let fixture = Fixture::with_table().await;
    let put = fixture.client.put_item().table_name("items");
    put.set_item(Some(every_type())).send().await.unwrap();
    let get = fixture.client.get_item().table_name("items").set_key(Some(key("a", 1)));
    assert_eq!(get.consistent_read(true).send().await.unwrap().item, Some(every_type()));
}

#[tokio::test]
async fn an_update_returns_what_was_asked_for() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 1).await;
    let mut seen = Vec::new();
    for returns in [ReturnValue::UpdatedOld, ReturnValue::UpdatedNew, ReturnValue::None] {
        let update = fixture.client.update_item().table_name("items").set_key(Some(key("a", 0)));
        let response = update
            .update_expression("ADD n :one")
            .expression_attribute_values(":one", number(1))
            .return_values(returns)
            .send()
            .await
            .unwrap();
        seen.push(response.attributes.map(|item| item["n"].clone()));
    }
    assert_eq!(seen, [Some(number(0)), Some(number(2)), None]);
}

#[tokio::test]
async fn a_put_and_a_delete_return_what_they_replace() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 1).await;
    let put = fixture.client.put_item().table_name("items").set_item(Some(key("a", 0)));
    let replaced = put.return_values(ReturnValue::AllOld).send().await.unwrap().attributes.unwrap();
    assert_eq!(replaced["n"], number(0));
    let delete = fixture.client.delete_item().table_name("items").set_key(Some(key("a", 0)));
    let deleted = delete.return_values(ReturnValue::AllOld).send().await.unwrap().attributes;
    assert_eq!(deleted, Some(key("a", 0)));
}

#[tokio::test]
async fn a_projection_and_the_capacity_are_returned() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 1).await;
    let get = fixture.client.get_item().table_name("items").set_key(Some(key("a", 0)));
    let response = get
        .projection_expression("#n")
        .expression_attribute_names("#n", "n")
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .send()
        .await
        .unwrap();
    assert_eq!(response.item, Some(HashMap::from([("n".to_owned(), number(0))])));
    assert_eq!(response.consumed_capacity.unwrap().capacity_units, Some(0.5));
}

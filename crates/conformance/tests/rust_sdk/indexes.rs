//! Queries of indexes: equal keys, several key attributes, and an index added to a table with data.

use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::types::{
    BillingMode, CreateGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate, IndexStatus,
    Projection, ProjectionType,
};

use crate::fixture::{
    Fixture, Item, definitions, index, key, key_schema, number, sort_keys, string,
};

#[tokio::test]
async fn equal_index_keys_are_paged_without_loss() {
    let fixture = Fixture::with_table().await;
    for pk in 0..12 {
        let put =
            fixture.client.put_item().table_name("items").set_item(Some(key(&pk.to_string(), 7)));
        put.item("state", string("open")).send().await.unwrap();
    }
    for forward in [true, false] {
        let query = fixture.client.query().table_name("items").index_name("by-state").limit(5);
        let pages = query
            .scan_index_forward(forward)
            .key_condition_expression("#state = :open")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":open", string("open"))
            .into_paginator()
            .items()
            .send();
        let found: Vec<Item> = pages.try_collect().await.unwrap();
        let mut names: Vec<u32> =
            found.iter().map(|item| item["pk"].as_s().unwrap().parse().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, (0..12).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn an_index_key_may_have_several_attributes() {
    let fixture = Fixture::start();
    let request = fixture.client.create_table().table_name("items");
    request
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(definitions(&[
            ("pk", "S"),
            ("sk", "N"),
            ("a", "S"),
            ("b", "N"),
        ])))
        .set_key_schema(Some(key_schema(&["pk"], &["sk"])))
        .global_secondary_indexes(index("wide", &["a", "pk"], &["b", "sk"]))
        .send()
        .await
        .unwrap();
    for sk in 0..6 {
        let put = fixture.client.put_item().table_name("items").set_item(Some(key("p", sk)));
        put.item("a", string("x")).item("b", number(sk % 2)).send().await.unwrap();
    }
    let query = fixture.client.query().table_name("items").index_name("wide");
    let page = query
        .key_condition_expression("a = :a AND pk = :p AND b = :b AND sk > :sk")
        .expression_attribute_values(":a", string("x"))
        .expression_attribute_values(":p", string("p"))
        .expression_attribute_values(":b", number(1))
        .expression_attribute_values(":sk", number(1))
        .send()
        .await
        .unwrap();
    assert_eq!(sort_keys(page.items()), [3, 5]);
}

#[tokio::test]
async fn an_index_added_to_a_table_holds_its_items() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 5).await;
    let create = CreateGlobalSecondaryIndexAction::builder()
        .index_name("by-n")
        .set_key_schema(Some(key_schema(&["n"], &[])))
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build())
        .build()
        .unwrap();
    let update = fixture.client.update_table().table_name("items");
    update
        .set_attribute_definitions(Some(definitions(&[("n", "N")])))
        .global_secondary_index_updates(
            GlobalSecondaryIndexUpdate::builder().create(create).build(),
        )
        .send()
        .await
        .unwrap();
    while index_status(&fixture, "by-n").await != IndexStatus::Active {
        tokio::task::yield_now().await;
    }
    let waiter = fixture.client.wait_until_table_exists().table_name("items");
    waiter.wait(std::time::Duration::from_secs(60)).await.unwrap();
    let scan = fixture.client.scan().table_name("items").index_name("by-n").send().await.unwrap();
    assert_eq!(scan.count, 5);
}

async fn index_status(fixture: &Fixture, name: &str) -> IndexStatus {
    let response = fixture.client.describe_table().table_name("items").send().await.unwrap();
    let table = response.table.unwrap();
    let indexes = table.global_secondary_indexes();
    let index = indexes.iter().find(|index| index.index_name() == Some(name)).unwrap();
    index.index_status().unwrap().clone()
}

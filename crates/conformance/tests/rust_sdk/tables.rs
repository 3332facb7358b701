//! Tables through their life, with the waiters and the paginator.

use std::time::Duration;

use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::{BillingMode, ProvisionedThroughput, TableStatus};

use crate::fixture::{Fixture, definitions, key_schema};

async fn create(fixture: &Fixture, name: &str) {
    let request = fixture.client.create_table().table_name(name);
    request
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(definitions(&[("pk", "S")])))
        .set_key_schema(Some(key_schema(&["pk"], &[])))
        .send()
        .await
        .unwrap();
}

#[tokio::test]
async fn a_table_is_made_described_and_deleted() {
    let fixture = Fixture::start();
    create(&fixture, "shop").await;
    let patience = Duration::from_secs(60);
    let exists = fixture.client.wait_until_table_exists().table_name("shop").wait(patience).await;
    let description = exists.unwrap().into_result().unwrap().table.unwrap();
    assert_eq!(description.table_status, Some(TableStatus::Active));
    assert_eq!(description.key_schema.unwrap(), key_schema(&["pk"], &[]));
    fixture.client.delete_table().table_name("shop").send().await.unwrap();
    fixture.client.wait_until_table_not_exists().table_name("shop").wait(patience).await.unwrap();
    let gone = fixture.client.describe_table().table_name("shop").send().await.unwrap_err();
    assert!(gone.into_service_error().is_resource_not_found_exception());
}

#[tokio::test]
async fn tables_are_listed_page_by_page() {
    let fixture = Fixture::start();
    for name in ["cherry", "apple", "banana"] {
        create(&fixture, name).await;
    }
    let pages = fixture.client.list_tables().into_paginator().page_size(2).items().send();
    let names = pages.try_collect().await.unwrap();
    assert_eq!(names, ["apple", "banana", "cherry"]);
}

#[tokio::test]
async fn a_table_on_demand_becomes_provisioned() {
    let fixture = Fixture::start();
    create(&fixture, "shop").await;
    let throughput = ProvisionedThroughput::builder()
        .read_capacity_units(3)
        .write_capacity_units(4)
        .build()
        .unwrap();
    let update =
        fixture.client.update_table().table_name("shop").billing_mode(BillingMode::Provisioned);
    update.provisioned_throughput(throughput).send().await.unwrap();
    let waiter = fixture.client.wait_until_table_exists().table_name("shop");
    let table =
        waiter.wait(Duration::from_secs(60)).await.unwrap().into_result().unwrap().table.unwrap();
    assert_eq!(table.provisioned_throughput.unwrap().read_capacity_units, Some(3));
}

#[tokio::test]
async fn a_protected_table_cannot_be_deleted() {
    let fixture = Fixture::start();
    create(&fixture, "shop").await;
    let protect =
        fixture.client.update_table().table_name("shop").deletion_protection_enabled(true);
    protect.send().await.unwrap();
    let refused = fixture.client.delete_table().table_name("shop").send().await.unwrap_err();
    assert_eq!(refused.into_service_error().code(), Some("ValidationException"));
}

#[tokio::test]
async fn a_name_in_use_is_a_typed_error() {
    let fixture = Fixture::with_table().await;
    let again = fixture.client.create_table().table_name("items");
    let error = again
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(definitions(&[("pk", "S")])))
        .set_key_schema(Some(key_schema(&["pk"], &[])))
        .send()
        .await
        .unwrap_err();
    assert!(error.into_service_error().is_resource_in_use_exception());
}

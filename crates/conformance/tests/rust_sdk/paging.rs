//! Query and Scan through the paginators, in both directions and by segments.

use std::collections::BTreeSet;

use aws_sdk_dynamodb::types::Select;

use crate::fixture::{Fixture, number, sort_keys, string};

#[tokio::test]
async fn a_query_is_paged_in_both_directions() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 10).await;
    fixture.fill("b", 3).await;
    for forward in [true, false] {
        let query = fixture.client.query().table_name("items").scan_index_forward(forward).limit(3);
        let pages = query
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":pk", string("a"))
            .expression_attribute_values(":low", number(1))
            .expression_attribute_values(":high", number(8))
            .into_paginator()
            .items()
            .send();
        let mut expected: Vec<u32> = (1..=8).collect();
        if !forward {
            expected.reverse();
        }
        assert_eq!(sort_keys(&pages.try_collect().await.unwrap()), expected);
    }
}

#[tokio::test]
async fn a_filter_leaves_the_page_key_where_the_page_ended() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 6).await;
    let query = fixture.client.query().table_name("items").limit(4);
    let page = query
        .key_condition_expression("pk = :pk")
        .filter_expression("n > :n")
        .expression_attribute_values(":pk", string("a"))
        .expression_attribute_values(":n", number(15))
        .send()
        .await
        .unwrap();
    assert_eq!((page.count, page.scanned_count), (2, 4));
    assert_eq!(page.last_evaluated_key().unwrap()["sk"], number(3));
}

#[tokio::test]
async fn segments_of_a_scan_hold_every_item_once() {
    let fixture = Fixture::with_table().await;
    for pk in ["a", "b", "c", "d", "e"] {
        fixture.fill(pk, 5).await;
    }
    let mut keys = Vec::new();
    for segment in 0..3 {
        let scan =
            fixture.client.scan().table_name("items").segment(segment).total_segments(3).limit(2);
        for item in scan.into_paginator().items().send().try_collect().await.unwrap() {
            keys.push((item["pk"].as_s().unwrap().clone(), item["sk"].as_n().unwrap().clone()));
        }
    }
    assert_eq!(keys.len(), 25);
    assert_eq!(keys.into_iter().collect::<BTreeSet<_>>().len(), 25);
}

#[tokio::test]
async fn a_count_returns_no_items() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 4).await;
    let scan =
        fixture.client.scan().table_name("items").select(Select::Count).send().await.unwrap();
    assert_eq!((scan.count, scan.items), (4, None));
}

//! Paginators read all pages.

use crate::fixture::{put, string, with_table};

#[tokio::test]
async fn a_paginator_reads_a_partition_page_by_page() {
    let (_, client) = with_table().await;
    for sk in 0..25 {
        put(&client, "a", sk).await;
        put(&client, "b", sk).await;
    }
    let query = client.query().table_name("items").key_condition_expression("pk = :pk");
    let query = query.expression_attribute_values(":pk", string("a")).limit(10);
    let (mut pages, mut sort_keys) = (query.into_paginator().send(), Vec::new());
    let mut counts = Vec::new();
    while let Some(page) = pages.next().await {
        let items = page.unwrap().items.unwrap();
        counts.push(items.len());
        sort_keys.extend(items.iter().map(|it| it["sk"].as_n().unwrap().parse::<u32>().unwrap()));
    }
    assert_eq!(counts, [10, 10, 5]);
    assert_eq!(sort_keys, (0..25).collect::<Vec<u32>>());
}

#[tokio::test]
async fn a_paginator_of_items_scans_the_table() {
    let (_, client) = with_table().await;
    for sk in 0..7 {
        put(&client, "a", sk).await;
    }
    let scan = client.scan().table_name("items").limit(3).into_paginator();
    let items = scan.items().send().try_collect().await.unwrap();
    assert_eq!(items.len(), 7);
}

//! A database in a directory outlives the process that wrote it.

use monotable_embedded::{Embedded, OpenError};

use crate::fixture::{create_items, get, put};

#[tokio::test]
async fn what_was_written_is_there_when_the_directory_is_opened_again() {
    let directory = tempfile::tempdir().unwrap();
    let embedded = Embedded::at(directory.path()).await.unwrap();
    let client = embedded.sdk_client();
    create_items(&client).await;
    put(&client, "a", 1).await;
    embedded.close().await.unwrap();
    let again = Embedded::at(directory.path()).await.unwrap().sdk_client();
    assert!(get(&again, "a", 1).await.is_some());
}

#[tokio::test]
async fn a_directory_that_is_open_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let _first = Embedded::at(directory.path()).await.unwrap();
    let refused = Embedded::at(directory.path()).await.unwrap_err();
    assert!(matches!(&refused, OpenError::InUse { directory: at } if at == directory.path()));
    let text = refused.to_string();
    assert!(text.contains("is open already") && text.contains("clone the `Embedded`"), "{text}");
}

#[tokio::test]
async fn a_directory_of_something_else_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("letter.txt"), "dear").unwrap();
    let refused = Embedded::at(directory.path()).await.unwrap_err();
    assert!(matches!(&refused, OpenError::Unusable { .. }));
    assert!(refused.to_string().contains("it has letter.txt"), "{refused}");
}

#[tokio::test]
async fn calls_on_a_closed_database_fail() {
    let directory = tempfile::tempdir().unwrap();
    let embedded = Embedded::at(directory.path()).await.unwrap();
    let client = embedded.sdk_client();
    create_items(&client).await;
    embedded.close().await.unwrap();
    embedded.close().await.unwrap();
    assert!(client.scan().table_name("items").send().await.is_err());
}

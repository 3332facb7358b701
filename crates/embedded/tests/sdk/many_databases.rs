//! Every test has a database of its own, and a database may outlive a runtime.

use std::sync::LazyLock;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use monotable_embedded::Embedded;
use tokio::runtime::{Builder, Runtime};

use crate::fixture::{create_items, get, put, with_table};

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_time().build().unwrap()
}

async fn create_and_read(pk: String) {
    let (_, client) = with_table().await;
    assert_eq!(get(&client, &pk, 1).await, None);
    put(&client, &pk, 1).await;
    assert!(get(&client, &pk, 1).await.is_some());
}

#[test]
fn databases_do_not_see_each_other_and_are_made_from_any_thread() {
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                runtime().block_on(async {
                    for _ in 0..25 {
                        create_and_read(format!("thread {thread}")).await;
                    }
                });
            });
        }
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_tasks_share_a_database() {
    let (_, client) = with_table().await;
    let write = |sk| {
        let client = client.clone();
        tokio::spawn(async move { put(&client, "a", sk).await })
    };
    let writes: Vec<_> = (0..50).map(write).collect();
    for write in writes {
        write.await.unwrap();
    }
    let scan = client.scan().table_name("items").send().await.unwrap();
    assert_eq!(scan.count(), 50);
}

static SHARED: LazyLock<Embedded> = LazyLock::new(Embedded::in_memory);

/// A table is deleted and made again in the background, which must not end with a runtime.
#[test]
fn a_database_outlives_the_runtimes_that_use_it() {
    let round = async |client: Client| {
        create_items(&client).await;
        put(&client, "a", 1).await;
        client.delete_table().table_name("items").send().await.unwrap();
    };
    for _ in 0..3 {
        runtime().block_on(round(SHARED.sdk_client()));
    }
}

/// Items, not the SDK: it needs a runtime for its timers.
#[test]
fn a_database_is_made_without_a_runtime() {
    let embedded = Embedded::builder().ttl_interval(Duration::from_millis(100)).in_memory();
    assert!(embedded.faults().reports().is_empty());
}

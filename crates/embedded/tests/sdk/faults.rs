//! Calls fail on purpose.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use monotable_embedded::FaultReport;

use crate::fixture::{get, key, put, retrying_client, with_table};

#[tokio::test]
async fn the_sdk_retries_a_throttled_call_until_it_is_answered() {
    let (embedded, _) = with_table().await;
    embedded.faults().add("throttle first=2 operation=PutItem").unwrap();
    let client = retrying_client(&embedded);
    put(&client, "a", 1).await;
    let report =
        FaultReport { fault: "throttle operation=PutItem first=2".to_owned(), matched: 3, hit: 2 };
    assert_eq!(embedded.faults().reports(), [report]);
    assert!(get(&client, "a", 1).await.is_some());
}

#[tokio::test]
async fn the_sdk_gives_up_on_a_call_that_stays_throttled() {
    let (embedded, _) = with_table().await;
    embedded.faults().add("throttle operation=PutItem").unwrap();
    let put = retrying_client(&embedded).put_item().table_name("items");
    let error = put.set_item(Some(key("a", 1))).send().await.unwrap_err();
    assert_eq!(error.code(), Some("ThrottlingException"));
    assert_eq!(embedded.faults().reports()[0].hit, 3);
}

#[tokio::test]
async fn a_lost_answer_is_a_failed_dispatch_and_the_write_has_happened() {
    let (embedded, client) = with_table().await;
    embedded.faults().add("drop when=after operation=PutItem").unwrap();
    let put = retrying_client(&embedded).put_item().table_name("items");
    let error = put.set_item(Some(key("a", 1))).send().await.unwrap_err();
    assert!(matches!(error, SdkError::DispatchFailure(_)), "{error:?}");
    assert!(get(&client, "a", 1).await.is_some());
}

#[tokio::test]
async fn faults_end_when_they_are_cleared() {
    let (embedded, client) = with_table().await;
    embedded.faults().add("error").unwrap();
    embedded.faults().clear();
    put(&client, "a", 1).await;
    assert_eq!(embedded.faults().reports(), []);
}

#[tokio::test]
async fn a_line_that_is_no_fault_is_refused_with_the_reason() {
    let (embedded, _) = with_table().await;
    let refused = embedded.faults().add("slow").unwrap_err().to_string();
    assert!(refused.contains("\"slow\" is no kind of fault"), "{refused}");
}

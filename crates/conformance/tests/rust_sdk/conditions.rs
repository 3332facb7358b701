//! Conditional writes, and the typed error of one that is stopped.

use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;

use crate::fixture::{Fixture, key, number, string};

#[tokio::test]
async fn an_item_is_created_only_once() {
    let fixture = Fixture::with_table().await;
    let create = || {
        let put = fixture.client.put_item().table_name("items").set_item(Some(key("a", 0)));
        put.condition_expression("attribute_not_exists(pk)").send()
    };
    create().await.unwrap();
    let error = create().await.unwrap_err().into_service_error();
    assert!(error.is_conditional_check_failed_exception());
    assert_eq!(
        error.to_string(),
        "ConditionalCheckFailedException: The conditional request failed"
    );
}

#[tokio::test]
async fn the_item_that_stood_in_the_way_comes_with_the_error() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 1).await;
    let delete = fixture.client.delete_item().table_name("items").set_key(Some(key("a", 0)));
    let error = delete
        .condition_expression("n > :n")
        .expression_attribute_values(":n", number(5))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .send()
        .await
        .unwrap_err()
        .into_service_error();
    let aws_sdk_dynamodb::operation::delete_item::DeleteItemError::ConditionalCheckFailedException(
        failure,
    ) = error
    else {
        panic!("{error}");
    };
    assert_eq!(failure.item.unwrap()["n"], number(0));
}

#[tokio::test]
async fn a_version_guards_against_lost_updates() {
    let fixture = Fixture::with_table().await;
    fixture.fill("a", 1).await;
    let write = |seen: u32, state: &str| {
        let update = fixture.client.update_item().table_name("items").set_key(Some(key("a", 0)));
        update
            .update_expression("SET #state = :state, n = n + :one")
            .condition_expression("n = :seen")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":state", string(state))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":seen", number(seen))
            .send()
    };
    write(0, "first").await.unwrap();
    assert!(
        write(0, "second")
            .await
            .unwrap_err()
            .into_service_error()
            .is_conditional_check_failed_exception()
    );
    write(1, "third").await.unwrap();
}

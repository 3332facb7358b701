//! Wrong requests are refused alike, in DynamoDB's words, whichever way they come.

use monotable::backend::{
    Backend, CapacityDetail, ErrorKind, Names, PutItem, Query, Select, UpdateItem,
};
use monotable_embedded::Embedded;
use monotable_item::Value;

use crate::fixture::{get, items_table, key, keyed, on_all, put, table, values};

#[tokio::test]
async fn a_table_that_is_not_there_is_not_found() {
    on_all(async |backend| {
        let mut request = get("a", 1);
        request.table = "none".into();
        let error = backend.get_item(request).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotFound);
        assert_eq!(error.code, "ResourceNotFoundException");
        assert_eq!(error.message, "Requested resource not found");
    })
    .await;
}

/// The messages are those of the server's own tests, by the pages and recorded answers that these
/// name.
#[tokio::test]
async fn values_that_cannot_be_are_refused_in_the_same_words() {
    on_all(async |backend| {
        for (value, message) in [
            (
                Value::StringSet(vec![]),
                "1 validation error detected: One or more parameter values were invalid: An string \
                 set  may not be empty",
            ),
            (
                Value::StringSet(vec!["a".to_owned(), "a".to_owned()]),
                "1 validation error detected: One or more parameter values were invalid: Input \
                 collection [\"a\", \"a\"] contains duplicates.",
            ),
        ] {
            let error = backend.put_item(put(keyed("a", 1, &[("v", value)]))).await.unwrap_err();
            assert_eq!((error.kind, &*error.message), (ErrorKind::Validation, message));
        }
    })
    .await;
}

#[tokio::test]
async fn a_value_that_is_nested_too_deeply_is_refused() {
    on_all(async |backend| {
        let deep = (0..40).fold(Value::Null, |inner, _| Value::List(vec![inner]));
        let error = backend.put_item(put(keyed("a", 1, &[("v", deep)]))).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Validation);
        assert!(error.message.contains("Nesting Levels have exceeded supported limits"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn expressions_are_checked_in_the_same_order() {
    on_all(async |backend| {
        let unused = PutItem {
            condition: Some("attribute_exists(pk)".to_owned()),
            values: values(&[(":unused", 1.into())]),
            ..put(key("a", 1))
        };
        let error = backend.put_item(unused).await.unwrap_err();
        assert_eq!(
            error.message,
            "1 validation error detected: Value provided in ExpressionAttributeValues unused in \
             expressions: keys: {:unused}"
        );
        let update = UpdateItem {
            table: table(),
            key: key("a", 1),
            update: "SET pk = :n".to_owned(),
            condition: None,
            names: Names::new(),
            values: values(&[(":n", "b".into())]),
            returns: monotable::backend::ReturnValues::None,
            item_on_failure: false,
            capacity: CapacityDetail::None,
        };
        let error = backend.update_item(update).await.unwrap_err();
        assert_eq!(
            error.message,
            "One or more parameter values were invalid: Cannot update attribute pk. This attribute \
             is part of the key"
        );
    })
    .await;
}

#[tokio::test]
async fn a_page_of_no_items_is_refused() {
    on_all(async |backend| {
        let request = Query {
            table: table(),
            index: None,
            key_condition: "pk = :pk".to_owned(),
            filter: None,
            projection: None,
            names: Names::new(),
            values: values(&[(":pk", "a".into())]),
            select: Select::Projected,
            forward: true,
            limit: Some(0),
            start_after: None,
            consistent: false,
            capacity: CapacityDetail::None,
        };
        let error = backend.query(request).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Validation);
        assert!(error.message.contains("Member must have value greater than or equal to 1"));
    })
    .await;
}

#[tokio::test]
async fn faults_reach_the_typed_client_at_once() {
    let embedded = Embedded::in_memory();
    embedded.create_table(items_table()).await.unwrap();
    for (fault, kind) in [
        ("throttle", ErrorKind::Throttled),
        ("conflict", ErrorKind::Conflict),
        ("error", ErrorKind::Unavailable),
        ("drop", ErrorKind::Unavailable),
    ] {
        embedded.faults().add(&format!("{fault} operation=PutItem")).unwrap();
        let error = embedded.put_item(put(key("a", 1))).await.unwrap_err();
        assert_eq!(error.kind, kind, "{error}");
        assert_eq!(embedded.faults().reports()[0].hit, 1, "nothing is retried");
        embedded.faults().clear();
    }
    embedded.faults().add("error operation=DescribeTable table=items").unwrap();
    let described = embedded.describe_table(monotable::backend::DescribeTable { table: table() });
    assert_eq!(described.await.unwrap_err().kind, ErrorKind::Unavailable);
}

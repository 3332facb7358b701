//! Operations on one item.

use monotable::backend::{
    CapacityDetail, DeleteItem, ErrorKind, GetItem, Names, PutItem, ReturnValues, UpdateItem,
    Values,
};
use monotable_item::Value;

use crate::fixture::{found, get, item, key, keyed, on_all, put, table, values};

#[tokio::test]
async fn an_item_of_every_type_comes_back_as_it_was_written() {
    on_all(async |backend| {
        let written = keyed(
            "a",
            1,
            &[
                ("s", "né\n\"".into()),
                ("n", Value::Number("-12.50".parse().unwrap())),
                ("b", Value::Binary(vec![0, 255])),
                ("bool", Value::Bool(true)),
                ("null", Value::Null),
                ("l", Value::List(vec![1.into(), "x".into()])),
                ("m", Value::Map(key("inside", 2))),
                ("ss", Value::string_set(vec!["b".to_owned(), "a".to_owned()])),
                ("ns", Value::number_set(vec![10.into(), 9.into()])),
                ("bs", Value::binary_set(vec![vec![1], vec![0]])),
            ],
        );
        backend.put_item(put(written.clone())).await.unwrap();
        assert_eq!(found(backend, "a", 1).await, Some(written));
        assert_eq!(found(backend, "a", 2).await, None);
    })
    .await;
}

#[tokio::test]
async fn a_projection_returns_a_part_of_an_item() {
    on_all(async |backend| {
        backend.put_item(put(keyed("a", 1, &[("size", 3.into())]))).await.unwrap();
        let names = Names::from([("#size".to_owned(), "size".to_owned())]);
        let request = GetItem { projection: Some("#size".to_owned()), names, ..get("a", 1) };
        let outcome = backend.get_item(request).await.unwrap();
        assert_eq!(outcome.item, Some(item(&[("size", 3.into())])));
    })
    .await;
}

#[tokio::test]
async fn what_a_request_consumes_is_told_for_the_table_and_its_indexes() {
    on_all(async |backend| {
        let written = keyed("a", 1, &[("state", "new".into()), ("rank", 1.into())]);
        let request = PutItem { capacity: CapacityDetail::Indexes, ..put(written) };
        let consumed = backend.put_item(request).await.unwrap().consumed.unwrap();
        assert_eq!((&*consumed.table, consumed.units), ("items", 3.0));
        assert_eq!(consumed.table_units, Some(1.0));
        let indexes: Vec<_> = consumed.index_units.into_iter().collect();
        assert_eq!(indexes, [("by-rank".to_owned(), 1.0), ("by-state".to_owned(), 1.0)]);
        let request = GetItem { capacity: CapacityDetail::Total, ..get("a", 1) };
        let consumed = backend.get_item(request).await.unwrap().consumed.unwrap();
        assert_eq!((consumed.units, consumed.table_units), (1.0, None));
    })
    .await;
}

fn update(update: &str, values: Values) -> UpdateItem {
    UpdateItem {
        table: table(),
        key: key("a", 1),
        update: update.to_owned(),
        condition: None,
        names: Names::new(),
        values,
        returns: ReturnValues::None,
        item_on_failure: false,
        capacity: CapacityDetail::None,
    }
}

#[tokio::test]
async fn an_update_returns_the_state_that_was_asked_for() {
    on_all(async |backend| {
        backend.put_item(put(keyed("a", 1, &[("n", 1.into())]))).await.unwrap();
        for (returns, expected) in [
            (ReturnValues::None, None),
            (ReturnValues::AllOld, Some(keyed("a", 1, &[("n", 2.into())]))),
            (ReturnValues::AllNew, Some(keyed("a", 1, &[("n", 4.into())]))),
            (ReturnValues::UpdatedOld, Some(item(&[("n", 4.into())]))),
            (ReturnValues::UpdatedNew, Some(item(&[("n", 6.into())]))),
        ] {
            let update = update("ADD n :one", values(&[(":one", 1.into())]));
            let outcome = backend.update_item(UpdateItem { returns, ..update }).await.unwrap();
            assert_eq!(outcome.attributes, expected, "{returns:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_item_is_deleted_and_returned() {
    on_all(async |backend| {
        backend.put_item(put(keyed("a", 1, &[("n", 1.into())]))).await.unwrap();
        let request = DeleteItem {
            table: table(),
            key: key("a", 1),
            condition: Some("n = :n".to_owned()),
            names: Names::new(),
            values: values(&[(":n", 1.into())]),
            returns: ReturnValues::AllOld,
            item_on_failure: false,
            capacity: CapacityDetail::None,
        };
        let outcome = backend.delete_item(request).await.unwrap();
        assert_eq!(outcome.attributes, Some(keyed("a", 1, &[("n", 1.into())])));
        assert_eq!(found(backend, "a", 1).await, None);
    })
    .await;
}

#[tokio::test]
async fn a_failed_condition_carries_the_item_if_it_is_asked_for() {
    on_all(async |backend| {
        backend.put_item(put(key("a", 1))).await.unwrap();
        for (item_on_failure, expected) in [(true, Some(Box::new(key("a", 1)))), (false, None)] {
            let condition = Some("attribute_not_exists(pk)".to_owned());
            let request = PutItem { condition, item_on_failure, ..put(key("a", 1)) };
            let error = backend.put_item(request).await.unwrap_err();
            assert_eq!(error.kind, ErrorKind::ConditionFailed { item: expected });
            assert_eq!(error.code, "ConditionalCheckFailedException");
            assert_eq!(error.message, "The conditional request failed");
        }
        let missing = UpdateItem {
            condition: Some("attribute_exists(pk)".to_owned()),
            item_on_failure: true,
            key: key("b", 1),
            ..update("SET n = :n", values(&[(":n", 1.into())]))
        };
        let error = backend.update_item(missing).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::ConditionFailed { item: None });
    })
    .await;
}

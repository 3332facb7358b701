//! Transactions.

use monotable::backend::{
    CancellationReason, CapacityDetail, ErrorKind, Names, TransactGet, TransactGetItems,
    TransactWrite, TransactWriteItems, Values,
};
use monotable_item::Item;

use crate::fixture::{found, key, keyed, on_all, put, table, values};

fn write(actions: Vec<TransactWrite>) -> TransactWriteItems {
    TransactWriteItems { actions, token: None, capacity: CapacityDetail::None }
}

fn put_of(item: Item) -> TransactWrite {
    TransactWrite::Put {
        table: table(),
        item,
        condition: None,
        names: Names::new(),
        values: Values::new(),
        item_on_failure: false,
    }
}

fn check_of(key: Item, condition: &str) -> TransactWrite {
    TransactWrite::Check {
        table: table(),
        key,
        condition: condition.to_owned(),
        names: Names::new(),
        values: Values::new(),
        item_on_failure: true,
    }
}

#[tokio::test]
async fn all_kinds_of_actions_are_done_together() {
    on_all(async |backend| {
        for pk in ["update", "delete", "check"] {
            backend.put_item(put(key(pk, 1))).await.unwrap();
        }
        let update = TransactWrite::Update {
            table: table(),
            key: key("update", 1),
            update: "SET #n = :n".to_owned(),
            condition: None,
            names: Names::from([("#n".to_owned(), "n".to_owned())]),
            values: values(&[(":n", 1.into())]),
            item_on_failure: false,
        };
        let delete = TransactWrite::Delete {
            table: table(),
            key: key("delete", 1),
            condition: Some("attribute_exists(pk)".to_owned()),
            names: Names::new(),
            values: Values::new(),
            item_on_failure: false,
        };
        let check = check_of(key("check", 1), "attribute_exists(pk)");
        let request = write(vec![put_of(key("put", 1)), update, delete, check]);
        let request = TransactWriteItems { capacity: CapacityDetail::Total, ..request };
        let outcome = backend.transact_write_items(request).await.unwrap();
        assert_eq!(outcome.consumed.iter().map(|it| it.units).collect::<Vec<_>>(), [8.0]);

        let get = |pk: &str| TransactGet {
            table: table(),
            key: key(pk, 1),
            projection: None,
            names: Names::new(),
        };
        let gets = ["put", "update", "delete"].map(get).into();
        let request = TransactGetItems { gets, capacity: CapacityDetail::None };
        let outcome = backend.transact_get_items(request).await.unwrap();
        let updated = keyed("update", 1, &[("n", 1.into())]);
        assert_eq!(outcome.items, [Some(key("put", 1)), Some(updated), None]);
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_transaction_has_a_reason_for_each_action() {
    on_all(async |backend| {
        backend.put_item(put(keyed("b", 1, &[("n", 7.into())]))).await.unwrap();
        let check = check_of(key("b", 1), "attribute_not_exists(pk)");
        let error = backend.transact_write_items(write(vec![put_of(key("a", 1)), check])).await;
        let error = error.unwrap_err();
        let blamed = CancellationReason {
            code: Some("ConditionalCheckFailed".to_owned()),
            message: Some("The conditional request failed".to_owned()),
            item: Some(keyed("b", 1, &[("n", 7.into())])),
        };
        let reasons = vec![CancellationReason::default(), blamed];
        assert_eq!(error.kind, ErrorKind::TransactionCancelled { reasons });
        assert_eq!(error.code, "TransactionCanceledException");
        assert_eq!(
            error.message,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, \
             ConditionalCheckFailed]"
        );
        assert_eq!(found(backend, "a", 1).await, None);
    })
    .await;
}

#[tokio::test]
async fn a_token_makes_repeating_a_transaction_safe() {
    on_all(async |backend| {
        let add = TransactWrite::Update {
            table: table(),
            key: key("a", 1),
            update: "ADD n :one".to_owned(),
            condition: None,
            names: Names::new(),
            values: values(&[(":one", 1.into())]),
            item_on_failure: false,
        };
        let request = TransactWriteItems { token: Some("token-1".to_owned()), ..write(vec![add]) };
        for _ in 0..2 {
            backend.transact_write_items(request.clone()).await.unwrap();
        }
        let expected = keyed("a", 1, &[("n", 1.into())]);
        assert_eq!(found(backend, "a", 1).await, Some(expected));
        let other = TransactWriteItems { actions: vec![put_of(key("b", 1))], ..request };
        let error = backend.transact_write_items(other).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Other);
        assert_eq!(error.code, "IdempotentParameterMismatchException");
    })
    .await;
}

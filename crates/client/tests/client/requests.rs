//! What the client sends: keys, index keys, conditions and ranges. The recorder answers as an empty
//! table does.

use std::sync::Arc;

use monotable::backend::{PutItem, Query, Recorder, Request, TransactWrite, UpdateItem};
use monotable::prelude::*;
use monotable::{Error, Item, Value};

use super::shop::{
    self, CustomerId, CustomerRow, Order, OrderId, Parcel, Shop, Status, key_of, time,
};

fn recorder() -> (Arc<Recorder>, Db<Shop>) {
    let recorder = Arc::new(Recorder::new());
    let backend: Arc<dyn Backend> = Arc::clone(&recorder) as Arc<dyn Backend>;
    (recorder, Db::new("shop", backend))
}

fn only(recorder: &Recorder) -> Request {
    let mut requests = recorder.take();
    assert_eq!(requests.len(), 1, "{requests:?}");
    requests.remove(0)
}

fn put(recorder: &Recorder) -> PutItem {
    match only(recorder) {
        Request::PutItem(put) => put,
        other => panic!("{other:?}"),
    }
}

fn update(recorder: &Recorder) -> UpdateItem {
    match only(recorder) {
        Request::UpdateItem(update) => update,
        other => panic!("{other:?}"),
    }
}

fn query(recorder: &Recorder) -> Query {
    match only(recorder) {
        Request::Query(query) => query,
        other => panic!("{other:?}"),
    }
}

/// An expression with its placeholders replaced, for reading.
fn plain(text: &str, names: &monotable::backend::Names, values: &Item) -> String {
    let mut text = text.to_owned();
    for (placeholder, name) in names.iter().rev() {
        text = text.replace(placeholder, name);
    }
    for (placeholder, value) in values.iter().rev() {
        let value = match value {
            Value::String(text) => format!("'{text}'"),
            Value::Number(number) => number.to_string(),
            other => format!("{other:?}"),
        };
        text = text.replace(placeholder, &value);
    }
    text
}

fn text<'a>(item: &'a Item, name: &str) -> &'a str {
    match item.get(name) {
        Some(Value::String(text)) => text,
        other => panic!("{name} is {other:?}"),
    }
}

#[tokio::test]
async fn a_new_item_has_its_keys_its_type_and_its_stamps() {
    let (recorder, db) = recorder();
    db.create(&shop::parcel("p1")).await.unwrap();
    let PutItem { item, condition, .. } = put(&recorder);
    assert_eq!(text(&item, "pk"), "PARCEL#p1");
    assert_eq!(text(&item, "sk"), "PARCEL");
    assert_eq!(text(&item, "_t"), "P");
    assert_eq!(text(&item, "gsi1pk"), "CARRIER#dhl");
    assert_eq!(item.get("id"), None, "a key_only field is in the key alone");
    assert_eq!(text(&item, "country"), "DE");
    assert_eq!(condition.as_deref(), Some("attribute_not_exists(#n0)"));

    let stored = db.create(&shop::order("c1", "o1", "2026-01-02T00:00:00Z")).await.unwrap();
    assert_eq!(stored.updated_at, time("2026-01-01T00:00:00Z"), "the recorder's clock");
}

#[tokio::test]
async fn an_item_that_does_not_meet_the_condition_of_an_index_is_not_in_it() {
    let (recorder, db) = recorder();
    let mut order = shop::order("c1", "o1", "2026-01-02T00:00:00Z");
    order.status = Status::Paid;
    db.create(&order).await.unwrap();
    let Request::TransactWriteItems(request) = only(&recorder) else { panic!("unique values") };
    let [TransactWrite::Put { item, .. }] = request.actions.as_slice() else {
        panic!("no number, no unique value")
    };
    assert_eq!(item.get("gsi1pk"), None);
    assert!(item.contains_key("gsi2pk"));
}

#[tokio::test]
async fn a_patch_of_one_part_rewrites_the_key_of_the_index() {
    let (recorder, db) = recorder();
    let order = shop::order("c1", "o1", "2026-01-02T00:00:00Z");
    let _ = db.patch(key_of(&order)).status(Status::Open).total(add(5_u64)).await;
    let request = update(&recorder);
    let expression = plain(&request.update, &request.names, &request.values);
    assert!(expression.contains("gsi1pk = 'STATUS#open'"), "{expression}");
    assert!(expression.contains("gsi1sk = '2026-01-02T00:00:00.000000Z#o1'"), "{expression}");
    assert!(expression.contains("ADD rev 1, total 5"), "{expression}");

    let _ = db.patch(key_of(&order)).status(Status::Paid).await;
    let request = update(&recorder);
    let expression = plain(&request.update, &request.names, &request.values);
    assert!(expression.contains("REMOVE gsi1pk, gsi1sk"), "{expression}");
    assert!(!expression.contains("gsi2pk"), "{expression}");
}

#[tokio::test]
async fn a_patch_of_a_group_rewrites_the_key_and_an_absent_part_removes_it() {
    let (recorder, db) = recorder();
    let eta = time("2026-02-01T00:00:00Z");
    let key = Parcel::by_id("p1");
    let parts = shop::parcel::ByCarrier { carrier: Some("ups".into()), eta };
    let _ = db.patch(key.clone()).by_carrier(parts).await;
    let request = update(&recorder);
    let expression = plain(&request.update, &request.names, &request.values);
    assert!(expression.contains("gsi1pk = 'CARRIER#ups'"), "{expression}");

    let _ = db.patch(key).by_carrier(shop::parcel::ByCarrier { carrier: None, eta }).await;
    let request = update(&recorder);
    let expression = plain(&request.update, &request.names, &request.values);
    assert!(expression.contains("REMOVE carrier, gsi1pk, gsi1sk"), "{expression}");
}

#[tokio::test]
async fn a_patch_requires_that_the_item_exists_and_that_its_condition_holds() {
    let (recorder, db) = recorder();
    let order = shop::order("c1", "o1", "2026-01-02T00:00:00Z");
    let condition = Order::TOTAL.lt(1000_u64) & Order::NOTE.is_missing();
    let _ = db.patch(key_of(&order)).note("hi").when(condition).if_rev(3).await;
    let request = update(&recorder);
    assert_eq!(
        plain(request.condition.as_deref().unwrap(), &request.names, &request.values),
        "attribute_exists(pk) AND (total < 1000 AND attribute_not_exists(note)) AND rev = 3"
    );
}

#[tokio::test]
async fn a_query_asks_for_the_parts_that_are_known() {
    let (recorder, db) = recorder();
    let customer = CustomerId("c1".into());
    let condition =
        |request: &Query| plain(&request.key_condition, &request.names, &request.values);
    db.query(Order::by_customer(&customer)).await.unwrap();
    assert_eq!(condition(&query(&recorder)), "pk = 'CUST#c1' AND begins_with(sk, 'ORDER#')");

    let (from, to) = (time("2026-01-01T00:00:00Z"), time("2026-02-01T00:00:00Z"));
    db.query(Order::by_customer(&customer).placed_at_in(from..=to)).desc().await.unwrap();
    let request = query(&recorder);
    assert!(!request.forward);
    assert_eq!(
        condition(&request),
        "pk = 'CUST#c1' AND sk BETWEEN 'ORDER#2026-01-01T00:00:00.000000Z' AND \
         'ORDER#2026-02-01T00:00:00.000000Z$'"
    );

    db.query(Order::by_customer(&customer).placed_at_begins("2026-01")).await.unwrap();
    assert_eq!(condition(&query(&recorder)), "pk = 'CUST#c1' AND begins_with(sk, 'ORDER#2026-01')");

    db.query(Order::by_status(Status::Open)).filter(Order::TOTAL.gt(5_u64)).await.unwrap();
    let request = query(&recorder);
    assert_eq!(request.index.as_deref(), Some("Gsi1"));
    assert_eq!(condition(&request), "gsi1pk = 'STATUS#open'");
    assert_eq!(plain(&request.filter.unwrap(), &request.names, &request.values), "total > 5");
}

#[tokio::test]
async fn an_index_of_several_attributes_is_read_from_left_to_right() {
    let (recorder, db) = recorder();
    let place = Parcel::by_place("DE", "BE").city("Berlin").weight_in(5_u32..);
    db.query(place).await.unwrap();
    let request = query(&recorder);
    assert_eq!(
        plain(&request.key_condition, &request.names, &request.values),
        "country = 'DE' AND region = 'BE' AND city = 'Berlin' AND weight >= 5"
    );
}

#[tokio::test]
async fn a_collection_is_read_by_its_partition() {
    let (recorder, db) = recorder();
    db.query(CustomerRow::of(CustomerId("c1".into()))).consistent().await.unwrap();
    let request = query(&recorder);
    assert!(request.consistent);
    assert_eq!(plain(&request.key_condition, &request.names, &request.values), "pk = 'CUST#c1'");
}

#[tokio::test]
async fn a_sharded_pattern_is_read_from_every_shard() {
    let (recorder, db) = recorder();
    db.query(Order::by_day(time("2026-01-02T10:00:00Z"))).await.unwrap();
    let partitions: Vec<String> = recorder
        .take()
        .into_iter()
        .map(|request| match request {
            Request::Query(query) => plain(&query.key_condition, &query.names, &query.values),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected: Vec<String> =
        (0..4).map(|shard| format!("gsi2pk = 'DAY#2026-01-02#{shard}'")).collect();
    assert_eq!(partitions, expected);
}

#[tokio::test]
async fn a_key_that_cannot_be_built_is_reported_and_nothing_is_sent() {
    let (recorder, db) = recorder();
    let empty = Order::by_customer(CustomerId(String::new()))
        .at(time("2026-01-02T00:00:00Z"), OrderId("o1".into()));
    match db.get(empty).await {
        Err(Error::Key { entity: "Order", attribute, .. }) => assert_eq!(attribute, "pk"),
        other => panic!("{other:?}"),
    }
    let long = Parcel::by_id("x".repeat(2048).as_str());
    assert!(matches!(db.get(long).await, Err(Error::KeyTooLong { bytes_max: 2048, .. })));
    let nothing = db.patch(Parcel::by_id("p1")).await;
    assert!(matches!(nothing, Err(WriteError::Failed(Error::EmptyPatch { .. }))));
    assert_eq!(recorder.take(), []);
}

#[tokio::test]
async fn a_transaction_that_would_be_refused_is_not_sent() {
    let (recorder, db) = recorder();
    let parcel = shop::parcel("p1");
    let twice = db.transaction::<()>().upsert(&parcel).delete(&Parcel::by_id("p1")).await;
    assert!(twice.is_err());
    assert!(db.transaction::<()>().await.is_err());
    assert_eq!(recorder.take(), []);
}

//! What cannot be written or read is a typed error, and nothing is written in part.

use std::collections::BTreeMap;
use std::sync::Arc;

use monotable::backend::{PutItem, Recorder};
use monotable::db::TransactError;
use monotable::prelude::*;
use monotable::{
    DecodeFault, Error, Item, Value, ValueError, decrease, element, if_missing, increase,
};
use monotable_embedded::Embedded;

use super::shop::{self, Customer, CustomerId, CustomerRow, Order, Parcel, Shop, key_of};

#[derive(Table)]
#[table(pk = "pk", sk = "sk", entities(Reading))]
pub struct Sensors;

#[derive(Attribute, Debug, Clone, PartialEq)]
pub struct Place {
    pub latitude: f64,
    pub longitude: f64,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Sensors)]
#[key(by_sensor: pk = "SENSOR#{sensor}", sk = "{name}")]
pub struct Reading {
    pub sensor: String,
    pub name: String,
    pub celsius: f64,
    pub previous: Option<f64>,
    pub samples: Vec<f64>,
    pub by_hour: BTreeMap<String, f32>,
    pub place: Option<Place>,
}

fn reading() -> Reading {
    Reading {
        sensor: "s1".to_owned(),
        name: "roof".to_owned(),
        celsius: 21.5,
        previous: None,
        samples: vec![21.0],
        by_hour: BTreeMap::new(),
        place: Some(Place { latitude: 52.5, longitude: 13.4 }),
    }
}

fn recorded<T: Table>() -> (Arc<Recorder>, Db<T>) {
    let recorder = Arc::new(Recorder::wrap(Embedded::in_memory()));
    let db = Db::new("table", recorder.clone());
    (recorder, db)
}

#[tokio::test]
async fn a_number_that_is_none_is_refused_wherever_it_stands() {
    let (recorder, db) = recorded::<Sensors>();
    let wrong = [
        ("celsius", Reading { celsius: f64::NAN, ..reading() }),
        ("celsius", Reading { celsius: 1e300, ..reading() }),
        ("previous", Reading { previous: Some(f64::INFINITY), ..reading() }),
        ("samples", Reading { samples: vec![1.0, f64::NAN], ..reading() }),
        ("by_hour", Reading { by_hour: [("12".to_owned(), f32::NAN)].into(), ..reading() }),
        (
            "place",
            Reading { place: Some(Place { latitude: f64::NAN, longitude: 0.0 }), ..reading() },
        ),
    ];
    for (expected, reading) in wrong {
        match db.upsert(&reading).await {
            Err(WriteError::Failed(Error::Unstorable { entity: "Reading", attribute })) => {
                assert_eq!(attribute, expected);
            }
            other => panic!("{expected}: {other:?}"),
        }
    }
    let patch = |db: &Db<Sensors>| db.patch(Reading::by_sensor("s1").name("roof"));
    for patch in [patch(&db).previous(Some(f64::NAN)), patch(&db).previous(f64::NAN)] {
        let refused = patch.await;
        let Err(WriteError::Failed(Error::Unstorable { attribute, .. })) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(attribute, "previous");
    }
    assert_eq!(recorder.take(), [], "nothing was sent");
}

#[tokio::test]
async fn a_text_longer_than_its_field_is_refused_before_anything_is_sent() {
    let (recorder, db) = recorded::<Shop>();
    let too_long =
        || Error::TooLong { entity: "Order", attribute: "note", bytes: 201, bytes_max: 200 };
    // Bytes are counted, not characters.
    let long = format!("{}\u{e9}", "a".repeat(199));
    let order =
        Order { note: Some(long.clone()), ..shop::order("c1", "o1", "2026-01-02T00:00:00Z") };
    assert_eq!(db.create(&order).await, Err(WriteError::Failed(too_long())));
    let patch = || db.patch(shop::key_of(&order));
    for patch in [patch().note(long.as_str()), patch().note(if_missing(long.clone()))] {
        assert_eq!(patch.await, Err(WriteError::Failed(too_long())));
    }
    assert_eq!(recorder.take(), [], "nothing was sent");
    assert_eq!(too_long().to_string(), "Order: note is 201 bytes long, over 200");
}

#[tokio::test]
async fn a_sum_that_its_field_could_not_hold_is_not_stored() {
    let db = Shop::open("shop", Embedded::in_memory());
    db.create_table().await.unwrap();
    let customer = db.create(&shop::customer("c1")).await.unwrap();
    let patch = || db.patch(Customer::by_id(CustomerId("c1".into())));
    let refused = Err(WriteError::NotMet { current: Some(customer.clone()) });
    assert_eq!(patch().visits(sub(1_u32)).await, refused);
    assert_eq!(patch().visits(decrease(1_u32)).await, refused);
    assert_eq!(patch().visits(add(2_u32)).visits(sub(3_u32)).await, refused);

    let full = patch().visits(add(u32::MAX)).await.unwrap();
    assert_eq!(full.visits, u32::MAX);
    let refused = Err(WriteError::NotMet { current: Some(full) });
    assert_eq!(patch().visits(add(1_u32)).await, refused);
    assert_eq!(patch().visits(increase(1_u32)).await, refused);
    assert_eq!(patch().visits(sub(u32::MAX)).await, Ok(customer));
}

#[tokio::test]
async fn what_is_set_inside_a_field_or_if_it_is_missing_can_be_stored() {
    let (recorder, db) = recorded::<Sensors>();
    let patch = || db.patch(Reading::by_sensor("s1").name("roof"));
    let samples = patch().samples(element(0).set(vec![Some(f64::NAN)])).await;
    let place = Place { latitude: f64::NAN, longitude: 0.0 };
    let place = patch().place(if_missing(place)).await;
    for (refused, expected) in [(samples, "samples"), (place, "place")] {
        let Err(WriteError::Failed(Error::Unstorable { attribute, .. })) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(attribute, expected);
    }
    assert_eq!(recorder.take(), [], "nothing was sent");
}

#[tokio::test]
async fn nothing_is_less_or_greater_than_a_number_that_is_none() {
    let db = Sensors::open("table", Embedded::in_memory());
    db.create_table().await.unwrap();
    db.create(&reading()).await.unwrap();
    let key = || Reading::by_sensor("s1").name("roof");
    let refused = db.delete(key()).when(Reading::CELSIUS.lt(f64::NAN)).await;
    assert!(matches!(refused, Err(WriteError::NotMet { .. })), "{refused:?}");
    assert_eq!(db.get(key()).await.unwrap(), Some(reading()));
}

#[tokio::test]
async fn a_key_that_cannot_be_built_names_its_entity_and_attribute() {
    let (recorder, db) = recorded::<Shop>();
    let order = |customer: &str, id: &str| shop::order(customer, id, "2026-01-02T00:00:00Z");
    let key_error = |outcome: Result<Order, WriteError<Order>>| match outcome {
        Err(WriteError::Failed(Error::Key { entity, attribute, reason })) => {
            format!("{entity}.{attribute}: {reason}")
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(
        key_error(db.create(&order("", "o1")).await),
        "Order.pk: attribute customer_id: is empty"
    );
    assert_eq!(key_error(db.create(&order("c1", "")).await), "Order.sk: attribute id: is empty");

    let unnumbered = Order { number: Some(String::new()), ..order("c1", "o1") };
    assert_eq!(key_error(db.create(&unnumbered).await), "Order.pk: attribute number: is empty");

    let nowhere = Parcel { city: String::new(), ..shop::parcel("p1") };
    let refused = db.create(&nowhere).await;
    let Err(WriteError::Failed(Error::Key { entity: "Parcel", attribute, .. })) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(attribute, "city");
    assert_eq!(recorder.take(), [], "nothing was sent");
}

#[tokio::test]
async fn a_key_that_is_too_long_says_how_long_it_may_be() {
    let (recorder, db) = recorded::<Shop>();
    let long = "x".repeat(1100);
    let sort = shop::order("c1", &long, "2026-01-02T00:00:00Z");
    let partition = Customer { id: CustomerId("x".repeat(2044)), ..shop::customer("c1") };
    let index = Parcel { carrier: Some("x".repeat(2041)), ..shop::parcel("p1") };
    let found = [
        db.create(&sort).await.map(drop).map_err(Error::from),
        db.create(&partition).await.map(drop).map_err(Error::from),
        db.create(&index).await.map(drop).map_err(Error::from),
        db.query(Order::by_customer(CustomerId("x".repeat(2044)))).await.map(drop),
    ];
    let texts = found.map(|it| it.unwrap_err().to_string());
    assert_eq!(
        texts,
        [
            "Order: the key sk is 1134 bytes long, over 1024",
            "Customer: the key pk is 2049 bytes long, over 2048",
            "Parcel: the key gsi1pk is 2049 bytes long, over 2048",
            "Order: the key pk is 2049 bytes long, over 2048",
        ]
    );
    assert_eq!(recorder.take(), [], "nothing was sent");
}

#[tokio::test]
async fn one_that_cannot_be_written_keeps_its_batch_and_its_transaction_back() {
    let (recorder, db) = recorded::<Shop>();
    let good = shop::customer("c1");
    let bad = Customer { id: CustomerId(String::new()), ..good.clone() };
    let batch = db.write_many().put(&good).put(&bad).put(&shop::customer("c3")).await;
    assert!(matches!(batch, Err(Error::Key { entity: "Customer", .. })), "{batch:?}");
    let transaction = db.transaction::<()>().create(&good).upsert(&bad).await;
    let Err(TransactError::Failed(Error::Key { entity, attribute, .. })) = transaction else {
        panic!("{transaction:?}")
    };
    assert_eq!((entity, attribute.as_str()), ("Customer", "pk"));
    let keys = [Customer::by_id(&good.id), Customer::by_id(&bad.id)];
    assert!(matches!(db.get_many(keys).await, Err(Error::Key { .. })));
    assert_eq!(recorder.take(), [], "nothing was sent");
}

async fn with_item(change: impl FnOnce(&mut Item)) -> Db<Shop> {
    let db = Shop::open("shop", Embedded::in_memory());
    db.create_table().await.unwrap();
    let order = shop::order("c1", "o1", "2026-01-02T00:00:00Z");
    let recorder = Arc::new(Recorder::new());
    let recording: Db<Shop> = Db::new("shop", recorder.clone());
    recording.upsert(&shop::customer("c1")).await.unwrap();
    let monotable::backend::Request::PutItem(put) = recorder.take().remove(0) else {
        panic!("an upsert is a put")
    };
    let mut item = put.item.clone();
    change(&mut item);
    db.backend().put_item(PutItem { item, ..put }).await.unwrap();
    db.create(&order).await.unwrap();
    db
}

#[tokio::test]
async fn a_foreign_item_in_a_collection_is_reported_with_its_key() {
    let db = with_item(|item| drop(item.insert("_t".into(), Value::from("Invoice")))).await;
    let rows = db.query(CustomerRow::of(CustomerId("c1".into()))).all().await;
    let Err(Error::Decode(error)) = rows else { panic!("{rows:?}") };
    assert_eq!(error.entity, "CustomerRow");
    assert_eq!(error.fault, DecodeFault::Foreign { found: Some("Invoice".into()) });
    assert_eq!(
        error.to_string(),
        "CustomerRow pk=CUST#c1 sk=PROFILE: the item is of type \"Invoice\""
    );

    let db = with_item(|item| drop(item.remove("_t"))).await;
    let rows = db.query(CustomerRow::of(CustomerId("c1".into()))).all().await;
    let Err(Error::Decode(error)) = rows else { panic!("{rows:?}") };
    assert_eq!(error.fault, DecodeFault::Foreign { found: None });
    assert_eq!(error.to_string(), "CustomerRow pk=CUST#c1 sk=PROFILE: the item has no type");
}

#[tokio::test]
async fn an_attribute_that_is_missing_or_wrong_is_reported_with_its_key() {
    let key = || Customer::by_id(CustomerId("c1".into()));
    let db = with_item(|item| drop(item.remove("name"))).await;
    let read = db.get(key()).await;
    let Err(Error::Decode(error)) = read else { panic!("{read:?}") };
    assert_eq!(error.to_string(), "Customer pk=CUST#c1 sk=PROFILE: name is missing");

    let db = with_item(|item| drop(item.insert("visits".into(), Value::from("many")))).await;
    let rows = db.query(CustomerRow::of(CustomerId("c1".into()))).all().await;
    let Err(Error::Decode(error)) = rows else { panic!("{rows:?}") };
    let reason = ValueError::unexpected("type N", "type S");
    assert_eq!(error.fault, DecodeFault::Value { attribute: "visits", reason });
    assert_eq!(
        error.to_string(),
        "Customer pk=CUST#c1 sk=PROFILE: visits: expected type N, found type S"
    );
    let order = shop::order("c1", "o1", "2026-01-02T00:00:00Z");
    assert!(db.get(key_of(&order)).await.unwrap().is_some(), "others are read");
}

#[tokio::test]
async fn a_member_that_is_wrong_inside_of_a_map_is_named() {
    let db = Sensors::open("table", Embedded::in_memory());
    db.create_table().await.unwrap();
    let recorder = Arc::new(Recorder::new());
    let recording: Db<Sensors> = Db::new("table", recorder.clone());
    recording.upsert(&reading()).await.unwrap();
    let monotable::backend::Request::PutItem(mut put) = recorder.take().remove(0) else {
        panic!("an upsert is a put")
    };
    let place = Item::from([("latitude".to_owned(), Value::from("north"))]);
    put.item.insert("place".to_owned(), Value::Map(place));
    db.backend().put_item(put).await.unwrap();
    let read = db.get(Reading::by_sensor("s1").name("roof")).await;
    let Err(Error::Decode(error)) = read else { panic!("{read:?}") };
    assert_eq!(
        error.to_string(),
        "Reading pk=SENSOR#s1 sk=roof: place: expected type N as latitude, found type S"
    );
}

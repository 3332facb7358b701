//! Reading a whole table.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::StreamExt;
use monotable::backend::{Recorder, Request, Segment};
use monotable::db::{Everything, Scanned};
use monotable::prelude::*;
use monotable::{CursorError, DecodeFault, Error, Item, Value};
use monotable_embedded::Embedded;

use super::database;
use super::shop::{self, Customer, CustomerRow, Order, OrderId, Parcel, Shop};

/// Three customers with four orders each, one of which has a number of its own, and a parcel.
async fn filled() -> Db<Shop> {
    let db = database::shop().await;
    for customer in ["c1", "c2", "c3"] {
        db.create(&shop::customer(customer)).await.unwrap();
        for number in 0..4_u64 {
            let placed_at = format!("2026-01-02T00:00:0{number}Z");
            let order = shop::order(customer, &format!("{customer}-{number}"), &placed_at);
            let unique = (number == 0).then(|| format!("n-{customer}"));
            db.create(&Order { total: number, number: unique, ..order }).await.unwrap();
        }
    }
    db.create(&shop::parcel("p1")).await.unwrap();
    db
}

/// The items of [`filled`], with those that hold numbers.
const STORED: u64 = 3 + 12 + 3 + 1;

fn ids(orders: &[Order]) -> BTreeSet<&str> {
    orders.iter().map(|order| order.id.0.as_str()).collect()
}

#[tokio::test]
async fn a_scan_of_an_entity_finds_its_items_and_says_what_it_read() {
    let db = filled().await;
    let scanned: Scanned<Order> = db.scan_everything().all().await.unwrap();
    assert_eq!((scanned.rows.len(), ids(&scanned.rows).len()), (12, 12));
    assert_eq!(scanned.evaluated, STORED);
    assert!(scanned.units >= 0.5 && scanned.misfits.is_empty() && scanned.next.is_none());
    let dear = db.scan_everything().filter(Order::TOTAL.ge(2_u64)).consistent().all().await;
    let dear: Scanned<Order> = dear.unwrap();
    assert_eq!((dear.rows.len(), dear.evaluated), (6, STORED));
    assert!(dear.units >= 2.0 * scanned.units);
}

#[tokio::test]
async fn a_scan_of_a_collection_reports_what_is_no_member() {
    let db = filled().await;
    let scanned: Scanned<CustomerRow> = db.scan_everything().all().await.unwrap();
    let customers = scanned.rows.iter().filter(|row| matches!(row, CustomerRow::Customer(_)));
    assert_eq!((scanned.rows.len(), customers.count()), (15, 3));
    // The items that hold unique numbers belong to their orders.
    let misfits: Vec<String> = scanned.misfits.iter().map(ToString::to_string).collect();
    assert_eq!(misfits, ["CustomerRow pk=PARCEL#p1 sk=PARCEL: the item is of type \"P\""]);
}

#[tokio::test]
async fn an_item_that_cannot_be_read_does_not_end_a_scan() {
    let db = filled().await;
    let backend = db.backend();
    let key = Parcel::by_id("p2").to_item().unwrap();
    let broken = Item::from([("_t".to_owned(), Value::from("P"))]).into_iter().chain(key);
    let put = monotable::backend::PutItem {
        table: "shop".into(),
        item: broken.collect(),
        condition: None,
        names: Default::default(),
        values: Default::default(),
        returns: Default::default(),
        item_on_failure: false,
        capacity: Default::default(),
    };
    backend.put_item(put).await.unwrap();
    let scanned: Scanned<Parcel> = db.scan_everything().all().await.unwrap();
    assert_eq!(scanned.rows, [shop::parcel("p1")]);
    assert!(matches!(scanned.misfits[0].fault, DecodeFault::Missing { attribute: "eta" }));
    let found: Vec<Result<Parcel, Error>> = db.scan_everything().stream().collect().await;
    assert_eq!(found.len(), 2);
    assert_eq!(found.iter().filter(|row| row.is_ok()).count(), 1);
}

#[tokio::test]
async fn segments_and_sealed_cursors_find_every_item_once() {
    let db = filled().await;
    let mut found = Vec::new();
    let mut sealed: Option<String> = None;
    let mut pages = 0;
    loop {
        let scan = db.scan_everything::<Order>().segments(3).limit(2);
        let scan = match &sealed {
            Some(sealed) => scan.after(Cursor::open(sealed, b"secret").unwrap()),
            None => scan,
        };
        let page = scan.await.unwrap();
        pages += 1;
        assert!(page.evaluated <= 6);
        found.extend(page.rows);
        match page.next {
            Some(cursor) => sealed = Some(cursor.seal(b"secret")),
            None => break,
        }
    }
    assert!(pages > 2);
    assert_eq!((found.len(), ids(&found).len()), (12, 12));
    let sealed = sealed.unwrap();
    let other = Cursor::<Everything<Customer>>::open(&sealed, b"secret").unwrap_err();
    assert_eq!(other, CursorError::OtherPattern);
}

#[tokio::test]
async fn workers_share_a_table_by_its_segments() {
    let db = filled().await;
    let mut found = BTreeSet::new();
    for number in 0..4 {
        let part = db.scan_everything::<Order>().segment(number, 4).limit(3).all().await.unwrap();
        for OrderId(id) in part.rows.into_iter().map(|order| order.id) {
            assert!(found.insert(id));
        }
    }
    assert_eq!(found.len(), 12);
}

#[tokio::test]
async fn a_scan_asks_for_the_type_and_the_units_and_nothing_else() {
    let recorder = Arc::new(Recorder::new());
    let db: Db<Shop> = Db::new("shop", recorder.clone());
    db.scan_everything::<Parcel>().segment(1, 4).await.unwrap();
    db.scan_everything::<CustomerRow>().await.unwrap();
    let requests = recorder.take();
    let [Request::Scan(of_entity), Request::Scan(of_all)] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    assert_eq!(of_entity.filter.as_deref(), Some("#n0 = :v0"));
    assert_eq!(of_entity.values[":v0"], Value::from("P"));
    assert_eq!(of_entity.segment, Some(Segment { number: 1, of: 4 }));
    assert_eq!((&of_all.filter, of_all.segment), (&None, None));
    for (number, of) in [(4, 4), (0, 0), (5, 1_000_001)] {
        let refused = db.scan_everything::<Parcel>().segment(number, of).await.unwrap_err();
        assert_eq!(refused, Error::Segment { number, of });
    }
    assert!(db.scan_everything::<Parcel>().segments(2_000_000).await.is_err());
    assert!(recorder.take().is_empty());
}

#[derive(Table)]
#[table(pk = "pk", entities(Cat, Dog))]
pub struct Shelter;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shelter)]
#[key(by_name: pk = "CAT#{name}")]
pub struct Cat {
    pub name: String,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shelter)]
#[key(by_name: pk = "DOG#{name}")]
pub struct Dog {
    pub name: String,
}

#[tokio::test]
async fn without_a_type_attribute_items_are_known_by_their_keys() {
    let db = Shelter::open("shelter", Embedded::in_memory());
    db.create_table().await.unwrap();
    let (cat, dog) = (Cat { name: "Tom".into() }, Dog { name: "Rex".into() });
    db.create(&cat).await.unwrap();
    db.create(&dog).await.unwrap();
    let cats = db.scan_everything::<Cat>().all().await.unwrap();
    assert_eq!((cats.rows, cats.evaluated), (vec![cat], 2));
}

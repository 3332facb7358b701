//! Reading a whole index, and reading whole tables and indexes as views.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::TryStreamExt;
use monotable::backend::{Names, Recorder, Request, Scan};
use monotable::db::{Entries, Everything, Scanned};
use monotable::prelude::*;
use monotable::{CursorError, Item};
use monotable_embedded::Embedded;

use super::database;
use super::shop::{self, Order, Parcel, Shop, Status, order, parcel};
use super::views::{Label, OrderLine};

/// Six orders, of which four are open, and two parcels that are in the same index.
async fn shop_with_orders() -> Db<Shop> {
    let db = database::shop().await;
    for number in 0..6_u64 {
        let placed_at = format!("2026-01-0{}T00:00:00Z", number + 1);
        let order = shop::order("c1", &format!("o{number}"), &placed_at);
        let status = if number < 4 { Status::Open } else { Status::Paid };
        db.create(&Order { status, total: number, ..order }).await.unwrap();
    }
    for id in ["p1", "p2"] {
        db.create(&shop::parcel(id)).await.unwrap();
    }
    db
}

#[tokio::test]
async fn a_scan_of_an_index_finds_the_items_of_its_pattern_and_pays_for_all_entries() {
    let db = shop_with_orders().await;
    let open = db.scan_index::<order::ByStatus>().all().await.unwrap();
    assert_eq!((open.rows.len(), open.evaluated), (4, 6));
    assert!(open.rows.iter().all(|order: &Order| order.status == Status::Open));
    assert!(open.units > 0.0 && open.misfits.is_empty() && open.next.is_none());
    let carried = db.scan_index::<parcel::ByCarrier>().all().await.unwrap();
    assert_eq!((carried.rows.len(), carried.evaluated), (2, 6));
    let dear = db.scan_index::<order::ByStatus>().filter(Order::TOTAL.ge(2_u64)).all().await;
    assert_eq!(dear.unwrap().rows.len(), 2);
}

#[tokio::test]
async fn an_index_that_holds_some_attributes_is_scanned_for_its_rows() {
    let db = shop_with_orders().await;
    let scanned = db.scan_index::<order::ByDay>().all().await.unwrap();
    let totals: BTreeSet<u64> = scanned.rows.iter().map(|row| row.total).collect();
    assert_eq!(totals, (0..6).collect());
    let rows: Vec<order::ByDayRow> =
        db.scan_index::<order::ByDay>().stream().try_collect().await.unwrap();
    assert_eq!(rows.len(), 6);
}

#[tokio::test]
async fn tables_and_indexes_are_scanned_for_views() {
    let db = shop_with_orders().await;
    let lines = db.scan_everything::<Order>().view::<OrderLine>().consistent().all().await;
    let lines: Scanned<OrderLine, Everything<Order>> = lines.unwrap();
    let of_index = db.scan_index::<order::ByDay>().view::<OrderLine>().all().await.unwrap();
    let totals = |lines: &[OrderLine]| lines.iter().map(|it| it.total).collect::<BTreeSet<_>>();
    assert_eq!(totals(&lines.rows), (0..6).collect());
    assert_eq!(totals(&of_index.rows), totals(&lines.rows));
    assert_eq!((lines.misfits.len(), of_index.misfits.len()), (0, 0));
    let labels = db.scan_everything::<Parcel>().view::<Label>().segments(2).all().await.unwrap();
    assert_eq!(labels.rows.len(), 2);
}

#[tokio::test]
async fn segments_and_sealed_cursors_find_every_entry_once() {
    let db = shop_with_orders().await;
    let mut found = Vec::new();
    let mut sealed: Option<String> = None;
    loop {
        let scan = db.scan_index::<order::ByDay>().view::<OrderLine>().segments(2).limit(1);
        let scan = match &sealed {
            Some(sealed) => scan.after(Cursor::open(sealed, b"secret").unwrap()),
            None => scan,
        };
        let page = scan.await.unwrap();
        assert!(page.evaluated <= 2);
        found.extend(page.rows.into_iter().map(|line| line.total));
        match page.next {
            Some(cursor) => sealed = Some(cursor.seal(b"secret")),
            None => break,
        }
    }
    found.sort_unstable();
    assert_eq!(found, (0..6).collect::<Vec<u64>>());
    let sealed = sealed.unwrap();
    let refused = CursorError::OtherPattern;
    assert_eq!(Cursor::<order::ByDay>::open(&sealed, b"secret").unwrap_err(), refused);
    assert_eq!(Cursor::<Everything<Order>>::open(&sealed, b"secret").unwrap_err(), refused);
    assert_eq!(Cursor::<Entries<order::ByStatus>>::open(&sealed, b"secret").unwrap_err(), refused);
}

fn asked(scan: &Scan) -> String {
    let names: &Names = &scan.names;
    let projection = scan.projection.as_deref().unwrap_or_default();
    let asked = projection.split(", ").map(|name| names.get(name).cloned().unwrap_or_default());
    asked.collect::<Vec<String>>().join(" ")
}

#[tokio::test]
async fn a_scan_asks_for_the_index_its_type_and_the_fields_of_the_view() {
    let recorder = Arc::new(Recorder::new());
    let db: Db<Shop> = Db::new("shop", recorder.clone());
    db.scan_index::<order::ByStatus>().await.unwrap();
    db.scan_index::<order::ByDay>().view::<OrderLine>().await.unwrap();
    db.scan_everything::<Parcel>().view::<Label>().await.unwrap();
    let requests = recorder.take();
    let [Request::Scan(whole), Request::Scan(narrow), Request::Scan(table)] = requests.as_slice()
    else {
        panic!("{requests:?}");
    };
    assert_eq!((whole.index.as_deref(), &whole.projection), (Some("Gsi1"), &None));
    assert_eq!(whole.filter.as_deref(), Some("#n0 = :v0"));
    // The index holds no types: items are told apart by their keys and what they must have.
    assert_eq!((narrow.index.as_deref(), &narrow.filter), (Some("Gsi2"), &None));
    assert_eq!(asked(narrow), "gsi2pk gsi2sk pk sk status total");
    assert_eq!((&table.index, asked(table).as_str()), (&None, "pk sk _t id rmk"));
}

#[derive(Table)]
#[table(pk = "pk", sk = "sk", entities(Cat, Dog))]
#[gsi(ByHome, pk = "gsi1pk", sk = "gsi1sk", project(name, age))]
#[lsi(ByAge, sk = "age": number)]
pub struct Shelter;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shelter)]
#[key(by_name: pk = "CAT#{name}", sk = "ANIMAL")]
#[index(ByHome by_home: pk = "HOME#{home}", sk = "CAT#{name}", view(age))]
#[local(ByAge by_age: sk = "{age:number}")]
pub struct Cat {
    pub name: String,
    pub home: String,
    pub age: u32,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Shelter)]
#[key(by_name: pk = "DOG#{name}", sk = "ANIMAL")]
#[index(ByHome by_home: pk = "HOME#{home}", sk = "DOG#{name}", view(age))]
pub struct Dog {
    pub name: String,
    pub home: String,
    pub age: u32,
}

#[derive(View, Debug, PartialEq)]
#[view(Cat, cat::ByHome)]
pub struct Age {
    pub age: u32,
}

#[derive(Collection, Debug, PartialEq)]
#[collection(Shelter, index = ByAge, parts(name: String), pk = "CAT#{name}")]
pub enum Aged {
    Cat(Cat),
}

async fn shelter() -> Db<Shelter> {
    let db = Shelter::open("shelter", Embedded::in_memory());
    db.create_table().await.unwrap();
    db.create(&Cat { name: "Tom".into(), home: "Rome".into(), age: 7 }).await.unwrap();
    db.create(&Dog { name: "Rex".into(), home: "Rome".into(), age: 9 }).await.unwrap();
    db
}

#[tokio::test]
async fn without_a_type_attribute_entries_are_known_by_their_keys() {
    let db = shelter().await;
    let cats = db.scan_index::<cat::ByHome>().all().await.unwrap();
    assert_eq!((cats.rows.len(), cats.evaluated), (1, 2));
    assert_eq!(cats.rows[0].name, "Tom");
    let ages = db.scan_index::<cat::ByHome>().view::<Age>().all().await.unwrap();
    assert_eq!(ages.rows, [Age { age: 7 }]);
    let ages = db.scan_everything::<Cat>().view::<Age>().all().await.unwrap();
    assert_eq!((ages.rows.as_slice(), ages.evaluated), ([Age { age: 7 }].as_slice(), 2));
}

#[tokio::test]
async fn a_local_index_is_scanned_consistently_and_a_collection_reports_what_is_no_member() {
    let db = shelter().await;
    let cats = db.scan_index::<cat::ByAge>().consistent().all().await.unwrap();
    assert_eq!((cats.rows.len(), cats.evaluated), (1, 2));
    let all = db.scan_index::<Aged>().all().await.unwrap();
    assert_eq!((all.rows.len(), all.misfits.len()), (1, 1));
    let key: &Item = &all.misfits[0].key;
    assert_eq!(key["pk"], "DOG#Rex".into());
}

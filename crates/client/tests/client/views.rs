//! Reading some of the fields of items.

use std::sync::Arc;

use monotable::backend::{Recorder, Request};
use monotable::prelude::*;
use monotable::{Error, assert_cost};
use monotable_embedded::Embedded;

use super::database;
use super::shop::{self, CustomerId, Order, OrderId, Parcel, Shop, Status, key_of, order};

/// What a list of orders shows. The index of days holds it too.
#[derive(View, Debug, Clone, PartialEq)]
#[view(Order, order::ByDay)]
pub struct OrderLine {
    pub id: OrderId,
    pub customer_id: CustomerId,
    pub total: u64,
    pub status: Status,
}

/// What a label says: a part of the key that is nowhere else, and an attribute with another name.
#[derive(View, Debug, Clone, PartialEq)]
#[view(Parcel)]
pub struct Label {
    pub id: String,
    pub remark: Option<String>,
}

fn line(order: &Order) -> OrderLine {
    OrderLine {
        id: order.id.clone(),
        customer_id: order.customer_id.clone(),
        total: order.total,
        status: order.status,
    }
}

async fn with_orders(count: usize) -> (Db<Shop>, Vec<Order>) {
    let db = database::shop().await;
    let mut orders = Vec::new();
    for number in 0..count {
        let placed_at = format!("2026-01-02T00:00:{number:02}Z");
        let order = shop::order("c1", &format!("o{number:02}"), &placed_at);
        orders.push(db.create(&order).await.unwrap());
    }
    (db, orders)
}

#[tokio::test]
async fn a_view_of_an_item_is_read_by_its_key_for_the_units_of_the_item() {
    let (db, orders) = with_orders(1).await;
    let key = key_of(&orders[0]);
    let found =
        assert_cost!(db, 0.5 RCU, { db.get(key.clone()).view::<OrderLine>().await.unwrap() });
    assert_eq!(found, Some(line(&orders[0])));
    let consistent = db.get(key).view::<OrderLine>().consistent().await.unwrap();
    assert_eq!(consistent, found);
    let parcel = shop::parcel("p1");
    db.create(&Parcel { remark: Some("fragile".into()), ..parcel }).await.unwrap();
    let label = db.get(Parcel::by_id("p1")).view::<Label>().await.unwrap();
    assert_eq!(label, Some(Label { id: "p1".into(), remark: Some("fragile".into()) }));
    assert_eq!(db.get(Parcel::by_id("p2")).view::<Label>().await.unwrap(), None);
}

#[tokio::test]
async fn pages_cursors_and_counts_of_a_view_are_those_of_its_items() {
    let (db, orders) = with_orders(5).await;
    let lines: Vec<OrderLine> = orders.iter().map(line).collect();
    let customer = CustomerId("c1".into());
    let query = || db.query(Order::by_customer(&customer)).view::<OrderLine>();
    let first = query().exactly(2).await.unwrap();
    assert_eq!(first.rows(), &lines[..2]);
    let second = query().after(first.next().unwrap()).exactly(2).await.unwrap();
    assert_eq!(second.rows(), &lines[2..4]);
    let before = query().before(second.previous().unwrap()).limit(2).await.unwrap();
    assert_eq!(before.into_rows(), lines[..2]);
    assert_eq!(query().desc().first().await.unwrap().as_ref(), lines.last());
    assert_eq!(query().count().await.unwrap(), 5);
    let filtered = query().filter(Order::NOTE.is_missing()).all().await.unwrap();
    assert_eq!(filtered, lines);
}

#[tokio::test]
async fn an_index_that_holds_a_view_is_read_for_it_over_all_shards() {
    let (db, orders) = with_orders(5).await;
    let lines: Vec<OrderLine> = orders.iter().map(line).collect();
    let day = orders[0].placed_at;
    assert_eq!(db.query(Order::by_day(day)).view::<OrderLine>().all().await.unwrap(), lines);
    let open = db.query(Order::by_status(Status::Open)).view::<OrderLine>().all().await;
    assert_eq!(open.unwrap(), lines);
}

#[tokio::test]
async fn only_the_fields_the_keys_and_the_type_are_asked_for() {
    let recorder = Arc::new(Recorder::new());
    let db: Db<Shop> = Db::new("shop", recorder.clone());
    let order = shop::order("c1", "o1", "2026-01-02T00:00:00Z");
    db.get(Parcel::by_id("p1")).view::<Label>().await.unwrap();
    let _ = db.query(Order::by_day(order.placed_at)).view::<OrderLine>().first().await.unwrap();
    db.query(Order::by_customer(&order.customer_id)).view::<OrderLine>().count().await.unwrap();
    let requests = recorder.take();
    let Request::GetItem(get) = &requests[0] else { panic!("{requests:?}") };
    let asked = |projection: &Option<String>, names: &monotable::backend::Names| {
        let projection = projection.as_deref().unwrap_or_default();
        let asked = projection.split(", ").map(|name| names[name].clone());
        asked.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(asked(&get.projection, &get.names), "pk sk _t id rmk");
    let Request::Query(query) = &requests[1] else { panic!("{requests:?}") };
    assert_eq!(asked(&query.projection, &query.names), "gsi2pk gsi2sk pk sk total status");
    let Some(Request::Query(count)) = requests.last() else { panic!("{requests:?}") };
    assert_eq!(count.projection, None);
}

#[derive(Table)]
#[table(pk = "pk", entities(Cat, Dog))]
pub struct Shelter;

#[derive(Entity, Debug)]
#[entity(table = Shelter)]
#[key(by_name: pk = "{name}")]
pub struct Cat {
    pub name: String,
    pub age: u32,
}

#[derive(Entity, Debug)]
#[entity(table = Shelter)]
#[key(by_name: pk = "{name}")]
pub struct Dog {
    pub name: String,
}

#[derive(View, Debug)]
#[view(Cat)]
pub struct Age {
    pub age: u32,
}

#[tokio::test]
async fn an_item_that_lacks_a_field_of_a_view_is_an_error() {
    let db = Shelter::open("shelter", Embedded::in_memory());
    db.create_table().await.unwrap();
    db.create(&Dog { name: "Rex".into() }).await.unwrap();
    db.create(&Cat { name: "Tom".into(), age: 7 }).await.unwrap();
    let found = db.get(Cat::by_name("Tom")).view::<Age>().await.unwrap();
    assert_eq!(found.map(|it| it.age), Some(7));
    let refused = db.get(Cat::by_name("Rex")).view::<Age>().await.unwrap_err();
    let Error::Decode(refused) = refused else { panic!("{refused:?}") };
    assert_eq!(refused.to_string(), "Cat pk=Rex: age is missing");
}

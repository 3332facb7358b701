//! Changes of items are read as entities.

use monotable::prelude::*;
use monotable::stream::{ChangeKind, StreamRecord};
use monotable::{DecodeFault, Item, Value};

use super::shop::{self, Customer, CustomerId, CustomerRow, Order, Parcel, Shop, key_of};
use super::versions;

/// Everything in the table, whatever its partition.
#[derive(Collection, Debug, PartialEq)]
#[collection(Shop)]
pub enum ShopItem {
    Customer(Customer),
    Order(Order),
    Parcel(Parcel),
}

/// The item that `create` writes.
async fn item_of<E: Entity<Table = T>, T: Table>(entity: &E) -> Item {
    let recorder = std::sync::Arc::new(monotable::backend::Recorder::new());
    let db: Db<T> = Db::new("shop", recorder.clone());
    let _ = db.create(entity).await;
    match recorder.take().remove(0) {
        monotable::backend::Request::PutItem(put) => put.item,
        other => panic!("{other:?}"),
    }
}

fn keys_of(item: &Item) -> Item {
    let mut key = item.clone();
    key.retain(|name, _| name == "pk" || name == "sk");
    key
}

async fn change_of_a_customer() -> (Customer, Customer, StreamRecord) {
    let before = shop::customer("c1");
    let after = Customer { visits: 1, ..before.clone() };
    let (old, new) = (item_of(&before).await, item_of(&after).await);
    let record = StreamRecord::new(ChangeKind::Modify, keys_of(&old), Some(old), Some(new));
    (before, after, record)
}

#[tokio::test]
async fn a_record_has_the_entity_before_and_after() {
    let (before, after, record) = change_of_a_customer().await;
    let read = record.clone().read::<Customer>().unwrap();
    assert_eq!((read.kind, read.old, read.new), (ChangeKind::Modify, Some(before), Some(after)));
    let key = record.key_of::<Customer>().unwrap();
    assert_eq!(key, Customer::by_id(CustomerId("c1".into())));
    assert!(record.key_of::<Parcel>().is_err());
}

#[tokio::test]
async fn a_record_is_read_as_a_collection_and_as_the_whole_table() {
    let (before, after, record) = change_of_a_customer().await;
    let read = record.clone().read::<CustomerRow>().unwrap();
    assert_eq!(read.new, Some(CustomerRow::Customer(after)));
    let read = record.read::<ShopItem>().unwrap();
    assert_eq!(read.old, Some(ShopItem::Customer(before)));

    let parcel = shop::parcel("p1");
    let item = item_of(&parcel).await;
    let record = StreamRecord::new(ChangeKind::Insert, keys_of(&item), None, Some(item));
    assert_eq!(record.clone().read::<ShopItem>().unwrap().new, Some(ShopItem::Parcel(parcel)));
    let error = record.read::<CustomerRow>().unwrap_err();
    assert_eq!(error.fault, DecodeFault::Foreign { found: Some("P".into()) });
}

#[tokio::test]
async fn a_foreign_item_is_an_error_or_passed_over() {
    let (_, _, record) = change_of_a_customer().await;
    let error = record.clone().read::<Order>().unwrap_err();
    assert_eq!(error.fault, DecodeFault::Foreign { found: Some("Customer".into()) });
    assert_eq!(error.to_string(), "Order pk=CUST#c1 sk=PROFILE: the item is of type \"Customer\"");
    assert_eq!(record.clone().read_known::<Order>().unwrap(), None);
    assert!(record.read_known::<Customer>().unwrap().is_some());
}

#[tokio::test]
async fn an_item_that_becomes_another_entity_has_one_image_of_each() {
    let (_, _, mut record) = change_of_a_customer().await;
    let old = record.old.as_mut().unwrap();
    old.insert("_t".to_owned(), Value::from("Guest"));
    let read = record.read_known::<Customer>().unwrap().unwrap();
    assert_eq!((read.old.is_some(), read.new.is_some()), (false, true));
}

#[tokio::test]
async fn what_cannot_be_read_is_an_error_and_not_passed_over() {
    let (_, _, mut record) = change_of_a_customer().await;
    record.new.as_mut().unwrap().remove("name");
    let error = record.read_known::<ShopItem>().unwrap_err();
    assert_eq!(error.fault, DecodeFault::Missing { attribute: "name" });
}

#[tokio::test]
async fn a_stream_of_keys_alone_is_told_apart_by_them() {
    let order = shop::order("c1", "o1", "2026-01-02T00:00:00Z");
    let key = key_of(&order).to_item().unwrap();
    let record = StreamRecord::new(ChangeKind::Remove, key, None, None);
    assert!(record.clone().read::<Order>().is_ok());
    assert_eq!(record.clone().read_known::<Customer>().unwrap(), None);
    assert_eq!(record.key_of::<Order>().unwrap(), key_of(&order));
}

#[tokio::test]
async fn an_image_of_an_older_version_is_the_current_struct() {
    let old = versions::first_version();
    let record = StreamRecord::new(ChangeKind::Remove, keys_of(&old), Some(old), None);
    let read = record.read::<versions::ClubRow>().unwrap();
    assert_eq!(read.old, Some(versions::ClubRow::Member(versions::ada())));
}

//! Unique values in transactions, and whole items that replace others.

use monotable::db::TransactError;
use monotable::prelude::*;

use super::database;
use super::shop::{self, Order, OrderId, Parcel, Shop, key_of};

fn numbered(id: &str, number: &str) -> Order {
    let order = shop::order("c1", id, "2026-01-02T00:00:00Z");
    Order { number: Some(number.to_owned()), ..order }
}

async fn refusal(
    transaction: monotable::db::Transaction<Shop, &'static str>,
) -> monotable::db::Refusal<&'static str> {
    match transaction.await {
        Err(TransactError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_refused_step_names_the_unique_value_that_is_taken() {
    let db = database::shop().await;
    let first = db.create(&numbered("o1", "n1")).await.unwrap();
    let parcel = shop::parcel("p1");
    let twice = db.transaction().create(&parcel).create(&numbered("o2", "n1")).or("twice");
    let refused = refusal(twice).await;
    assert_eq!((refused.at, refused.error, refused.current), (1, Some("twice"), None));
    let taken = refused.taken.expect("it says why");
    assert_eq!((taken.attribute, taken.by), ("number", key_of(&first).to_item().ok()));
    assert_eq!(db.get(Parcel::by_id("p1")).await.unwrap(), None);

    let second = db.create(&numbered("o2", "n2")).await.unwrap();
    let number = |text: &str| Some(text.to_owned());
    let swap = patch(key_of(&second)).number_from(number("n2"), number("n1"));
    let refused = refusal(db.transaction().patch(swap).or("swapped")).await;
    assert_eq!(refused.taken.map(|it| it.attribute), Some("number"));

    let again = refusal(db.transaction().create(&first).or("exists")).await;
    assert_eq!(again.current::<Order>(), Some(first));
    assert_eq!(again.taken, None);
}

#[tokio::test]
async fn an_item_is_removed_together_with_its_unique_values() {
    let db = database::shop().await;
    let order = db.create(&numbered("o1", "n1")).await.unwrap();
    let parcel = shop::parcel("p1");
    let cancel = || db.transaction().delete_item(&order).or("gone").create(&parcel);
    cancel().await.unwrap();
    assert_eq!(db.get(key_of(&order)).await.unwrap(), None);
    let refused = refusal(cancel()).await;
    assert_eq!((refused.at, refused.error), (0, Some("gone")));

    // The number is free.
    let other = db.create(&numbered("o2", "n1")).await.unwrap();
    let stale = Order { number: Some("n9".to_owned()), ..other.clone() };
    let refused = refusal(db.transaction().delete_item(&stale).or("stale")).await;
    assert_eq!(refused.current::<Order>(), Some(other.clone()));
    let none = Order { number: None, ..other };
    assert_eq!(refusal(db.transaction().delete_item(&none).or("stale")).await.at, 0);
    let unknown = Order { id: OrderId("o9".into()), number: None, ..order };
    assert_eq!(refusal(db.transaction().delete_item(&unknown).or("gone")).await.at, 0);
}

mod notes {
    use monotable::prelude::*;

    #[derive(Table)]
    #[table(pk = "pk", sk = "sk", entities(Note))]
    pub struct Notes;

    #[derive(Entity, Debug, Clone, PartialEq)]
    #[entity(table = Notes)]
    #[key(by_id: pk = "NOTE#{id}", sk = "NOTE")]
    pub struct Note {
        pub id: String,
        pub text: String,
        #[attr(name = "r", lock)]
        pub rev: u64,
    }
}

#[tokio::test]
async fn an_item_replaces_only_what_it_was_made_from() {
    use notes::{Note, Notes};
    let db = Notes::open("notes", monotable_embedded::Embedded::in_memory());
    db.create_table().await.unwrap();
    let first =
        db.create(&Note { id: "n".to_owned(), text: "a".to_owned(), rev: 1 }).await.unwrap();
    let second = Note { text: "b".to_owned(), ..first.clone() };
    let second = db.upsert(&second).if_rev(first.rev).await.unwrap();
    assert_eq!((second.text.as_str(), second.rev), ("b", 2));

    let lost = db.upsert(&first).if_rev(first.rev).await;
    let not_met = |current| Err(WriteError::NotMet { current });
    assert_eq!(lost, not_met(Some(second.clone())));
    let refused = db.upsert(&first).when(Note::TEXT.is("a")).await;
    assert_eq!(refused, not_met(Some(second.clone())));
    let other = Note { id: "m".to_owned(), ..first };
    assert_eq!(db.upsert(&other).if_exists().await, not_met(None));
    assert_eq!(db.get(Note::by_id("n")).await.unwrap(), Some(second));
}

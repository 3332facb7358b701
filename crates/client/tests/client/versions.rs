//! Items of older versions are read as the current one; those of unknown versions are refused.

use monotable::backend::{GetItem, PutItem, Request};
use monotable::prelude::*;
use monotable::{DecodeFault, Error, Item, Value, model_of};
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "_t", version_attr = "_v", entities(Member, Note))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
pub struct Club;

/// Version 1 had one name and no badge; version 2 had two names.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Club, version = 3, older(1 = MemberV1, 2 = MemberV2))]
#[key(by_id: pk = "CLUB#{club}", sk = "MEMBER#{id}")]
#[index(Gsi1 by_name: pk = "LAST#{last}", sk = "{first}#{id}")]
#[unique(badge)]
pub struct Member {
    pub club: String,
    #[attr(key_only)]
    pub id: String,
    pub first: String,
    pub last: String,
    pub badge: String,
    pub visits: u32,
}

#[derive(Attribute)]
pub struct MemberV1 {
    club: String,
    id: String,
    name: String,
    visits: Option<u32>,
}

#[derive(Attribute)]
pub struct MemberV2 {
    club: String,
    id: String,
    first: String,
    last: String,
    visits: Option<u32>,
}

impl From<MemberV1> for Member {
    fn from(old: MemberV1) -> Member {
        let (first, last) = old.name.split_once(' ').unwrap_or((&old.name, "-"));
        let (first, last) = (first.to_owned(), last.to_owned());
        MemberV2 { club: old.club, id: old.id, first, last, visits: old.visits }.into()
    }
}

impl From<MemberV2> for Member {
    fn from(old: MemberV2) -> Member {
        let badge = format!("{}-{}", old.club, old.id);
        let MemberV2 { club, id, first, last, visits } = old;
        Member { club, id, first, last, badge, visits: visits.unwrap_or_default() }
    }
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Club, version = 1)]
#[key(by_id: pk = "CLUB#{club}", sk = "NOTE#{id}")]
pub struct Note {
    pub club: String,
    pub id: String,
    pub text: String,
}

#[derive(Collection, Debug, PartialEq)]
#[collection(Club, pk = "CLUB#{club}")]
pub enum ClubRow {
    Member(Member),
    Note(Note),
}

async fn club() -> Db<Club> {
    let db = Club::open("club", Embedded::in_memory());
    db.create_table().await.unwrap();
    db
}

fn item<const N: usize>(members: [(&str, Value); N]) -> Item {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

async fn store(db: &Db<Club>, item: Item) {
    let put = PutItem {
        table: "club".into(),
        item,
        condition: None,
        names: Default::default(),
        values: Default::default(),
        returns: Default::default(),
        item_on_failure: false,
        capacity: Default::default(),
    };
    db.backend().put_item(put).await.unwrap();
}

async fn stored(db: &Db<Club>, key: Item) -> Item {
    let request = GetItem {
        table: "club".into(),
        key,
        consistent: true,
        projection: None,
        names: Default::default(),
        capacity: Default::default(),
    };
    db.backend().get_item(request).await.unwrap().item.unwrap()
}

/// A member as the first version wrote it: before versions were kept.
pub(crate) fn first_version() -> Item {
    item([
        ("pk", Value::from("CLUB#c1")),
        ("sk", Value::from("MEMBER#m1")),
        ("_t", Value::from("Member")),
        ("club", Value::from("c1")),
        ("name", Value::from("Ada Lovelace")),
        ("gsi1pk", Value::from("LAST#Lovelace")),
        ("gsi1sk", Value::from("Ada#m1")),
    ])
}

fn second_version() -> Item {
    item([
        ("pk", Value::from("CLUB#c1")),
        ("sk", Value::from("MEMBER#m2")),
        ("_t", Value::from("Member")),
        ("_v", Value::from(2)),
        ("club", Value::from("c1")),
        ("first", Value::from("Grace")),
        ("last", Value::from("Hopper")),
        ("visits", Value::from(7)),
    ])
}

fn member(id: &str, first: &str, last: &str, visits: u32) -> Member {
    Member {
        club: "c1".to_owned(),
        id: id.to_owned(),
        first: first.to_owned(),
        last: last.to_owned(),
        badge: format!("c1-{id}"),
        visits,
    }
}

pub(crate) fn ada() -> Member {
    member("m1", "Ada", "Lovelace", 0)
}

fn key(id: &str) -> Key<Member> {
    Member::by_id("c1").id(id)
}

#[tokio::test]
async fn an_older_item_is_the_current_struct_wherever_it_is_read() {
    let db = club().await;
    store(&db, first_version()).await;
    store(&db, second_version()).await;
    let grace = member("m2", "Grace", "Hopper", 7);

    assert_eq!(db.get(key("m1")).await.unwrap(), Some(ada()));
    assert_eq!(db.get(key("m2")).await.unwrap(), Some(grace.clone()));
    let page = db.query(Member::by_id("c1")).await.unwrap();
    assert_eq!(page.rows(), [ada(), grace.clone()]);
    let by_name = db.query(Member::by_name("Lovelace")).all().await.unwrap();
    assert_eq!(by_name, [ada()]);
    let rows = db.query(ClubRow::of("c1")).all().await.unwrap();
    assert_eq!(rows, [ClubRow::Member(ada()), ClubRow::Member(grace.clone())]);
    let found = db.get_many([key("m2"), key("m1")]).await.unwrap().found;
    assert_eq!(found, [Some(grace), Some(ada())]);
    assert_eq!(stored(&db, key("m1").to_item().unwrap()).await, first_version(), "only read");
}

#[tokio::test]
async fn every_write_stores_the_current_version() {
    let db = club().await;
    db.create(&ada()).await.unwrap();
    let item = stored(&db, key("m1").to_item().unwrap()).await;
    assert_eq!(item.get("_v"), Some(&Value::from(3)));

    let note = Note { club: "c1".into(), id: "n1".into(), text: "hello".into() };
    db.upsert(&note).await.unwrap();
    let key = Note::by_id("c1").id("n1");
    assert_eq!(stored(&db, key.to_item().unwrap()).await.get("_v"), Some(&Value::from(1)));
    db.patch(key.clone()).text("goodbye").await.unwrap();
    assert_eq!(stored(&db, key.to_item().unwrap()).await.get("_v"), Some(&Value::from(1)));
}

#[tokio::test]
async fn a_patch_of_an_older_item_makes_it_current_first() {
    let db = club().await;
    store(&db, first_version()).await;
    let patched = db.patch(key("m1")).visits(add(1_u32)).await.unwrap();
    assert_eq!(patched, Member { visits: 1, ..ada() });
    let item = stored(&db, key("m1").to_item().unwrap()).await;
    assert_eq!(item.get("_v"), Some(&Value::from(3)));
    assert_eq!(item.get("name"), None, "what the current version does not have is gone");
    assert_eq!(item.get("badge"), Some(&Value::from("c1-m1")));

    // The badge is taken from then on.
    let twin = Member { badge: "c1-m1".into(), ..member("m9", "Eve", "X", 0) };
    let refused = db.create(&twin).await;
    assert!(matches!(refused, Err(WriteError::Taken { attribute: "badge", .. })), "{refused:?}");
}

#[tokio::test]
async fn a_unique_value_of_an_older_item_is_swapped_and_given_free() {
    let db = club().await;
    store(&db, second_version()).await;
    let patch = db.patch(key("m2")).badge_from("c1-m2".to_owned(), "gold".to_owned());
    assert_eq!(patch.await.unwrap().badge, "gold");
    store(&db, first_version()).await;
    assert_eq!(db.delete(key("m1")).await.unwrap(), Some(ada()));
    db.create(&ada()).await.unwrap();
}

#[tokio::test]
async fn an_upgrade_rewrites_once() {
    let db = club().await;
    assert_eq!(db.upgrade(key("m1")).await.unwrap(), None);
    store(&db, first_version()).await;
    assert_eq!(db.upgrade(key("m1")).await.unwrap(), Some(ada()));
    let item = stored(&db, key("m1").to_item().unwrap()).await;
    assert_eq!(item.get("_v"), Some(&Value::from(3)));
    assert_eq!(db.upgrade(key("m1")).await.unwrap(), Some(ada()));
    assert_eq!(stored(&db, key("m1").to_item().unwrap()).await, item);
}

#[tokio::test]
async fn a_unique_value_that_another_has_keeps_an_older_item_as_it_is() {
    let db = club().await;
    db.create(&Member { badge: "c1-m1".into(), ..member("m9", "Eve", "X", 0) }).await.unwrap();
    store(&db, first_version()).await;
    let refused = db.patch(key("m1")).visits(add(1_u32)).await;
    assert!(matches!(refused, Err(WriteError::Taken { attribute: "badge", .. })), "{refused:?}");
    assert_eq!(stored(&db, key("m1").to_item().unwrap()).await, first_version());
}

#[tokio::test]
async fn a_newer_version_is_neither_read_nor_changed() {
    let db = club().await;
    let mut newer = second_version();
    newer.insert("_v".to_owned(), Value::from(4));
    store(&db, newer.clone()).await;

    let expected =
        DecodeFault::Version { attribute: "_v", found: "4".into(), known: vec![1, 2, 3] };
    let Err(Error::Decode(error)) = db.get(key("m2")).await else { panic!("it was read") };
    assert_eq!((error.entity, &error.fault), ("Member", &expected));
    assert_eq!(
        error.to_string(),
        "Member pk=CLUB#c1 sk=MEMBER#m2: _v: version 4 cannot be read, only 1, 2, 3"
    );
    match db.patch(key("m2")).visits(1_u32).await {
        Err(WriteError::Failed(Error::Decode(error))) => assert_eq!(error.fault, expected),
        other => panic!("{other:?}"),
    }
    assert!(db.query(ClubRow::of("c1")).await.is_err());
    assert_eq!(stored(&db, key("m2").to_item().unwrap()).await, newer);
}

#[tokio::test]
async fn an_older_item_that_lacks_an_attribute_is_reported_with_its_key() {
    let db = club().await;
    let mut broken = first_version();
    broken.remove("name");
    store(&db, broken).await;
    let Err(Error::Decode(error)) = db.get(key("m1")).await else { panic!("it was read") };
    assert_eq!(error.fault, DecodeFault::Missing { attribute: "name" });
    assert!(error.to_string().contains("sk=MEMBER#m1"), "{error}");
}

#[tokio::test]
async fn an_item_that_changes_while_it_is_rewritten_is_not_overwritten() {
    let recorder = std::sync::Arc::new(monotable::backend::Recorder::wrap(Embedded::in_memory()));
    let db: Db<Club> = Db::new("club", recorder.clone());
    db.create_table().await.unwrap();
    store(&db, second_version()).await;
    recorder.take();
    db.upgrade(key("m2")).await.unwrap();
    let Some(Request::TransactWriteItems(request)) = recorder.take().pop() else {
        panic!("a badge is unique")
    };

    // A program of version 2 counts a visit before the rewriting arrives.
    let mut changed = second_version();
    changed.insert("visits".to_owned(), Value::from(8));
    store(&db, changed.clone()).await;
    assert!(db.backend().transact_write_items(request).await.is_err());
    assert_eq!(stored(&db, key("m2").to_item().unwrap()).await, changed);
}

#[test]
fn the_model_declares_the_attribute_of_the_version() {
    let model = model_of::<Club>();
    let member = model.entity("Member").unwrap();
    assert_eq!(member.version, Some(3));
    assert!(!member.attribute("_v").unwrap().required);
}

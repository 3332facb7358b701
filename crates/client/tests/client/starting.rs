//! Patches that create the item if there is none.

use std::collections::BTreeSet;

use monotable::backend::GetItem;
use monotable::prelude::*;
use monotable::{DecodeFault, Error, Item, Value};
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "_t", version_attr = "_v", entities(Visits, Task))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
#[gsi(Gsi2, pk = "gsi2pk", sk = "gsi2sk")]
#[gsi(Gsi3, pk = "gsi3pk", sk = "gsi3sk")]
pub struct Site;

/// In one index by parts of its key alone, in one by what may be missing, in one by a stamp.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Site, version = 2, older(1 = VisitsV1))]
#[key(by_page: pk = "PAGE#{page}", sk = "DAY#{day:02}")]
#[index(Gsi1 by_day: pk = "DAY#{day:02}", sk = "{page}")]
#[index(Gsi2 by_label: pk = "LABEL#{label}", sk = "{page}#{day:02}")]
#[index(Gsi3 oldest: pk = "ALL", sk = "{since}#{page}#{day:02}")]
pub struct Visits {
    pub page: String,
    pub day: u8,
    pub count: Option<u64>,
    pub sources: BTreeSet<String>,
    pub label: Option<String>,
    #[attr(created)]
    pub since: Timestamp,
    #[attr(touched)]
    pub last: Timestamp,
    #[attr(lock)]
    pub rev: u64,
}

#[derive(Attribute)]
pub struct VisitsV1 {
    page: String,
    day: u8,
    total: u64,
}

impl From<VisitsV1> for Visits {
    fn from(old: VisitsV1) -> Visits {
        let since: Timestamp = "2020-01-01T00:00:00Z".parse().unwrap();
        Visits {
            page: old.page,
            day: old.day,
            count: Some(old.total),
            sources: BTreeSet::new(),
            label: None,
            since,
            last: since,
            rev: 1,
        }
    }
}

/// In the index because it lacks an attribute.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Site)]
#[key(by_id: pk = "TASK#{id}", sk = "TASK")]
#[index(Gsi1 pending: pk = "PENDING", sk = "{id}", when = "attribute_not_exists(done)")]
pub struct Task {
    pub id: String,
    pub done: Option<String>,
    pub note: Option<String>,
}

pub(crate) async fn site() -> Db<Site> {
    let db = Site::open("site", Embedded::in_memory());
    db.create_table().await.unwrap();
    db
}

pub(crate) fn home() -> Key<Visits> {
    Visits::by_page("home").day(7_u8)
}

async fn stored(db: &Db<Site>) -> Item {
    let request = GetItem {
        table: "site".into(),
        key: home().to_item().unwrap(),
        consistent: true,
        projection: None,
        names: Default::default(),
        capacity: Default::default(),
    };
    db.backend().get_item(request).await.unwrap().item.unwrap()
}

/// Stores an item of version 1, or of another that it says.
pub(crate) async fn store_older(db: &Db<Site>, version: Option<i64>) {
    let mut item = home().to_item().unwrap();
    item.insert("_t".to_owned(), Value::from("Visits"));
    item.insert("page".to_owned(), Value::from("home"));
    item.insert("day".to_owned(), Value::from(7));
    item.insert("total".to_owned(), Value::from(40));
    item.extend(version.map(|version| ("_v".to_owned(), Value::from(version))));
    let put = monotable::backend::PutItem {
        table: "site".into(),
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

#[tokio::test]
async fn an_item_that_a_patch_creates_is_whole() {
    let db = site().await;
    let visits = db.patch(home()).count(add(1_u64)).sources(insert("mail")).or_create().await;
    let visits = visits.unwrap();
    assert_eq!((visits.count, visits.rev, visits.since), (Some(1), 1, visits.last));
    let item = stored(&db).await;
    assert_eq!(item.get("_t"), Some(&Value::from("Visits")));
    assert_eq!(item.get("_v"), Some(&Value::from(2)));
    assert_eq!(db.query(Visits::by_day(7_u8)).all().await.unwrap(), std::slice::from_ref(&visits));
    assert_eq!(db.query(Visits::oldest()).all().await.unwrap(), [visits]);
    assert_eq!(item.get("gsi2pk"), None, "it has no label");

    let labelled = Visits::by_page("shop").day(7_u8);
    db.patch(labelled).label(Some("x".to_owned())).or_create().await.unwrap();
    assert_eq!(db.query(Visits::by_label("x")).count().await.unwrap(), 1);
}

#[tokio::test]
async fn an_item_that_is_there_keeps_what_the_patch_does_not_change() {
    let db = site().await;
    let first = db.patch(home()).label(Some("x".to_owned())).or_create().await.unwrap();
    let second = db.patch(home()).count(add(2_u64)).or_create().await.unwrap();
    assert_eq!((second.count, second.rev, second.since), (Some(2), 2, first.since));
    assert_eq!(db.query(Visits::by_label("x")).all().await.unwrap(), [second]);
}

#[tokio::test]
async fn a_condition_holds_of_an_item_that_is_there_and_of_none() {
    let db = site().await;
    let once = || db.patch(home()).count(1_u64).when(Visits::COUNT.is_missing()).or_create();
    once().await.unwrap();
    assert!(matches!(once().await, Err(WriteError::NotMet { current: Some(_) })));
}

#[tokio::test]
async fn an_older_item_is_rewritten_before_a_patch_changes_it() {
    let db = site().await;
    store_older(&db, None).await;
    let visits = db.patch(home()).count(add(2_u64)).or_create().await.unwrap();
    assert_eq!((visits.count, visits.since.to_string().get(..4)), (Some(42), Some("2020")));
    let item = stored(&db).await;
    assert_eq!((item.get("_v"), item.get("total")), (Some(&Value::from(2)), None));
}

#[tokio::test]
async fn an_item_of_a_newer_version_is_left_alone() {
    let db = site().await;
    store_older(&db, Some(3)).await;
    match db.patch(home()).count(add(1_u64)).or_create().await {
        Err(WriteError::Failed(Error::Decode(error))) => {
            assert!(matches!(error.fault, DecodeFault::Version { .. }), "{error}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(stored(&db).await.get("count"), None);
}

#[tokio::test]
async fn a_transaction_creates_as_a_patch_alone_does() {
    let db = site().await;
    let visit = || {
        db.transaction::<()>()
            .patch(patch(home()).count(add(1_u64)).or_create())
            .patch(patch(Task::by_id("t")).done(None).or_create())
    };
    visit().await.unwrap();
    visit().await.unwrap();
    assert_eq!(db.query(Visits::by_day(7_u8)).all().await.unwrap()[0].count, Some(2));
    assert_eq!(db.query(Task::pending()).count().await.unwrap(), 1);
}

#[tokio::test]
async fn where_a_new_item_is_in_an_index_by_what_it_lacks_the_patch_must_say_so() {
    let db = site().await;
    match db.patch(Task::by_id("t")).note("soon").or_create().await {
        Err(WriteError::Failed(error @ Error::Model { .. })) => assert_eq!(
            error.to_string(),
            "Task: whether a new item is in Gsi1 follows from done: change it in the same patch"
        ),
        other => panic!("{other:?}"),
    }
    let task = db.patch(Task::by_id("t")).note("soon").done(None).or_create().await.unwrap();
    assert_eq!(db.query(Task::pending()).all().await.unwrap(), [task]);
    db.patch(Task::by_id("t")).done(Some("today".to_owned())).or_create().await.unwrap();
    assert_eq!(db.query(Task::pending()).count().await.unwrap(), 0);
}

//! Changes of single members of maps, conditions on sizes, and removal in a transaction of what
//! must be there.

use std::collections::{BTreeMap, BTreeSet};

use monotable::db::TransactError;
use monotable::member;
use monotable::prelude::*;
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Poll, Vote))]
pub struct Polls;

#[derive(Attribute, Debug, Clone, PartialEq)]
pub struct Place {
    pub city: String,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Polls)]
#[key(by_id: pk = "POLL#{id}", sk = "POLL")]
pub struct Poll {
    pub id: String,
    pub votes: BTreeMap<String, u32>,
    pub places: BTreeMap<String, Place>,
    pub judges: BTreeSet<String>,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Polls)]
#[key(by_poll: pk = "POLL#{poll}", sk = "VOTE#{voter}")]
pub struct Vote {
    pub poll: String,
    pub voter: String,
}

async fn polls() -> Db<Polls> {
    let db = Polls::open("polls", Embedded::in_memory());
    db.create_table().await.unwrap();
    let poll = Poll {
        id: "p".to_owned(),
        votes: BTreeMap::from([("no".to_owned(), 0), ("yes".to_owned(), 1)]),
        places: BTreeMap::new(),
        judges: BTreeSet::new(),
    };
    db.create(&poll).await.unwrap();
    db
}

fn place(city: &str) -> Place {
    Place { city: city.to_owned() }
}

#[tokio::test]
async fn members_of_a_map_change_each_for_itself() {
    let db = polls().await;
    let poll = db
        .patch(Poll::by_id("p"))
        .votes(member("yes").add(2_u32))
        .places(member("first. #").set(place("Rome")))
        .await
        .unwrap();
    assert_eq!(poll.votes, BTreeMap::from([("no".to_owned(), 0), ("yes".to_owned(), 3)]));
    assert_eq!(poll.places, BTreeMap::from([("first. #".to_owned(), place("Rome"))]));

    let poll = db.patch(Poll::by_id("p")).votes(member("no").remove()).await.unwrap();
    assert_eq!(poll.votes, BTreeMap::from([("yes".to_owned(), 3)]));
}

#[tokio::test]
async fn a_field_changes_in_several_places_at_once() {
    let db = polls().await;
    let poll = db
        .patch(Poll::by_id("p"))
        .votes(member("yes").add(2_u32))
        .votes(member("no").remove())
        .votes(member("maybe").set(1_u32))
        .votes(member("yes").add(1_u32))
        .judges(insert("ada"))
        .judges(insert("bob"))
        .await
        .unwrap();
    let votes = [("maybe", 1), ("yes", 4)].map(|(name, count)| (name.to_owned(), count));
    assert_eq!(poll.votes, BTreeMap::from(votes));
    assert_eq!(poll.judges, BTreeSet::from(["ada", "bob"].map(str::to_owned)));
}

#[tokio::test]
async fn changes_that_exclude_each_other_are_refused_before_they_are_sent() {
    let db = polls().await;
    let both = db.patch(Poll::by_id("p")).judges(insert("ada")).judges(remove("bob")).await;
    let clash = monotable::Error::ClashingChanges { entity: "Poll", attribute: "judges" };
    assert_eq!(both, Err(WriteError::Failed(clash)));
    assert!(db.get(Poll::by_id("p")).await.unwrap().unwrap().judges.is_empty());
}

#[tokio::test]
async fn a_map_takes_no_more_members_than_a_condition_on_its_size_allows() {
    let db = polls().await;
    let put = |name: &'static str| {
        let has_room = Poll::PLACES.member(name).exists() | Poll::PLACES.size().lt(2_i64.into());
        db.patch(Poll::by_id("p")).places(member(name).set(place(name))).when(has_room)
    };
    put("a").await.unwrap();
    put("b").await.unwrap();
    put("b").await.unwrap();
    let refused = put("c").await.unwrap_err();
    assert!(matches!(refused, WriteError::NotMet { current: Some(_) }), "{refused:?}");
}

#[tokio::test]
async fn an_empty_set_has_no_size() {
    let db = polls().await;
    let join = |judge: &'static str| {
        let has_room = Poll::JUDGES.is_missing() | Poll::JUDGES.size().le(0_i64.into());
        db.patch(Poll::by_id("p")).judges(insert(judge)).when(has_room)
    };
    join("ada").await.unwrap();
    assert!(matches!(join("bob").await, Err(WriteError::NotMet { .. })));
}

#[derive(Debug, PartialEq)]
struct NoVote;

#[tokio::test]
async fn a_transaction_that_removes_what_is_not_there_is_refused() {
    let db = polls().await;
    db.create(&Vote { poll: "p".to_owned(), voter: "ada".to_owned() }).await.unwrap();
    let withdraw = || {
        db.transaction::<NoVote>()
            .delete_existing(&Vote::by_poll("p").voter("ada"))
            .or(NoVote)
            .patch(patch(Poll::by_id("p")).votes(member("yes").add(-1_i64)))
    };
    withdraw().await.unwrap();
    match withdraw().await {
        Err(TransactError::Refused(refusal)) => assert_eq!(refusal.error, Some(NoVote)),
        other => panic!("{other:?}"),
    }
    assert_eq!(db.get(Poll::by_id("p")).await.unwrap().unwrap().votes["yes"], 0);
}

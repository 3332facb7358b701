//! Sets of texts, numbers and bytes, of newtypes, and in newtypes.

use std::collections::BTreeSet;

use monotable::prelude::*;
use monotable::{Bytes, Number, insert_all, remove_all};
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", entities(Photo))]
pub struct Album;

#[derive(KeyPart, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Person(pub String);

/// A set that an item lacks where it is empty, in a type of its own.
#[derive(KeyPart, Debug, Clone, PartialEq, Default)]
pub struct Tags(pub BTreeSet<String>);

#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    Red,
    Green,
}

#[derive(Entity, Debug, Clone, PartialEq, Default)]
#[entity(table = Album)]
#[key(by_id: pk = "PHOTO#{id}")]
pub struct Photo {
    pub id: String,
    pub tags: Tags,
    pub people: BTreeSet<Person>,
    pub colours: BTreeSet<Colour>,
    pub years: BTreeSet<u16>,
    pub hashes: BTreeSet<Bytes>,
    pub sizes: Option<BTreeSet<Number>>,
}

async fn album() -> Db<Album> {
    let db = Album::open("album", Embedded::in_memory());
    db.create_table().await.unwrap();
    db
}

fn person(name: &str) -> Person {
    Person(name.to_owned())
}

#[tokio::test]
async fn empty_sets_come_back_empty_also_in_newtypes() {
    let db = album().await;
    let photo = Photo { id: "p".to_owned(), ..Photo::default() };
    db.create(&photo).await.unwrap();
    assert_eq!(db.get(Photo::by_id("p")).await.unwrap(), Some(photo));
}

#[tokio::test]
async fn sets_of_every_kind_come_back() {
    let db = album().await;
    let photo = Photo {
        id: "p".to_owned(),
        tags: Tags(BTreeSet::from(["a".to_owned()])),
        people: BTreeSet::from([person("ada"), person("eve")]),
        colours: BTreeSet::from([Colour::Red, Colour::Green]),
        years: BTreeSet::from([2024, 2026]),
        hashes: BTreeSet::from([Bytes(vec![1, 2]), Bytes(vec![0])]),
        sizes: Some(BTreeSet::from([Number::from(3)])),
    };
    db.create(&photo).await.unwrap();
    assert_eq!(db.get(Photo::by_id("p")).await.unwrap(), Some(photo));
}

#[tokio::test]
async fn members_are_inserted_removed_and_looked_for() {
    let db = album().await;
    let photo = db
        .patch(Photo::by_id("p"))
        .people(insert(person("ada")))
        .people(insert(person("eve")))
        .years(insert_all(BTreeSet::from([2024, 2025])))
        .years(insert(2026_u16))
        .hashes(insert(Bytes(vec![1])))
        .colours(insert(Colour::Red))
        .or_create()
        .await
        .unwrap();
    assert_eq!(photo.people, BTreeSet::from([person("ada"), person("eve")]));
    assert_eq!(photo.years, BTreeSet::from([2024, 2025, 2026]));

    let photo = db
        .patch(Photo::by_id("p"))
        .people(remove(person("eve")))
        .years(remove_all(BTreeSet::from([2024, 2025])))
        .when(Photo::YEARS.contains(2026_u16) & Photo::PEOPLE.contains(person("ada")))
        .await
        .unwrap();
    assert_eq!((photo.people.len(), photo.years), (1, BTreeSet::from([2026])));
    assert_eq!(photo.hashes, BTreeSet::from([Bytes(vec![1])]));
    assert_eq!(photo.colours, BTreeSet::from([Colour::Red]));
}

//! Fields that have the name of a word of the language, or of a method that patches have.

use monotable::member;
use monotable::prelude::*;
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "_t", entities(Type, Visit))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk", project(r#type, of))]
#[gsi(Gsi2, pk = "gsi2pk", sk = "gsi2sk")]
pub struct Words;

/// Its module is `r#type`, too.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Words)]
#[key(r#in: pk = "TYPE#{type}", sk = "{ref}")]
#[index(Gsi1 by_match: pk = "MATCH#{match}", sk = "{ref}", view(of))]
#[unique(r#loop)]
pub struct Type {
    pub r#type: String,
    pub r#ref: String,
    pub r#match: String,
    pub r#loop: String,
    pub r#where: Option<Place>,
    pub of: u32,
}

#[derive(Attribute, Debug, Clone, PartialEq)]
pub struct Place {
    pub r#box: u32,
}

/// Fields that change together have no setters that could be mistaken for other methods.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Words)]
#[key(by_id: pk = "VISIT#{id}", sk = "VISIT")]
#[index(Gsi2 arrival: pk = "PLACE#{place_from}", sk = "{when}")]
#[unique(place)]
pub struct Visit {
    pub id: String,
    pub place: String,
    pub place_from: String,
    pub when: String,
}

#[derive(View, Debug, PartialEq)]
#[view(Type)]
pub struct Short {
    pub r#type: String,
    pub of: u32,
}

#[tokio::test]
async fn a_word_of_the_language_is_a_name_like_others() {
    let db = Words::open("words", Embedded::in_memory());
    db.create_table().await.unwrap();
    let first = Type {
        r#type: "a".to_owned(),
        r#ref: "b".to_owned(),
        r#match: "c".to_owned(),
        r#loop: "d".to_owned(),
        r#where: Some(Place { r#box: 1 }),
        of: 2,
    };
    db.create(&first).await.unwrap();
    let key = || Type::r#in("a").r#ref("b");
    let place = member("box").set(7_u32);
    let changed = db.patch(key()).r#where(place).of(add(1_u32)).r#match("e".to_owned());
    let changed = changed.r#loop_from("d".to_owned(), "f".to_owned()).await.unwrap();
    assert_eq!((changed.r#where.unwrap().r#box, changed.of), (7, 3));
    assert_eq!(db.query(Type::by_match("e")).count().await.unwrap(), 1);
    let short: Option<Short> = db.get(key()).view().await.unwrap();
    assert_eq!(short, Some(Short { r#type: "a".to_owned(), of: 3 }));
    let item = first.to_attributes().unwrap();
    assert!(item.contains_key("type") && item.contains_key("where"), "{item:?}");
}

#[tokio::test]
async fn fields_that_change_together_may_be_called_as_methods_are() {
    let db = Words::open("words", Embedded::in_memory());
    db.create_table().await.unwrap();
    let text = str::to_owned;
    let visit =
        Visit { id: text("v"), place: text("a"), place_from: text("b"), when: text("monday") };
    db.create(&visit).await.unwrap();
    let parts = visit::Arrival { place_from: text("c"), when: text("tuesday") };
    let patch = db.patch(Visit::by_id("v")).arrival(parts).place_from(text("a"), text("d"));
    let changed = patch.when(Visit::WHEN.is("monday")).await.unwrap();
    assert_eq!((changed.place.as_str(), changed.place_from.as_str()), ("d", "c"));
    assert_eq!(changed.when, "tuesday");
}

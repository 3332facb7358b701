//! Items that are not as they should be. No repair touches them.

use expect_test::expect;
use monotable_item::stored;
use monotable_storage::Batch;

use super::{Fixture, check};
use crate::support::json;

#[test]
fn an_item_that_cannot_be_read() {
    check(
        |fixture, batch| batch.put(fixture.item("1").0, b"junk".to_vec()),
        &expect![[r#"
        orders pk="a" sk=1: ItemUnreadable(CorruptItem("unknown form")) (not repairable)
    "#]],
    );
}

#[test]
fn an_item_under_the_key_of_another() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        batch.put(fixture.item("3").0, fixture.item("1").1);
    };
    check(
        break_it,
        &expect![[r#"
        orders pk="b" sk=3: ItemMisplaced { own: [("pk", String("a")), ("sk", Number(Number { negative: false, coefficient: 1, exponent: 0 }))] } (not repairable)
    "#]],
    );
}

#[test]
fn an_item_without_its_key() {
    let item = json::item(r#"{"pk": "a", "sk": "text"}"#).unwrap();
    let value = stored::encode(&item);
    check(
        |fixture, batch| batch.put(fixture.item("1").0, value),
        &expect![[r#"
        orders pk="a" sk=1: ItemKey(KeyError { name: "sk", index: None, problem: WrongType { expected: Number, actual: String } }) (not repairable)
    "#]],
    );
}

#[test]
fn an_item_of_another_size_than_it_says() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let (key, mut value) = fixture.item("3");
        value[1] += 1;
        batch.put(key, value);
    };
    check(
        break_it,
        &expect![[r#"
        orders pk="b" sk=3: ItemSize { stored_bytes: 23, actual_bytes: 22 } (not repairable)
    "#]],
    );
}

#[test]
fn an_item_with_bytes_behind_it() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let (key, value) = fixture.item("3");
        batch.put(key, [value, vec![0]].concat());
    };
    check(
        break_it,
        &expect![[r#"
        orders pk="b" sk=3: ItemForm (not repairable)
    "#]],
    );
}

#[test]
fn an_item_that_is_too_large() {
    let break_it = |fixture: &Fixture, _: &mut Batch| {
        fixture.put(r#"{"pk": "large", "sk": 1, "x": {"X": 500000}}"#);
    };
    check(
        break_it,
        &expect![[r#"
        orders pk="large" sk=1: ItemTooLarge { size_bytes: 500012 } (not repairable)
    "#]],
    );
}

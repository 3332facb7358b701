//! Entities of one form of key, which only the type of an item tells apart.

use std::fmt::Write;

use monotable_item::{Item, Value, stored};
use monotable_model::diagnostic::SourceFile;
use monotable_observe::{CalledTable, FIRST_ACCOUNT, ItemCall, ItemKind, KeyBytes, Observer};

const ENTITIES: usize = 12;

fn observer() -> Observer {
    let mut text = "format = 1\nname = \"shop\"\n\
                    [tables.shop]\npartition_key = \"pk\"\ntype_attribute = \"type\"\n"
        .to_owned();
    for number in 0..ENTITIES {
        writeln!(
            text,
            "[entities.E{number}]\n\
             key = {{ partition = \"KEY#{{id}}\" }}\n\
             attributes = {{ id = \"S\" }}"
        )
        .unwrap();
    }
    let observer = Observer::default();
    observer.load(SourceFile::new("shop.toml", text), 0).unwrap();
    observer
}

fn put(item: &[u8]) -> ItemCall<'_> {
    ItemCall {
        kind: ItemKind::Put,
        partition: KeyBytes::Text(b"KEY#1"),
        sort: None,
        counted_hash: None,
        update: None,
        condition: None,
        projection: None,
        item: Some(item),
    }
}

#[test]
fn an_item_is_known_by_its_type_however_many_entities_have_its_form_of_key() {
    let observer = observer();
    let table = CalledTable { id: 1, name: "shop", account: FIRST_ACCOUNT };
    for number in 0..ENTITIES {
        let kind = format!("E{number}");
        let item = Item::from([
            ("pk".to_owned(), Value::from("KEY#1")),
            ("type".to_owned(), Value::from(kind.as_str())),
        ]);
        let item = stored::encode(&item);
        let found = observer.attribute_item(table, &put(&item)).unwrap();
        assert_eq!(found.entities(), [kind.as_str()]);
        assert!(observer.check(table, (KeyBytes::Text(b"KEY#1"), None), &item).is_ok());
    }
}

//! Whatever can be said in a document survives being written and read.

use monotable_model::document::{Format, Tree, read, write};
use proptest::prelude::*;

/// Text with all that is awkward in one of the formats.
fn text() -> impl Strategy<Value = String> {
    let awkward = prop_oneof![
        Just("# no comment".to_owned()),
        Just("yes".to_owned()),
        Just("null".to_owned()),
        Just("5".to_owned()),
        Just(": - [x] {y} 'z' \"q\" \\".to_owned()),
        Just("'''".to_owned()),
        Just(" lead and trail ".to_owned()),
        Just("line\nbreak\r\ttab\u{85}\u{2028}\u{7f}".to_owned()),
    ];
    prop_oneof![awkward, "[ -~]{1,12}", "\\PC{1,8}"]
}

/// A plain value that TOML can say as well.
fn plain() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Tree::Bool),
        any::<i64>().prop_map(|number| Tree::Number(number.to_string())),
        (-9999i64..9999, 1u32..9999).prop_map(|(a, b)| Tree::Number(format!("{a}.{b}5"))),
        text().prop_map(Tree::String),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Tree::List),
            proptest::collection::btree_map(text(), inner, 0..4)
                .prop_map(|members| Tree::Map(members.into_iter().collect())),
        ]
    })
}

/// A document with these descriptions and values, in JSON.
fn document(words: &[String], values: &[Tree]) -> String {
    let quote = |index: usize| serde_json::to_string(&words[index]).unwrap();
    let json = |tree: &Tree| monotable_model::document::inline_tree(tree);
    let samples: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(number, value)| {
            format!("{{ \"id\": {number}, \"any\": {{ \"M\": {{ \"v\": {} }} }} }}", json(value))
        })
        .collect();
    format!(
        r#"{{
            "format": 1, "name": {}, "title": {},
            "tables": {{ "Shop": {{ "partition_key": {{ "name": {}, "type": "N" }}, "description": {} }} }},
            "entities": {{ {}: {{
                "key": {{ "partition": "{{id:number}}" }},
                "attributes": {{ "id": "N", "any": "M" }}
            }} }},
            "patterns": {{ {}: {{ "operation": "get", "entity": {}, "by": {{ "id": 5 }}, "rate": 0.25 }} }},
            "samples": {{ {}: [{}] }},
            "tests": {{ {}: {{ "samples": {{}}, "steps": [
                {{ "pattern": {}, "with": {{ "id": 70000, "more": {} }}, "units": {{ "read": 0.5 }} }},
                {{ "pattern": {}, "expect": [{}, {{ {}: {{ "id": 12345 }} }}] }}
            ] }} }},
            "extensions": {}
        }}"#,
        quote(0),
        quote(1),
        quote(2),
        quote(3),
        quote(4),
        quote(5),
        quote(4),
        quote(4),
        samples.join(", "),
        quote(0),
        quote(5),
        json(&Tree::List(values.to_vec())),
        quote(5),
        quote(4),
        quote(4),
        json(&Tree::Map(vec![("x".to_owned(), Tree::List(values.to_vec()))])),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn written_and_read_again_it_is_the_same_model(
        words in proptest::collection::vec(text(), 6),
        values in proptest::collection::vec(plain(), 0..4),
    ) {
        let source = document(&words, &values);
        let model = read(&source, Format::Json).map_err(|problems| {
            TestCaseError::fail(format!("{problems:#?}\n{source}"))
        })?.model;
        for format in [Format::Toml, Format::Yaml, Format::Json] {
            let written = write(&model, format);
            let again = read(&written, format).map_err(|problems| {
                TestCaseError::fail(format!("{problems:#?}\n{written}"))
            })?.model;
            prop_assert_eq!(&again, &model, "{}", &written);
            prop_assert_eq!(write(&again, format), written);
        }
    }
}

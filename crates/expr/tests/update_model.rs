//! Updates against a model that keeps lists sparse.
//!
//! The model turns every list into a map from the original indexes to its elements. Then each
//! action is one insertion or removal, in any order, and closing the gaps at the end gives the list
//! that an update should make: no moving indexes, no appending, no order of removal.

use std::collections::BTreeMap;

use monotable_expr::{Resolver, parse_update};
use monotable_item::{Item, Value};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

/// A value whose lists have gaps.
#[derive(Debug, Clone)]
enum Sparse {
    Leaf(Value),
    Map(BTreeMap<String, Sparse>),
    List(BTreeMap<u32, Sparse>),
}

fn open(value: Value) -> Sparse {
    match value {
        Value::Map(map) => {
            Sparse::Map(map.into_iter().map(|(name, value)| (name, open(value))).collect())
        }
        Value::List(list) => Sparse::List((0..).zip(list.into_iter().map(open)).collect()),
        leaf => Sparse::Leaf(leaf),
    }
}

fn close(sparse: Sparse) -> Value {
    match sparse {
        Sparse::Leaf(leaf) => leaf,
        Sparse::Map(map) => {
            Value::Map(map.into_iter().map(|(name, sparse)| (name, close(sparse))).collect())
        }
        Sparse::List(list) => Value::List(list.into_values().map(close).collect()),
    }
}

/// A step of a target: a member or an element.
#[derive(Debug, Clone, PartialEq)]
enum Key {
    Member(String),
    Element(u32),
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Set,
    Remove,
    Add,
    Delete,
}

/// Applies one action, or says nothing if DynamoDB would refuse it.
fn act(place: &mut Sparse, keys: &[Key], kind: Kind, value: &Value) -> Option<()> {
    let (key, rest) = keys.split_first()?;
    if !rest.is_empty() {
        let child = match (place, key) {
            (Sparse::Map(map), Key::Member(name)) => map.get_mut(name)?,
            (Sparse::List(list), Key::Element(index)) => list.get_mut(index)?,
            _ => return None,
        };
        return act(child, rest, kind, value);
    }
    match (place, key) {
        (Sparse::Map(map), Key::Member(name)) => change(map, name.clone(), kind, value),
        (Sparse::List(list), Key::Element(index)) => change(list, *index, kind, value),
        _ => None,
    }
}

fn change<K: Ord>(map: &mut BTreeMap<K, Sparse>, key: K, kind: Kind, value: &Value) -> Option<()> {
    let old = map.get(&key).cloned().map(close);
    let new = match (kind, old) {
        (Kind::Set, _) | (Kind::Add, None) => Some(value.clone()),
        (Kind::Remove, _) | (Kind::Delete, None) => None,
        (Kind::Add, Some(Value::Number(left))) => match value {
            Value::Number(right) => Some(Value::Number(left.checked_add(right).ok()?)),
            _ => return None,
        },
        (Kind::Add, Some(Value::StringSet(mut left))) => match value {
            Value::StringSet(right) => {
                left.extend(right.iter().cloned());
                Some(Value::string_set(left))
            }
            _ => return None,
        },
        (Kind::Delete, Some(Value::StringSet(mut left))) => match value {
            Value::StringSet(right) => {
                left.retain(|member| !right.contains(member));
                (!left.is_empty()).then_some(Value::StringSet(left))
            }
            _ => return None,
        },
        (Kind::Add | Kind::Delete, Some(_)) => return None,
    };
    match new {
        Some(value) => map.insert(key, open(value)),
        None => map.remove(&key),
    };
    Some(())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (0_i64..9).prop_map(Value::from),
        vec("[abc]", 1..3).prop_map(Value::string_set),
        Just(Value::Null),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            3 => vec(inner.clone(), 0..6).prop_map(Value::List),
            1 => btree_map("[xyz]", inner, 0..3).prop_map(Value::Map),
        ]
    })
}

/// Every place in a value where something is or could be: members, elements, one name that is
/// missing, and indexes beyond the end of lists.
fn places(value: &Value, here: &[Key], places: &mut Vec<Vec<Key>>) {
    let below = |key: Key| [here, &[key]].concat();
    match value {
        Value::Map(map) => {
            for (name, value) in map {
                places.push(below(Key::Member(name.clone())));
                self::places(value, &below(Key::Member(name.clone())), places);
            }
            places.push(below(Key::Member("w".to_owned())));
        }
        Value::List(list) => {
            for (index, value) in (0..).zip(list) {
                places.push(below(Key::Element(index)));
                self::places(value, &below(Key::Element(index)), places);
            }
            let length = u32::try_from(list.len()).unwrap();
            places.extend([0, 2, 1].map(|more| below(Key::Element(length + more))));
        }
        _ => {}
    }
}

/// Chooses some of the places, none inside another.
fn choose(item: &Item, choices: &[prop::sample::Index]) -> Vec<Vec<Key>> {
    let mut all = Vec::new();
    places(&Value::Map(item.clone()), &[], &mut all);
    let mut chosen: Vec<Vec<Key>> = Vec::new();
    for choice in choices {
        let keys = choice.get(&all);
        if !chosen.iter().any(|other| other.starts_with(keys) || keys.starts_with(other)) {
            chosen.push(keys.clone());
        }
    }
    chosen
}

fn print(keys: &[Key]) -> String {
    let steps = keys.iter().map(|key| match key {
        Key::Member(name) => format!(".{name}"),
        Key::Element(index) => format!("[{index}]"),
    });
    steps.collect::<String>().trim_start_matches('.').to_owned()
}

/// The text of an update, its sections in the order SET, REMOVE, ADD, DELETE.
fn text(actions: &[(Vec<Key>, Kind)]) -> String {
    let section = |keyword: &str, parts: Vec<String>| {
        if parts.is_empty() { String::new() } else { format!("{keyword} {} ", parts.join(", ")) }
    };
    let of = |wanted: fn(&Kind) -> bool, suffix: &str| {
        let numbered = actions.iter().enumerate().filter(|(_, (_, kind))| wanted(kind));
        numbered
            .map(|(number, (keys, _))| {
                format!("{}{}", print(keys), suffix.replace("?", &number.to_string()))
            })
            .collect()
    };
    section("SET", of(|kind| matches!(kind, Kind::Set), " = :v?"))
        + &section("REMOVE", of(|kind| matches!(kind, Kind::Remove), ""))
        + &section("ADD", of(|kind| matches!(kind, Kind::Add), " :v?"))
        + &section("DELETE", of(|kind| matches!(kind, Kind::Delete), " :v?"))
}

/// A kind of action and a value that it takes.
fn action() -> impl Strategy<Value = (Kind, Value)> {
    let number = (0_i64..9).prop_map(Value::from);
    let set = vec("[abc]", 1..3).prop_map(Value::string_set);
    prop_oneof![
        2 => (Just(Kind::Set), value()),
        3 => (Just(Kind::Remove), Just(Value::Null)),
        1 => (Just(Kind::Add), prop_oneof![number, set.clone()]),
        1 => (Just(Kind::Delete), set),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn an_update_makes_what_the_sparse_model_makes(
        item in btree_map("[xyz]", value(), 1..4),
        choices in vec(any::<prop::sample::Index>(), 1..9),
        actions in vec(action(), 9),
    ) {
        let targets = choose(&item, &choices);
        let values: Item = (0..)
            .zip(&actions)
            .map(|(number, (_, value))| (format!(":v{number}"), value.clone()))
            .collect();
        let kinds: Vec<(Vec<Key>, Kind)> =
            targets.iter().cloned().zip(actions.iter().map(|(kind, _)| *kind)).collect();
        let names = BTreeMap::<String, String>::new();
        let parsed = parse_update(&text(&kinds)).unwrap();
        let update = Resolver::new(&names, &values).update(&parsed).unwrap();

        let mut model = Some(open(Value::Map(item.clone())));
        for (keys, (kind, value)) in targets.iter().zip(&actions) {
            model = model.and_then(|mut model| {
                act(&mut model, keys, *kind, value)?;
                Some(model)
            });
        }
        prop_assert_eq!(update.apply(&item).ok().map(Value::Map), model.map(close));
    }
}

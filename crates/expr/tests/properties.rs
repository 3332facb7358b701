//! What holds for every text and every item.

use std::collections::BTreeMap;

use monotable_expr::{KeyCondition, Resolver, parse_condition, parse_projection, parse_update};
use monotable_item::{Item, Value};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

fn names() -> BTreeMap<String, String> {
    ["a", "m"].map(|name| (format!("#{name}"), name.to_owned())).into()
}

fn values() -> BTreeMap<String, Value> {
    let values = [
        (":n", Value::from(2)),
        (":s", Value::from("s")),
        (":l", Value::List(vec![Value::from(1)])),
        (":ss", Value::string_set(vec!["s".to_owned()])),
        (":t", Value::from("S")),
        (":m", Value::Map(Item::from([("a".to_owned(), Value::from(1))]))),
    ];
    values.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Any tokens in any order, most of which are no expression.
fn token_soup() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "a",
        "b",
        "#a",
        "#m",
        ":n",
        ":s",
        ":l",
        "(",
        ")",
        "[",
        "]",
        "0",
        "12",
        ".",
        ",",
        "=",
        "<>",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        "AND",
        "or",
        "NOT",
        "between",
        "IN",
        "SET",
        "remove",
        "ADD",
        "delete",
        "size",
        "contains",
        "if_not_exists",
        "list_append",
        "f",
        "data",
        "_",
        "#",
        ":",
        "ü",
    ]);
    vec(token, 0..40).prop_map(|tokens| tokens.join(" "))
}

fn path() -> impl Strategy<Value = String> {
    let step = prop::sample::select(vec![".a", ".#m", "[0]", "[1]", "[2]"]);
    let root = prop::sample::select(vec!["a", "l", "m", "#a", "s"]);
    (root, vec(step, 0..3)).prop_map(|(root, steps)| format!("{root}{}", steps.concat()))
}

fn operand() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec![":n", ":s", ":l", ":ss", ":m"]).prop_map(str::to_owned);
    let plain = prop_oneof![path(), value];
    prop_oneof![
        4 => plain.clone(),
        1 => plain.clone().prop_map(|operand| format!("size({operand})")),
        1 => plain.prop_map(|operand| format!("({operand})")),
    ]
}

fn comparison() -> impl Strategy<Value = String> {
    let comparator = prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">="]);
    let function = prop::sample::select(vec!["begins_with", "contains"]);
    prop_oneof![
        (operand(), comparator, operand()).prop_map(|(a, b, c)| format!("{a} {b} {c}")),
        (operand(), operand(), operand()).prop_map(|(a, b, c)| format!("{a} BETWEEN {b} AND {c}")),
        (operand(), vec(operand(), 1..4))
            .prop_map(|(a, candidates)| format!("{a} IN ({})", candidates.join(", "))),
        (function, operand(), operand()).prop_map(|(f, a, b)| format!("{f}({a}, {b})")),
        path().prop_map(|path| format!("attribute_exists({path})")),
        path().prop_map(|path| format!("attribute_type({path}, :t)")),
    ]
}

fn condition() -> impl Strategy<Value = String> {
    comparison().prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} AND {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} OR {b}")),
            inner.clone().prop_map(|a| format!("NOT {a}")),
            inner.prop_map(|a| if a.starts_with('(') { a } else { format!("({a})") }),
        ]
    })
}

fn source() -> impl Strategy<Value = String> {
    let operand = prop_oneof![
        path(),
        Just(":n".to_owned()),
        Just(":l".to_owned()),
        (path(), path()).prop_map(|(a, b)| format!("if_not_exists({a}, {b})")),
        path().prop_map(|a| format!("({a})")),
    ];
    prop_oneof![
        operand.clone(),
        (operand.clone(), operand.clone()).prop_map(|(a, b)| format!("{a} + {b}")),
        (operand.clone(), operand.clone()).prop_map(|(a, b)| format!("({a} - {b})")),
        (operand.clone(), operand).prop_map(|(a, b)| format!("list_append({a}, {b})")),
    ]
}

fn update() -> impl Strategy<Value = String> {
    let set = vec((path(), source()).prop_map(|(a, b)| format!("{a} = {b}")), 1..4)
        .prop_map(|actions| format!("SET {}", actions.join(", ")));
    let remove = vec(path(), 1..3).prop_map(|paths| format!("remove {}", paths.join(",")));
    let add = path().prop_map(|path| format!("ADD {path} :n"));
    let delete = path().prop_map(|path| format!("Delete {path} :ss"));
    (set, remove, add, delete, Just([0, 1, 2, 3]).prop_shuffle(), 1_usize..5).prop_map(
        |(set, remove, add, delete, order, count)| {
            let sections = [set, remove, add, delete];
            order.into_iter().take(count).map(|n| sections[n].clone() + " ").collect()
        },
    )
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i8>().prop_map(|n| Value::from(i64::from(n))),
        "[a-c]{0,2}".prop_map(Value::String),
        vec("[a-c]", 1..3).prop_map(Value::string_set),
        vec(0_i64..5, 1..3)
            .prop_map(|n| Value::number_set(n.into_iter().map(Into::into).collect())),
        Just(Value::Null),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::List),
            btree_map("[am]", inner, 0..3).prop_map(Value::Map),
        ]
    })
}

fn item() -> impl Strategy<Value = Item> {
    btree_map("[almns]", value(), 0..5)
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in ".*") {
        let _ = (parse_condition(&text), parse_projection(&text), parse_update(&text));
    }

    #[test]
    fn no_tokens_make_a_parser_panic(text in token_soup()) {
        let _ = (parse_condition(&text), parse_projection(&text), parse_update(&text));
    }

    #[test]
    fn what_a_condition_prints_parses_back(text in condition()) {
        if let Ok(parsed) = parse_condition(&text) {
            prop_assert_eq!(parse_condition(&parsed.to_string()), Ok(parsed));
        }
    }

    #[test]
    fn what_an_update_prints_parses_back(text in update()) {
        let parsed = parse_update(&text).unwrap();
        prop_assert_eq!(parse_update(&parsed.to_string()), Ok(parsed));
    }

    #[test]
    fn what_a_projection_prints_parses_back(paths in vec(path(), 1..5)) {
        let parsed = parse_projection(&paths.join(",")).unwrap();
        prop_assert_eq!(parse_projection(&parsed.to_string()), Ok(parsed));
    }

    #[test]
    fn no_update_panics_or_changes_what_is_not_its_target(text in update(), item in item()) {
        let (names, values) = (names(), values());
        let parsed = parse_update(&text).unwrap();
        let update = Resolver::new(&names, &values).update(&parsed);
        let Ok(update) = update else { return Ok(()) };
        let Ok(new) = update.apply(&item) else { return Ok(()) };
        let targets: Vec<&str> = update.targets().map(|path| path.root.as_str()).collect();
        for name in item.keys().chain(new.keys()).filter(|name| !targets.contains(&name.as_str())) {
            prop_assert_eq!(item.get(name), new.get(name));
        }
    }

    #[test]
    fn a_condition_or_its_negation_holds(text in condition(), item in item()) {
        let (names, values) = (names(), values());
        let mut resolver = Resolver::new(&names, &values);
        let Ok(parsed) = parse_condition(&text) else { return Ok(()) };
        let Ok(condition) = resolver.condition(&parsed) else { return Ok(()) };
        let negated = parse_condition(&format!("NOT ({parsed})")).unwrap();
        let negated = resolver.condition(&negated).unwrap();
        prop_assert_ne!(condition.matches(&item), negated.matches(&item));
        let _ = KeyCondition::new(&condition);
    }

    #[test]
    fn a_condition_reads_only_its_roots(text in condition(), item in item()) {
        let (names, values) = (names(), values());
        let mut resolver = Resolver::new(&names, &values);
        let Ok(parsed) = parse_condition(&text) else { return Ok(()) };
        let Ok(condition) = resolver.condition(&parsed) else { return Ok(()) };
        let roots = condition.roots();
        let mut part = item.clone();
        part.retain(|name, _| roots.contains(name.as_str()));
        prop_assert_eq!(condition.matches(&item), condition.matches(&part));
    }

    #[test]
    fn a_projection_of_a_projection_of_members_is_itself(
        paths in vec(path().prop_filter("only members", |path| !path.contains('[')), 1..4),
        item in item(),
    ) {
        let (names, values) = (names(), values());
        let parsed = parse_projection(&paths.join(", ")).unwrap();
        let projection = Resolver::new(&names, &values).projection(&parsed);
        let Ok(projection) = projection else { return Ok(()) };
        let projected = projection.project(&item);
        prop_assert_eq!(projection.project(&projected), projected.clone());
        prop_assert!(projected.keys().all(|name| projection.roots().contains(name.as_str())));
    }
}

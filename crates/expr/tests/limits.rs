//! The limits of expressions, and texts that are made to exhaust a parser.

use monotable_expr::{
    ParseError, ResolveError, Resolver, parse_condition, parse_projection, parse_update,
};
use std::collections::BTreeMap;

use monotable_item::Value;

#[test]
fn a_text_of_4096_bytes_is_read_and_one_more_is_refused() {
    let spaces = " ".repeat(4085);
    assert!(parse_projection(&"x".repeat(4096)).is_ok());
    assert!(parse_update(&format!("SET{spaces}a = :val")).is_ok());
    assert!(parse_condition(&format!("a{spaces} = :oldval")).is_ok());
    let too_long = Err(ParseError::TooLong { size_bytes: 4097 });
    assert_eq!(parse_projection(&"x".repeat(4097)).map(drop), too_long);
    assert_eq!(parse_update(&format!("SET {spaces}a = :val")).map(drop), too_long);
    assert_eq!(parse_condition(&format!("a {spaces} = :oldval")).map(drop), too_long);
}

#[test]
fn the_length_is_checked_before_the_syntax_and_in_bytes() {
    let text = "ü".repeat(2049);
    assert_eq!(parse_condition(&text), Err(ParseError::TooLong { size_bytes: 4098 }));
}

#[test]
fn operators_and_functions_are_counted_and_parentheses_are_not() {
    let ors = |count: usize| "a<b ".to_owned() + &"or (a<b ".repeat(count) + &")".repeat(count);
    assert!(parse_condition(&ors(149)).is_ok());
    let too_many = Err(ParseError::TooManyOperators { count: 301 });
    assert_eq!(parse_condition(&ors(150)), too_many);
    assert_eq!(parse_condition(&ors(454)), too_many);
    assert_eq!(parse_condition(&("not ".repeat(1000) + "a<b")), too_many);
    let sums = |count: usize| {
        let sums: Vec<String> = (0..count).map(|n| format!("a{n}=b+c")).collect();
        format!("SET {}", sums.join(","))
    };
    assert!(parse_update(&sums(300)).is_ok());
    assert_eq!(
        parse_update(&sums(301)).map(drop),
        Err(ParseError::TooManyOperators { count: 301 })
    );
}

#[test]
fn in_takes_100_candidates() {
    let parsed = |count: usize| {
        let candidates: Vec<String> = (0..count).map(|n| format!(":v{n}")).collect();
        parse_condition(&format!("a IN ({})", candidates.join(","))).unwrap()
    };
    let values: BTreeMap<String, Value> =
        (0..101).map(|n| (format!(":v{n}"), Value::from(n))).collect();
    let names = BTreeMap::<String, String>::new();
    assert!(Resolver::new(&names, &values).condition(&parsed(100)).is_ok());
    assert_eq!(
        Resolver::new(&names, &values).condition(&parsed(101)),
        Err(ResolveError::TooManyCandidates { count: 101 })
    );
}

#[test]
fn thousands_of_open_parentheses_are_a_syntax_error() {
    for text in ["(".repeat(4096), "a = ".to_owned() + &"(".repeat(4000)] {
        assert!(matches!(parse_condition(&text), Err(ParseError::Syntax { token: None, .. })));
    }
    let text = "SET a = ".to_owned() + &"(".repeat(4000);
    assert!(matches!(parse_update(&text), Err(ParseError::Syntax { token: None, .. })));
}

#[test]
fn thousands_of_nested_parentheses_are_redundant() {
    for (before, after) in [("", ""), ("x = ", ""), ("x IN (", ")")] {
        let inner = if before.is_empty() { "a<b" } else { "a" };
        let text = format!("{before}{}{inner}{}{after}", "(".repeat(2040), ")".repeat(2040));
        assert_eq!(parse_condition(&text), Err(ParseError::RedundantParentheses));
    }
}

#[test]
fn thousands_of_nested_calls_are_refused_by_name() {
    let text = "a < ".to_owned() + &"f(".repeat(1355) + "b" + &")".repeat(1355);
    let unknown = ParseError::UnknownFunction { function: "f".to_owned() };
    assert_eq!(parse_condition(&text), Err(unknown.clone()));
    let text = "SET a = ".to_owned() + &"f(".repeat(1355) + "b" + &")".repeat(1355);
    assert_eq!(parse_update(&text), Err(unknown));
}

#[test]
fn nested_sizes_are_bounded_by_the_operators() {
    let text = "a < ".to_owned() + &"size(".repeat(680) + "b" + &")".repeat(680);
    assert_eq!(parse_condition(&text), Err(ParseError::TooManyOperators { count: 301 }));
}

#[test]
fn used_placeholders_are_remembered_over_all_expressions_of_a_request() {
    let names =
        BTreeMap::from([("#a".to_owned(), "a".to_owned()), ("#b".to_owned(), "b".to_owned())]);
    let values = BTreeMap::from([
        (":a".to_owned(), Value::from(1)),
        (":b".to_owned(), Value::from(2)),
        (":c".to_owned(), Value::from(3)),
    ]);
    let mut resolver = Resolver::new(&names, &values);
    resolver.update(&parse_update("SET #a = x + :a").unwrap()).unwrap();
    resolver.condition(&parse_condition("y < :b").unwrap()).unwrap();
    assert!(resolver.is_name_used("#a") && !resolver.is_name_used("#b"));
    assert!(resolver.is_value_used(":a") && resolver.is_value_used(":b"));
    assert!(!resolver.is_value_used(":c"));
}

#[test]
fn expressions_know_the_attributes_they_need() {
    let none = BTreeMap::<String, String>::new();
    let values = BTreeMap::from([(":v".to_owned(), Value::from(1))]);
    let mut resolver = Resolver::new(&none, &values);
    let condition = parse_condition(
        "a.b = :v OR size(c[0]) IN (d, :v) AND NOT attribute_exists(e) OR f BETWEEN g AND :v",
    );
    let condition = resolver.condition(&condition.unwrap()).unwrap();
    assert_eq!(condition.roots().into_iter().collect::<String>(), "acdefg");
    let projection = resolver.projection(&parse_projection("x.y, x.z, w[0]").unwrap()).unwrap();
    assert_eq!(projection.roots().into_iter().collect::<String>(), "wx");
    let update = parse_update(
        "SET a.b = if_not_exists(c, d) + e, f = list_append(g, h) REMOVE i[0] ADD j :v",
    );
    let update = resolver.update(&update.unwrap()).unwrap();
    assert_eq!(update.roots().into_iter().collect::<String>(), "acdefghij");
    assert_eq!(
        update.targets().map(ToString::to_string).collect::<Vec<_>>(),
        ["a.b", "f", "i[0]", "j"]
    );
}

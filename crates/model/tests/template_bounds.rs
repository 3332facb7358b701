//! Key conditions of partial keys select exactly the keys that were meant.

use std::ops::{Bound, RangeBounds};

use monotable_expr::KeyComparison;
use monotable_item::{Item, Value};
use monotable_model::template::{BoundError, Template};
use proptest::prelude::*;

fn item(pairs: &[(&str, Value)]) -> Item {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn text(value: &Value) -> &str {
    match value {
        Value::String(text) => text,
        other => panic!("{other:?} is no text"),
    }
}

/// Whether a key meets a condition, by the order of bytes.
fn meets(key: &Value, condition: &KeyComparison) -> bool {
    let key = text(key);
    match condition {
        KeyComparison::Equal(value) => key == text(value),
        KeyComparison::Less(value) => key < text(value),
        KeyComparison::LessOrEqual(value) => key <= text(value),
        KeyComparison::Greater(value) => key > text(value),
        KeyComparison::GreaterOrEqual(value) => key >= text(value),
        KeyComparison::Between(lower, upper) => key >= text(lower) && key <= text(upper),
        KeyComparison::BeginsWith(value) => key.starts_with(text(value)),
        KeyComparison::NotIndexable => false,
    }
}

#[track_caller]
fn check(template: &str, known: &[(&str, Value)], condition: &Option<KeyComparison>) {
    let template = Template::parse(template).unwrap();
    assert_eq!(&template.partial(&item(known)).unwrap().condition(), condition);
}

fn begins(text: &str) -> Option<KeyComparison> {
    Some(KeyComparison::BeginsWith(Value::from(text)))
}

#[test]
fn partial_keys_end_at_a_boundary() {
    let place = "{state:slug}#{city:slug}#{zip}#";
    check(place, &[], &None);
    check(place, &[("state", Value::from("Wyoming"))], &begins("wyoming#"));
    let city = [("state", Value::from("Wyoming")), ("city", Value::from("Jackson"))];
    check(place, &city, &begins("wyoming#jackson#"));
    check("ORDER#{id:06}", &[], &begins("ORDER#"));
    let whole = Some(KeyComparison::Equal(Value::from("ORDER#000017")));
    check("ORDER#{id:06}", &[("id", Value::from(17))], &whole);
    check("{id:number}", &[("id", Value::from(17))], &Some(KeyComparison::Equal(Value::from(17))));
    check("{id:number}", &[], &None);
}

#[test]
fn a_gap_ends_what_is_known() {
    check("A#{a}#{b}", &[("b", Value::from("x"))], &begins("A#"));
}

#[test]
fn beginnings_inside_a_part_must_be_asked_for() {
    let template = Template::parse("{state:slug}#{city:slug}#{at:time(s)}").unwrap();
    let known = item(&[("state", Value::from("Wyoming"))]);
    let partial = template.partial(&known).unwrap();
    assert_eq!(Some(partial.begins("Jack#").unwrap()), begins("wyoming#jack$0"));
    let known = item(&[("state", Value::from("a")), ("city", Value::from("b"))]);
    let partial = template.partial(&known).unwrap();
    assert_eq!(Some(partial.begins("2026-01").unwrap()), begins("a#b#2026-01"));
    let number = Template::parse("{n:06}").unwrap();
    let error = number.partial(&Item::new()).unwrap().begins("0").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the beginning of attribute n is not the beginning of its part of the key"
    );
}

#[test]
fn ranges_that_no_condition_says_are_refused() {
    let range = |template: &str, from: Bound<&Value>, to: Bound<&Value>| {
        let template = Template::parse(template).unwrap();
        template.partial(&Item::new()).unwrap().range(from, to).unwrap_err().to_string()
    };
    let (one, two) = (Value::from(1), Value::from(2));
    let (a, b) = (Value::from("a"), Value::from("b"));
    assert_eq!(
        range("V{n:plain}", Bound::Included(&one), Bound::Unbounded),
        "attribute n does not sort by value: it is hashed, or a number without padding"
    );
    assert_eq!(
        range("V{n:02}", Bound::Included(&two), Bound::Included(&one)),
        "the range ends before it begins"
    );
    assert_eq!(
        range("V{n}", Bound::Included(&a), Bound::Excluded(&b)),
        "the end of a range on attribute n cannot be left out"
    );
    assert_eq!(range("V{n}", Bound::Unbounded, Bound::Unbounded), "a range needs at least one end");
    assert_eq!(
        range("V", Bound::Unbounded, Bound::Included(&b)),
        "no attribute follows what is known of the key"
    );
    assert_eq!(
        range("V{n:02}", Bound::Included(&a), Bound::Unbounded),
        "attribute n: is of type S, not N"
    );
}

const TEMPLATES: [&str; 10] = [
    "{n:02}",
    "{n:02:desc}",
    "{n:02:desc(99)}",
    "A#{n:02}",
    "A#{n:02}#{t}",
    "A#{n:02:desc}#{t}",
    "A{n:+02}{t}",
    "{n:02}#Z#",
    "A#{n:02:optional}",
    "A#{n:02:desc:optional}",
];

fn bound() -> impl Strategy<Value = Bound<i64>> {
    prop_oneof![
        Just(Bound::Unbounded),
        (0..12_i64).prop_map(Bound::Included),
        (0..12_i64).prop_map(Bound::Excluded),
    ]
}

proptest! {
    #[test]
    fn ranges_of_an_optional_part_leave_out_keys_without_it(from in bound(), to in bound()) {
        for template in ["A#{n:02:optional}", "A#{n:02:desc:optional}"] {
            let template = Template::parse(template).unwrap();
            let partial = template.partial(&Item::new()).unwrap();
            let ends = (from.map(Value::from), to.map(Value::from));
            if let Ok(condition) = partial.range(ends.0.as_ref(), ends.1.as_ref()) {
                prop_assert!(!meets(&Value::from("A#"), &condition), "{:?}", condition);
            }
        }
    }

    #[test]
    fn ranges_of_numbers_select_what_lies_in_them(
        template in proptest::sample::select(TEMPLATES.to_vec()), from in bound(), to in bound(),
    ) {
        let template = Template::parse(template).unwrap();
        let partial = template.partial(&Item::new()).unwrap();
        let ends = (from.map(Value::from), to.map(Value::from));
        let condition = match partial.range(ends.0.as_ref(), ends.1.as_ref()) {
            Ok(condition) => condition,
            Err(BoundError::Unbounded) => return Ok(()),
            Err(BoundError::Reversed) => {
                prop_assert!((0..12).all(|n| !(from, to).contains(&n)));
                return Ok(());
            }
            Err(BoundError::ExcludedEnd { .. }) => {
                prop_assert!((0..12).all(|n| !(from, to).contains(&n)), "{template}");
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        for n in 0..12 {
            for t in ["!", "a", "#", "~"] {
                let key = template.build(&item(&[("n", Value::from(n)), ("t", Value::from(t))]))
                    .unwrap();
                prop_assert_eq!(meets(&key, &condition), (from, to).contains(&n), "{:?} {:?}", key,
                    condition);
            }
        }
    }

    #[test]
    fn ranges_of_texts_select_what_lies_in_them(
        template in proptest::sample::select(vec!["{t}", "A#{t}", "A#{t}#{n:01}"]),
        values in proptest::collection::vec("[#$a~]{1,3}", 1..8),
        from in "[#$a~]{1,3}", to in "[#$a~]{1,3}",
        excluded in any::<bool>(),
    ) {
        let template = Template::parse(template).unwrap();
        let partial = template.partial(&Item::new()).unwrap();
        let (lower, upper) = (Value::from(from.as_str()), Value::from(to.as_str()));
        let lower_bound = if excluded { Bound::Excluded(&lower) } else { Bound::Included(&lower) };
        let Ok(condition) = partial.range(lower_bound, Bound::Included(&upper)) else {
            prop_assert!(from >= to);
            return Ok(());
        };
        for value in values {
            let key = template
                .build(&item(&[("t", Value::from(value.as_str())), ("n", Value::from(5))]));
            let within = value <= to && if excluded { value > from } else { value >= from };
            prop_assert_eq!(meets(&key.unwrap(), &condition), within, "{} {:?}", value, condition);
        }
    }
}

//! Attribute values: of all types, of any depth, and at the limits of numbers.

use serde_json::{Value, json};

use crate::random::Random;

/// Numbers as a request writes them: usual ones, equal ones in other forms, and some at the limits.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "1.5",
    "10",
    "1e1",
    "007",
    "-0",
    "3.14159",
    "1E125",
    "1E-130",
    "99999999999999999999999999999999999999",
    "9.9999999999999999999999999999999999999E+125",
];

/// Numbers that are refused.
const WRONG_NUMBERS: &[&str] = &[
    "",
    "x",
    "1e126",
    "1e-131",
    "0x10",
    "1_000",
    "NaN",
    "Infinity",
    " 1",
    "1 ",
    "1e2147483647",
    "123456789012345678901234567890123456789",
    "--1",
    "1.2.3",
    "١",
];

const TEXTS: &[&str] = &["", "a", "b", "c", "ab", "abc", "z", "é", "\u{1F600}", "a\u{0}b", "S"];

/// A valid value. Those that hold others become rarer with the depth.
pub fn value(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth < 4 { 10 } else { 6 };
    match random.below(kinds) {
        0 | 1 => json!({"S": random.pick(TEXTS)}),
        2 | 3 => json!({"N": random.pick(NUMBERS)}),
        4 => json!({"BOOL": random.one_in(2)}),
        5 => json!({"B": random.pick(&["", "AA==", "AQI=", "/w=="])}),
        6 => json!({"NULL": true}),
        7 => set(random),
        8 => {
            json!({"L": (0..random.below(4)).map(|_| value(random, depth + 1)).collect::<Value>()})
        }
        _ => {
            let names = ["a", "b", "x", "y"];
            let members = names.iter().take(random.below(4));
            json!({"M": members
                .map(|name| ((*name).to_owned(), value(random, depth + 1)))
                .collect::<Value>()})
        }
    }
}

/// A set of a few different members.
pub fn set(random: &mut Random) -> Value {
    let count = 1 + random.below(3);
    let first = |members: &[&str]| members.iter().take(count).copied().collect::<Value>();
    match random.below(3) {
        0 => json!({"SS": first(&["a", "b", "c"])}),
        1 => json!({"NS": first(&["1", "2", "3.5"])}),
        _ => json!({"BS": first(&["AA==", "AQI=", "/w=="])}),
    }
}

/// A value that is refused, or nearly.
pub fn odd_value(random: &mut Random) -> Value {
    match random.below(14) {
        0 => json!({}),
        1 => json!({"S": "a", "N": "1"}),
        2 => json!({"N": random.pick(WRONG_NUMBERS)}),
        3 => json!({"SS": []}),
        4 => json!({"SS": ["a", "b", "a"]}),
        5 => json!({"NS": ["1", "1.0"]}),
        6 => json!({"BS": ["AA==", "AA=="]}),
        7 => json!({"NULL": false}),
        8 => json!({"B": "not base64!"}),
        9 => json!({"S": 1}),
        10 => json!({"N": 1}),
        11 => nested(random.below(80)),
        12 => json!({"S": "x".repeat(random.below(5000))}),
        _ => json!({"X": "a"}),
    }
}

/// A value within this many lists and maps.
pub fn nested(levels: usize) -> Value {
    let wrap = |inner: Value, level: usize| match level % 2 {
        0 => json!({"L": [inner]}),
        _ => json!({"M": {"a": inner}}),
    };
    (0..levels).fold(json!({"S": "deep"}), wrap)
}

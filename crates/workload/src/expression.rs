//! Expressions by their grammar, with the names and values that they use.

use serde_json::{Map, Value, json};

use crate::random::Random;
use crate::value;

const NAMES: &[&str] = &["a", "b", "m", "l", "s", "n", "g", "h", "pk", "sk", "missing"];
/// Names that expressions refuse unless a placeholder stands for them.
const ODD_NAMES: &[&str] = &["size", "value", "NAME", "a-b", "1a", "", "SET", "#undefined"];
const COMPARATORS: &[&str] = &["=", "<>", "<", "<=", ">", ">="];
const PLACEHOLDERS: usize = 4;

/// A document path.
pub fn path(random: &mut Random) -> String {
    let mut path = name(random);
    while random.one_in(4) {
        if random.one_in(2) {
            path.push_str(&format!("[{}]", random.below(3)))
        } else {
            path.push_str(&format!(".{}", random.pick(&["a", "b", "x", "#n0"])))
        }
    }
    path
}

fn name(random: &mut Random) -> String {
    match random.below(40) {
        0 => (*random.pick(ODD_NAMES)).to_owned(),
        1..8 => format!("#n{}", random.below(PLACEHOLDERS)),
        _ => (*random.pick(NAMES)).to_owned(),
    }
}

fn placeholder(random: &mut Random) -> String {
    format!(":v{}", random.below(PLACEHOLDERS))
}

fn operand(random: &mut Random) -> String {
    match random.below(8) {
        0 => format!("size({})", path(random)),
        1..4 => path(random),
        _ => placeholder(random),
    }
}

/// A condition or filter.
pub fn condition(random: &mut Random, depth: usize) -> String {
    if depth < 4 && random.one_in(3) {
        let (left, right) = (condition(random, depth + 1), condition(random, depth + 1));
        return match random.below(4) {
            0 => format!("({left}) AND {right}"),
            1 => format!("{left} OR {right}"),
            2 => format!("NOT {left}"),
            _ => format!("({left} AND {right})"),
        };
    }
    match random.below(9) {
        0 => format!("attribute_exists({})", path(random)),
        1 => format!("attribute_not_exists({})", path(random)),
        2 => format!("attribute_type({}, :v0)", path(random)),
        3 => format!("begins_with({}, {})", path(random), operand(random)),
        4 => format!("contains({}, {})", path(random), operand(random)),
        5 => format!("{} BETWEEN {} AND {}", operand(random), operand(random), operand(random)),
        6 => format!("{} IN ({}, {})", operand(random), operand(random), operand(random)),
        _ => format!("{} {} {}", operand(random), random.pick(COMPARATORS), operand(random)),
    }
}

/// An update.
pub fn update(random: &mut Random) -> String {
    let mut sections = Vec::new();
    for section in ["SET", "REMOVE", "ADD", "DELETE"] {
        if random.one_in(if section == "SET" { 2 } else { 5 }) {
            let actions: Vec<String> =
                (0..1 + random.below(3)).map(|_| action(random, section)).collect();
            sections.push(format!("{section} {}", actions.join(", ")));
        }
    }
    if sections.is_empty() {
        return format!("SET a = {}", placeholder(random));
    }
    sections.join(" ")
}

fn action(random: &mut Random, section: &str) -> String {
    match section {
        "SET" => format!("{} = {}", path(random), source(random)),
        "REMOVE" => path(random),
        _ => format!("{} {}", path(random), placeholder(random)),
    }
}

fn source(random: &mut Random) -> String {
    match random.below(8) {
        0 => format!("if_not_exists({}, {})", path(random), placeholder(random)),
        1 => format!("list_append({}, {})", operand(random), operand(random)),
        2 => format!("{} + {}", operand(random), placeholder(random)),
        3 => format!("{} - {}", placeholder(random), operand(random)),
        4 => path(random),
        _ => placeholder(random),
    }
}

/// A projection.
pub fn projection(random: &mut Random) -> String {
    let paths: Vec<String> = (0..1 + random.below(3)).map(|_| path(random)).collect();
    paths.join(", ")
}

/// A condition on a partition key and, perhaps, a sort key. `:p` and `:q` stand for their values,
/// `:r` for an upper bound.
pub fn key_condition(random: &mut Random, partition: &str, sort: Option<&str>) -> String {
    let equal = format!("{partition} = :p");
    let Some(sort) = sort.filter(|_| random.one_in(2)) else { return equal };
    let on_sort = match random.below(8) {
        0 => format!("{sort} BETWEEN :q AND :r"),
        1 => format!("begins_with({sort}, :q)"),
        2 => format!("{sort} <> :q"),
        _ => format!("{sort} {} :q", random.pick(&["=", "<", "<=", ">", ">="])),
    };
    if random.one_in(4) {
        format!("{on_sort} AND {equal}")
    } else {
        format!("{equal} AND {on_sort}")
    }
}

/// Gives a request the names and values that its expressions use; now and then one more or one
/// less.
pub fn add_placeholders(random: &mut Random, request: &mut Map<String, Value>) {
    let expressions = [
        "ConditionExpression",
        "FilterExpression",
        "UpdateExpression",
        "ProjectionExpression",
        "KeyConditionExpression",
    ];
    let texts = expressions.iter().filter_map(|name| request.get(*name)?.as_str());
    let text = texts.collect::<Vec<_>>().join(" ");
    let (mut names, mut values) = (Map::new(), Map::new());
    for number in 0..PLACEHOLDERS {
        let (name, value) = (format!("#n{number}"), format!(":v{number}"));
        if text.contains(&name) != random.one_in(60) {
            names.insert(name, json!(random.pick(&["a", "b", "m", "value", "x.y"])));
        }
        if text.contains(&value) != random.one_in(60) {
            values.insert(value, used_value(random));
        }
    }
    if let Some(Value::Object(already)) = request.remove("ExpressionAttributeValues") {
        values.extend(already);
    }
    if !names.is_empty() {
        request.insert("ExpressionAttributeNames".to_owned(), Value::Object(names));
    }
    if !values.is_empty() {
        request.insert("ExpressionAttributeValues".to_owned(), Value::Object(values));
    }
}

fn used_value(random: &mut Random) -> Value {
    match random.below(12) {
        0 => value::odd_value(random),
        1..5 => json!({"N": random.pick(&["1", "2", "-3", "0.5"])}),
        5 => value::set(random),
        6 => json!({"L": [{"S": "a"}]}),
        _ => value::value(random, 2),
    }
}

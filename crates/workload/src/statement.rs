//! PartiQL statements on the tables of a [history](crate::history), with values in their text and
//! as parameters.

use serde_json::{Value, json};

use crate::Call;
use crate::history::{PAIR, finished, set, table};
use crate::random::Random;

/// Values as a statement writes them.
const LITERALS: &[&str] = &[
    "'a'",
    "'b'",
    "''",
    "'it''s'",
    "0",
    "1",
    "2",
    "-3",
    "1.5",
    "1e1",
    "TRUE",
    "FALSE",
    "NULL",
    "[1, 'a']",
    "{'a': 1, 'x': 'b'}",
    "<<1, 2>>",
    "<<'a', 'b'>>",
    "[]",
    "{}",
];
/// Literals that are refused, or nearly.
const ODD_LITERALS: &[&str] = &["\"a\"", "<<>>", "<<1, 'a'>>", "1e126", "MISSING", "'a", "{'a'}"];
const ATTRIBUTES: &[&str] = &["a", "b", "m", "l", "n", "s", "g", "h", "missing"];
const PATHS: &[&str] = &["m.a", "l[0]", "m.x", "l[1].a", "\"a\"", "\"n\""];
const COMPARATORS: &[&str] = &["=", "<>", "<", "<=", ">", ">="];

/// A statement in the making: its text, and what stands for its question marks.
struct Draft<'r> {
    random: &'r mut Random,
    parameters: Vec<Value>,
}

/// A statement by itself.
pub(crate) fn execute_statement(random: &mut Random) -> Call {
    let mut request = statement(random);
    let is_read = request.get("Statement").is_some_and(|text| text.to_string().contains("SELECT"));
    if is_read && random.one_in(3) {
        set(&mut request, "ConsistentRead", json!(true));
    }
    finished(random, "ExecuteStatement", request, &[])
}

/// A few statements, each for itself.
pub(crate) fn batch_execute_statement(random: &mut Random) -> Call {
    let statements: Value = (0..1 + random.below(3)).map(|_| statement(random)).collect();
    Call::new("BatchExecuteStatement", json!({"Statements": statements}))
}

/// A few statements, all or none of them.
pub(crate) fn execute_transaction(random: &mut Random) -> Call {
    let statements: Value = (0..1 + random.below(3)).map(|_| statement(random)).collect();
    Call::new("ExecuteTransaction", json!({"TransactStatements": statements}))
}

/// A statement with its parameters.
fn statement(random: &mut Random) -> Value {
    let mut draft = Draft { random, parameters: Vec::new() };
    let text = match draft.random.below(8) {
        0..3 => draft.select(),
        3 | 4 => draft.insert(),
        5 | 6 => draft.update(),
        _ => draft.delete(),
    };
    let mut statement = json!({"Statement": text});
    if !draft.parameters.is_empty() {
        set(&mut statement, "Parameters", Value::Array(draft.parameters));
    }
    statement
}

impl Draft<'_> {
    fn select(&mut self) -> String {
        let table = table(self.random);
        let returned = match self.random.below(4) {
            0 => format!("{}, {}", self.path(), self.path()),
            1 => self.path(),
            _ => "*".to_owned(),
        };
        let index = (table == PAIR && self.random.one_in(5)).then_some("\"by-h\"");
        let from = match index {
            Some(index) => format!("\"{table}\".{index}"),
            None => format!("\"{table}\""),
        };
        let condition = match self.random.below(6) {
            0 => return format!("SELECT {returned} FROM {from}"),
            1 => self.condition(0),
            2 => format!("pk = {} AND {}", self.partition(), self.condition(0)),
            3 => format!("pk IN [{}, {}]", self.partition(), self.partition()),
            _ => self.key(table),
        };
        format!("SELECT {returned} FROM {from} WHERE {condition}")
    }

    fn insert(&mut self) -> String {
        let table = table(self.random);
        let mut members = vec![format!("'pk': {}", self.partition())];
        if table == PAIR {
            members.push(format!("'sk': {}", self.sort()));
        }
        for name in ["a", "b", "m", "l", "n", "s"] {
            if self.random.one_in(3) {
                members.push(format!("'{name}': {}", self.value()));
            }
        }
        format!("INSERT INTO \"{table}\" VALUE {{{}}}", members.join(", "))
    }

    fn update(&mut self) -> String {
        let table = table(self.random);
        let mut text = format!("UPDATE \"{table}\"");
        for _ in 0..1 + self.random.below(2) {
            let change = match self.random.below(5) {
                0 => format!(" REMOVE {}", self.path()),
                1 => format!(" SET n = n + {}", self.random.pick(&["1", "2"])),
                2 => format!(" SET l = list_append(l, [{}])", self.value()),
                _ => format!(" SET {} = {}", self.path(), self.value()),
            };
            text.push_str(&change);
        }
        let (key, more) = (self.key(table), self.more());
        let returned = match self.random.below(4) {
            0 => " RETURNING ALL OLD *",
            1 => " RETURNING MODIFIED NEW *",
            _ => "",
        };
        format!("{text} WHERE {key}{more}{returned}")
    }

    fn delete(&mut self) -> String {
        let table = table(self.random);
        let (key, more) = (self.key(table), self.more());
        let returned = if self.random.one_in(3) { " RETURNING ALL OLD *" } else { "" };
        format!("DELETE FROM \"{table}\" WHERE {key}{more}{returned}")
    }

    /// The key of an item; now and then a part of it is missing.
    fn key(&mut self, table: &str) -> String {
        if table != PAIR || self.random.one_in(12) {
            return format!("pk = {}", self.partition());
        }
        // Parameters stand in the order of their question marks.
        if self.random.one_in(4) {
            format!("sk = {} AND pk = {}", self.sort(), self.partition())
        } else {
            format!("pk = {} AND sk = {}", self.partition(), self.sort())
        }
    }

    /// A condition besides the key, if there is one.
    fn more(&mut self) -> String {
        if self.random.one_in(4) { format!(" AND {}", self.condition(2)) } else { String::new() }
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth < 2 && self.random.one_in(4) {
            let left = self.condition(depth + 1);
            return match self.random.below(3) {
                0 => format!("({left} OR {})", self.condition(depth + 1)),
                1 => format!("NOT ({left})"),
                _ => format!("{left} AND {}", self.condition(depth + 1)),
            };
        }
        let path = self.path();
        match self.random.below(9) {
            0 => format!("{path} IS MISSING"),
            1 => format!("{path} IS NOT MISSING"),
            2 => format!("begins_with({path}, {})", self.value()),
            3 => format!("contains({path}, {})", self.value()),
            4 => format!("{path} BETWEEN {} AND {}", self.value(), self.value()),
            5 => format!("{path} IN [{}, {}]", self.value(), self.value()),
            6 => format!("size({path}) > {}", self.random.below(3)),
            _ => format!("{path} {} {}", self.random.pick(COMPARATORS), self.value()),
        }
    }

    fn path(&mut self) -> String {
        let paths = if self.random.one_in(4) { PATHS } else { ATTRIBUTES };
        (*self.random.pick(paths)).to_owned()
    }

    fn partition(&mut self) -> String {
        let value = *self.random.pick(&["a", "a", "b"]);
        self.written(format!("'{value}'"), json!({"S": value}))
    }

    fn sort(&mut self) -> String {
        let value = *self.random.pick(&["1", "2", "3", "4.0"]);
        self.written(value.to_owned(), json!({"N": value}))
    }

    /// A value that stands in the text, or is a parameter.
    fn written(&mut self, literal: String, parameter: Value) -> String {
        if !self.random.one_in(3) {
            return literal;
        }
        self.parameters.push(parameter);
        "?".to_owned()
    }

    fn value(&mut self) -> String {
        let literals = if self.random.one_in(25) { ODD_LITERALS } else { LITERALS };
        let literal = (*self.random.pick(literals)).to_owned();
        let number = *self.random.pick(&["1", "2", "0.5"]);
        self.written(literal, json!({"N": number}))
    }
}

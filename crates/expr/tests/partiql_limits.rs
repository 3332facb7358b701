//! Statements that are made to exhaust the parser, and texts that are no statements at all.

use monotable_expr::partiql::{PartiqlErrorKind, parse};
use monotable_item::Value;
use monotable_item::limits::STATEMENT_LENGTH_MAX;
use proptest::prelude::*;

fn refusal(text: &str) -> PartiqlErrorKind {
    parse(text).unwrap_err().kind().clone()
}

#[test]
fn a_statement_has_at_most_8192_characters() {
    let statement = |length: usize| {
        let start = "SELECT * FROM t";
        format!("{start}{}", " ".repeat(length - start.len()))
    };
    assert!(parse(&statement(STATEMENT_LENGTH_MAX)).is_ok());
    let length = STATEMENT_LENGTH_MAX + 1;
    assert_eq!(refusal(&statement(length)), PartiqlErrorKind::Length { length });
    assert_eq!(refusal(""), PartiqlErrorKind::Length { length: 0 });
}

#[test]
fn what_lies_too_deep_is_refused_and_exhausts_nothing() {
    let long = |text: &str| text.repeat(8000 / text.len());
    for nested in ["(", "NOT ", "[", "{'a':", "<<", "size(", "- (", "a[(", "a["] {
        let error = refusal(&format!("SELECT * FROM t WHERE a = {}", long(nested)));
        assert_ne!(error, PartiqlErrorKind::Unreadable, "{nested}");
        refusal(&format!("SELECT * FROM t WHERE {}", long(nested)));
        refusal(&format!("UPDATE t SET a = {}", long(nested)));
        refusal(&format!("INSERT INTO t VALUE {{'a': {}", long(nested)));
    }
    let operators = [" AND a = 1", " OR a = 1", " + 1", " - 1", " = 1", " IN a", " IS NULL"];
    for operator in operators {
        let error = refusal(&format!("SELECT * FROM t WHERE a = 1{}", long(operator)));
        assert_eq!(error, PartiqlErrorKind::TooManyOperators { count: 301 }, "{operator}");
    }
}

#[test]
fn values_lie_31_levels_deep_and_no_deeper() {
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        parse(&format!("UPDATE t SET d = {open}1{close} WHERE pk = 1"))
    };
    assert!(nested(31).is_ok());
    let path = format!("root{}", "[0]".repeat(32));
    assert_eq!(nested(32).unwrap_err().kind(), &PartiqlErrorKind::NestedTooDeep { path });
}

#[test]
fn as_many_values_are_given_as_there_are_parameters() {
    let statement = parse("SELECT * FROM t WHERE a = ? AND b IN [?, ?]").unwrap();
    assert!(statement.bind(&[Value::from(1), Value::from(2), Value::from(3)]).is_ok());
    let error = statement.bind(&[Value::from(1)]).unwrap_err();
    assert_eq!(error.kind(), &PartiqlErrorKind::ParameterCount { wanted: 3, given: 1 });
}

/// Pieces of statements, so that random texts get far into the grammar.
const PIECES: [&str; 52] = [
    "SELECT",
    "*",
    "FROM",
    "t",
    "WHERE",
    "a",
    "=",
    "1",
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<<",
    ">>",
    ",",
    ".",
    ":",
    "?",
    "'s'",
    "\"q\"",
    "IN",
    "BETWEEN",
    "IS",
    "NULL",
    "MISSING",
    "size",
    "set_add",
    "list_append",
    "attribute_exists",
    "UPDATE",
    "SET",
    "REMOVE",
    "INSERT",
    "INTO",
    "VALUE",
    "DELETE",
    "RETURNING",
    "ALL",
    "OLD",
    "ORDER",
    "BY",
    "DESC",
    "+",
    "-",
    "EXISTS",
    "--",
    "\n",
];

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,200}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_row_of_pieces_makes_the_parser_panic(
        start in prop::sample::select(vec![
            "SELECT * FROM t WHERE ", "UPDATE t SET a = ", "INSERT INTO t VALUE ", "DELETE FROM t ",
            "",
        ]),
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..60),
    ) {
        let text = format!("{start}{}", pieces.join(" "));
        if let Ok(statement) = parse(&text) {
            let values = vec![Value::from(1); statement.parameter_count()];
            let _ = statement.bind(&values);
        }
    }
}

//! What can follow: keywords, tables, indexes, attributes and commands.

use super::parsed;
use super::shell_command::NAMES;
use super::token::{Kind, Token, tokens};

/// The words of statements.
pub(super) const KEYWORDS: [&str; 37] = [
    "ALL",
    "AND",
    "ASC",
    "BETWEEN",
    "BY",
    "DELETE",
    "DESC",
    "EXISTS",
    "FALSE",
    "FROM",
    "IN",
    "INSERT",
    "INTO",
    "IS",
    "MISSING",
    "MODIFIED",
    "NEW",
    "NOT",
    "NULL",
    "OLD",
    "OR",
    "ORDER",
    "REMOVE",
    "RETURNING",
    "SELECT",
    "SET",
    "TRUE",
    "UPDATE",
    "VALUE",
    "WHERE",
    "attribute_type",
    "begins_with",
    "contains",
    "list_append",
    "set_add",
    "set_delete",
    "size",
];

/// What names there are.
pub(super) trait Names {
    /// The tables.
    fn tables(&self) -> Vec<String>;
    /// The indexes of a table.
    fn indexes(&self, table: &str) -> Vec<String>;
    /// The attributes that are known of a table.
    fn attributes(&self, table: &str) -> Vec<String>;
}

/// Where the word before the cursor begins, and what it can become.
pub(super) fn complete(text: &str, cursor: usize, names: &impl Names) -> (usize, Vec<String>) {
    let before = text.get(..cursor).unwrap_or(text);
    if let Some(found) = complete_command(before, names) {
        return found;
    }
    let all: Vec<Token<'_>> = tokens(before).collect();
    let word = all.last().copied().filter(|token| is_open(token));
    let start = word.map_or(before.len(), |token| token.start);
    let preceding: Vec<Token<'_>> =
        all.into_iter().filter(|token| !token.is_blank() && token.start < start).collect();
    let prefix = Prefix::new(word);
    let candidates = match CursorContext::of(&preceding) {
        CursorContext::Inside => Vec::new(),
        CursorContext::Table => prefix.names(names.tables()),
        CursorContext::Index(table) => prefix.names(names.indexes(&table)),
        CursorContext::Word => {
            // The table of a SELECT stands behind its columns.
            let known = table_of(text).map(|table| names.attributes(&table)).unwrap_or_default();
            [prefix.names(known), prefix.keywords()].concat()
        }
    };
    (start, candidates)
}

/// Whether a token can go on at the cursor.
fn is_open(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Word => true,
        Kind::Name | Kind::Text | Kind::Comment => !token.is_closed,
        Kind::Space | Kind::Number | Kind::Semicolon | Kind::Symbol => false,
    }
}

fn complete_command(before: &str, names: &impl Names) -> Option<(usize, Vec<String>)> {
    let line = before.trim_start();
    if !line.starts_with('\\') {
        return None;
    }
    let start = before.len() - line.len();
    let Some((name, rest)) = line.split_once(' ') else {
        let fitting = NAMES.iter().filter(|name| name.starts_with(line));
        return Some((start, fitting.map(|name| (*name).to_owned()).collect()));
    };
    let choices: Vec<String> = match name {
        "\\d" => names.tables(),
        "\\x" => ["on", "off", "auto"].map(str::to_owned).into(),
        "\\consistent" | "\\cost" | "\\timing" => ["on", "off"].map(str::to_owned).into(),
        "\\output" => ["table", "json", "dynamodb-json", "csv"].map(str::to_owned).into(),
        _ => return None,
    };
    let mut fitting = choices;
    fitting.retain(|choice| choice.starts_with(rest));
    if fitting.is_empty() && name == "\\cost" {
        // It takes a statement as well.
        return None;
    }
    Some((before.len() - rest.len(), fitting))
}

/// What stands at the cursor.
#[derive(Debug, PartialEq, Eq)]
enum CursorContext {
    /// The name of a table.
    Table,
    /// The name of an index of a table.
    Index(String),
    /// An attribute or a keyword.
    Word,
    /// A member of a map, whose names nobody knows.
    Inside,
}

impl CursorContext {
    fn of(preceding: &[Token<'_>]) -> CursorContext {
        match preceding {
            [.., word] if names_a_table(word) => CursorContext::Table,
            [.., word, table, dot] if names_a_table(word) && dot.is_symbol(".") => {
                table.name().map_or(CursorContext::Inside, CursorContext::Index)
            }
            [.., dot] if dot.is_symbol(".") => CursorContext::Inside,
            _ => CursorContext::Word,
        }
    }
}

fn names_a_table(word: &Token<'_>) -> bool {
    ["FROM", "INTO", "UPDATE"].iter().any(|keyword| word.is_word(keyword))
}

/// The table that the last statement of a text is about.
pub(super) fn table_of(text: &str) -> Option<String> {
    let words: Vec<Token<'_>> = tokens(text).filter(|token| !token.is_blank()).collect();
    let statement =
        words.rsplit(|token| token.kind == Kind::Semicolon).find(|part| !part.is_empty())?;
    statement.windows(2).find_map(|pair| match pair {
        [word, table] if names_a_table(word) => table.name(),
        _ => None,
    })
}

/// The word before the cursor.
struct Prefix<'t> {
    text: &'t str,
    is_quoted: bool,
    is_literal: bool,
}

impl<'t> Prefix<'t> {
    fn new(word: Option<Token<'t>>) -> Prefix<'t> {
        let text = word.map_or("", |token| token.text);
        let is_literal = word.is_some_and(|token| matches!(token.kind, Kind::Text | Kind::Comment));
        let unquoted = text.strip_prefix('"');
        Prefix { text: unquoted.unwrap_or(text), is_quoted: unquoted.is_some(), is_literal }
    }

    /// Names that begin like the word, in quotes where they need them or the word has them.
    fn names(&self, names: Vec<String>) -> Vec<String> {
        let fitting =
            names.into_iter().filter(|name| !self.is_literal && name.starts_with(self.text));
        fitting
            .map(|name| if self.is_quoted { quoted(&name) } else { quoted_if_needed(&name) })
            .collect()
    }

    /// Keywords that begin like the word, in its case.
    fn keywords(&self) -> Vec<String> {
        if self.text.is_empty() || self.is_quoted || self.is_literal {
            return Vec::new();
        }
        let is_lower = self.text.chars().all(|character| !character.is_uppercase());
        let mut fitting: Vec<String> = KEYWORDS
            .iter()
            .filter(|keyword| begins_in_any_case(keyword, self.text))
            .map(|keyword| if is_lower { keyword.to_lowercase() } else { keyword.to_uppercase() })
            .collect();
        fitting.sort_unstable();
        fitting.dedup();
        fitting
    }
}

fn begins_in_any_case(keyword: &str, prefix: &str) -> bool {
    keyword.get(..prefix.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(prefix))
}

/// A name as statements have it.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Most names need no quotes; which ones do, keywords among them, the parser knows.
fn quoted_if_needed(name: &str) -> String {
    let is_word =
        name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    let is_plain = || parsed::parse(&format!("SELECT * FROM {name}")).is_ok();
    if is_word && is_plain() { name.to_owned() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Shop;

    impl Names for Shop {
        fn tables(&self) -> Vec<String> {
            ["orders", "order-lines", "customers"].map(str::to_owned).into()
        }

        fn indexes(&self, table: &str) -> Vec<String> {
            if table == "orders" { vec!["by_state".to_owned()] } else { Vec::new() }
        }

        fn attributes(&self, table: &str) -> Vec<String> {
            if table == "orders" { vec!["state".to_owned(), "size".to_owned()] } else { Vec::new() }
        }
    }

    /// The cursor is at the bar.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let cursor = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let (start, candidates) = complete(&text, cursor, &Shop);
        assert_eq!(candidates, expected, "{text}");
        assert!(start <= cursor);
    }

    #[test]
    fn tables_follow_from_into_and_update() {
        check("SELECT * FROM ord|", &["orders", "\"order-lines\""]);
        check("select * from \"ord|", &["\"orders\"", "\"order-lines\""]);
        check("INSERT INTO |", &["orders", "\"order-lines\"", "customers"]);
        check("UPDATE c|", &["customers"]);
    }

    #[test]
    fn indexes_follow_their_table() {
        check("SELECT * FROM orders.|", &["by_state"]);
        check("SELECT * FROM \"orders\".\"by|", &["\"by_state\""]);
        check("SELECT * FROM customers.|", &[]);
    }

    #[test]
    fn attributes_are_those_of_the_table_even_before_it_is_named() {
        check("SELECT st| FROM orders", &["state"]);
        check("SELECT * FROM orders WHERE st|", &["state"]);
        check("SELECT * FROM orders WHERE \"si|", &["\"size\""]);
        check("SELECT * FROM customers; UPDATE orders SET sta|", &["state"]);
        check("SELECT * FROM orders WHERE state.|", &[]);
    }

    #[test]
    fn keywords_take_the_case_of_what_is_typed() {
        check("sel|", &["select"]);
        check("SEL|", &["SELECT"]);
        check("SELECT * FROM orders WHERE beg|", &["begins_with"]);
        check("SELECT * FROM orders WHERE a = 'sel|", &[]);
        check("SELECT * FROM orders WHERE si|", &["\"size\"", "size"]);
    }

    #[test]
    fn commands_are_completed_with_what_they_take() {
        check("\\e|", &["\\explain"]);
        check("\\d cust|", &["customers"]);
        check("\\output dyn|", &["dynamodb-json"]);
        check("\\timing o|", &["on", "off"]);
        check("\\cost o|", &["on", "off"]);
        check("\\cost of|", &["off"]);
        check("\\explain SELECT * FROM cust|", &["customers"]);
        check("\\cost SEL|", &["SELECT"]);
        check("\\cost SELECT * FROM cust|", &["customers"]);
    }
}

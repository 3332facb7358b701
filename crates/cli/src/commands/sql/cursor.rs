//! The rows of a statement, page by page.

use std::collections::VecDeque;

use anyhow::Result;
use serde_json::{Value, json};

use super::connection::{Connection, Effect};
use super::consumption::Consumption;
use super::quantity::{count, units};
use super::verb::Verb;
pub(super) use crate::grid::Row;
use crate::progress_line::ProgressLine;

/// The most items that a page is asked to look at, once its statement has looked at many.
const PAGE_ITEMS_MAX: u64 = 10_000;

/// The most pages with rows that are kept in memory; a page has at most 1 MB.
const PAGES_AT_ONCE: usize = 16;

/// How a statement is to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    /// Whether reads must see all writes before them.
    pub(super) is_consistent: bool,
    /// Whether pages may be as large as they come, because all of them are wanted.
    pub(super) wants_all: bool,
}

/// A statement under way.
#[derive(Debug)]
pub(super) struct Cursor {
    statement: String,
    verb: Verb,
    reading: Reading,
    progress: Progress,
    /// Rows that were read and not given out: less than a page.
    waiting: VecDeque<Row>,
    items_asked: u64,
    consumption: Consumption,
    pages: u64,
}

#[derive(Debug)]
enum Progress {
    Begin,
    After(String),
    End,
}

impl Cursor {
    /// A statement that has not been sent yet.
    pub(super) fn new(statement: &str, verb: Verb, reading: Reading) -> Cursor {
        Cursor {
            statement: statement.to_owned(),
            verb,
            reading,
            progress: Progress::Begin,
            waiting: VecDeque::new(),
            items_asked: 0,
            consumption: Consumption::default(),
            pages: 0,
        }
    }

    /// The next rows: at most as many as are wanted, and at least one unless there are no more.
    pub(super) fn rows(&mut self, connection: &Connection, wanted: usize) -> Result<Vec<Row>> {
        let line = ProgressLine::new();
        let mut filled = 0;
        while self.waiting.len() < wanted && filled < PAGES_AT_ONCE && !self.has_read_all() {
            let before = self.waiting.len();
            self.read_page(connection, wanted - before)?;
            filled += usize::from(self.waiting.len() > before);
            if self.pages > 1 {
                line.say(&self.report());
            }
        }
        let given = wanted.min(self.waiting.len());
        Ok(self.waiting.drain(..given).collect())
    }

    /// Whether there are no more rows.
    pub(super) fn has_ended(&self) -> bool {
        self.waiting.is_empty() && self.has_read_all()
    }

    fn has_read_all(&self) -> bool {
        matches!(self.progress, Progress::End)
    }

    /// What it has consumed so far.
    pub(super) fn consumption(&self) -> &Consumption {
        &self.consumption
    }

    fn read_page(&mut self, connection: &Connection, missing: usize) -> Result<()> {
        let body = self.body(missing);
        let mut answer = connection.call("ExecuteStatement", &body, self.verb.effect())?;
        self.pages += 1;
        self.consumption.add(answer.get("ConsumedCapacity").unwrap_or(&Value::Null));
        if let Some(Value::Array(items)) = answer.get_mut("Items").map(Value::take) {
            let rows = items.into_iter().filter_map(|item| match item {
                Value::Object(row) => Some(row),
                _ => None,
            });
            self.waiting.extend(rows);
        }
        self.progress = match answer.get("NextToken").and_then(Value::as_str) {
            Some(token) => Progress::After(token.to_owned()),
            None => Progress::End,
        };
        Ok(())
    }

    /// Asks for no more than is missing at first. A filter may throw most of it away, so each page
    /// looks at as many items as all before it together.
    fn body(&mut self, missing: usize) -> Value {
        let mut body = json!({ "Statement": self.statement, "ReturnConsumedCapacity": "INDEXES" });
        let mut set = |member: &str, value: Value| {
            if let Some(members) = body.as_object_mut() {
                members.insert(member.to_owned(), value);
            }
        };
        if let Progress::After(token) = &self.progress {
            set("NextToken", json!(token));
        }
        if self.verb != Verb::Select {
            return body;
        }
        if self.reading.is_consistent {
            set("ConsistentRead", json!(true));
        }
        if !self.reading.wants_all {
            let missing = u64::try_from(missing).unwrap_or(PAGE_ITEMS_MAX);
            let limit = missing.max(self.items_asked).min(PAGE_ITEMS_MAX);
            self.items_asked += limit;
            set("Limit", json!(limit));
        }
        body
    }

    fn report(&self) -> String {
        let rows = u64::try_from(self.waiting.len()).unwrap_or(u64::MAX);
        let read = units(self.consumption.total(), "read");
        format!("{}, {} waiting, {read}", count(self.pages, "page"), count(rows, "row"))
    }
}

impl Verb {
    /// Whether a statement may be sent twice.
    fn effect(self) -> Effect {
        match self {
            Verb::Select => Effect::Reads,
            Verb::Insert | Verb::Update | Verb::Delete | Verb::Other => Effect::Writes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(wants_all: bool) -> Cursor {
        Cursor::new("SELECT 1", Verb::Select, Reading { is_consistent: false, wants_all })
    }

    #[test]
    fn pages_grow_while_a_filter_throws_rows_away() {
        let mut cursor = cursor(false);
        let limits: Vec<Value> = (0..4).map(|_| cursor.body(100)["Limit"].clone()).collect();
        assert_eq!(limits, [100, 100, 200, 400]);
        for _ in 0..20 {
            cursor.body(1);
        }
        assert_eq!(cursor.body(1)["Limit"], PAGE_ITEMS_MAX);
    }

    #[test]
    fn who_wants_all_rows_takes_pages_as_they_come() {
        assert_eq!(cursor(true).body(100).get("Limit"), None);
    }
}

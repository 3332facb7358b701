//! Requests in words, with values in place of placeholders.

use monotable_item::{Item, Value};
use monotable_model::document::{Order, inline_tree, value_tree};

use super::{GetRequest, Placeholders, QueryRequest, Request, ScanRequest, WriteRequest};

impl Request {
    /// The request in words, with a line for each member of a batch or transaction.
    pub fn lines(&self) -> Vec<String> {
        let members: Vec<String> = match self {
            Request::Get(get) => return vec![get.sentence("GetItem")],
            Request::Query(query) => return vec![query.sentence()],
            Request::Scan(scan) => return vec![scan.sentence()],
            Request::Write(write) => return vec![write.sentence()],
            Request::BatchGet(gets) | Request::TransactGet(gets) => {
                gets.iter().map(|get| get.sentence("Get")).collect()
            }
            Request::BatchWrite(writes) | Request::TransactWrite(writes) => {
                writes.iter().map(WriteRequest::sentence).collect()
            }
        };
        let first = self.operation().to_owned();
        std::iter::once(first).chain(members.iter().map(|member| format!("  {member}"))).collect()
    }
}

impl GetRequest {
    fn sentence(&self, operation: &str) -> String {
        let mut words = format!("{operation} {} where {}", self.table, equations(&self.key));
        words += &self.placeholders.clause("only", self.projection.as_deref());
        words + if self.consistent { ", consistent" } else { "" }
    }
}

impl QueryRequest {
    fn sentence(&self) -> String {
        let arm = arm(&self.table, self.index.as_deref());
        let mut words =
            format!("Query {arm} where {}", self.placeholders.put_in(&self.key_condition));
        words += match self.order {
            Order::Ascending => "",
            Order::Descending => ", descending",
        };
        words += &limit(self.limit);
        words += &self.placeholders.clause("filter", self.filter.as_deref());
        words += &self.placeholders.clause("only", self.projection.as_deref());
        words + if self.consistent { ", consistent" } else { "" }
    }
}

impl ScanRequest {
    fn sentence(&self) -> String {
        let mut words = format!("Scan {}", arm(&self.table, self.index.as_deref()));
        words += &limit(self.limit);
        words += &self.placeholders.clause("filter", self.filter.as_deref());
        words += &self.placeholders.clause("only", self.projection.as_deref());
        words + if self.consistent { ", consistent" } else { "" }
    }
}

impl WriteRequest {
    fn sentence(&self) -> String {
        match self {
            WriteRequest::Put(put) => {
                let condition = put.placeholders.clause("if", put.condition.as_deref());
                format!("PutItem {} {}{condition}", put.table, item_text(&put.item))
            }
            WriteRequest::Update(update) => {
                let change = update.placeholders.put_in(&update.update);
                let condition = update.placeholders.clause("if", update.condition.as_deref());
                let key = equations(&update.key);
                format!("UpdateItem {} where {key}: {change}{condition}", update.table)
            }
            WriteRequest::Delete(delete) => {
                let condition = delete.placeholders.clause("if", delete.condition.as_deref());
                format!("DeleteItem {} where {}{condition}", delete.table, equations(&delete.key))
            }
            WriteRequest::Check(check) => {
                let condition = check.placeholders.clause("if", Some(&check.condition));
                format!("ConditionCheck {} where {}{condition}", check.table, equations(&check.key))
            }
        }
    }
}

impl Placeholders {
    fn clause(&self, word: &str, expression: Option<&str>) -> String {
        let clause = |expression| format!(", {word} {}", self.put_in(expression));
        expression.map(clause).unwrap_or_default()
    }

    /// An expression with names and values in place of their placeholders.
    fn put_in(&self, expression: &str) -> String {
        let mut text = String::new();
        let mut rest = expression;
        while let Some(start) = rest.find([':', '#']) {
            let (before, placeholder) = rest.split_at(start);
            let is_part = |character: char| character.is_alphanumeric() || character == '_';
            let after_sign = placeholder.get(1..).unwrap_or_default();
            let length = after_sign.find(|character| !is_part(character));
            let (name, after) = placeholder.split_at(length.map_or(placeholder.len(), |at| at + 1));
            text += before;
            text += &self.meaning(name);
            rest = after;
        }
        text + rest
    }

    fn meaning(&self, placeholder: &str) -> String {
        let value = self.values.get(placeholder).map(value_text);
        let name = || self.names.get(placeholder).cloned();
        value.or_else(name).unwrap_or_else(|| placeholder.to_owned())
    }
}

fn arm(table: &str, index: Option<&str>) -> String {
    index.map_or_else(|| table.to_owned(), |index| format!("{table}.{index}"))
}

fn limit(limit: Option<u64>) -> String {
    limit.map(|limit| format!(", limit {limit}")).unwrap_or_default()
}

fn equations(key: &Item) -> String {
    let parts = key.iter().map(|(name, value)| format!("{name} = {}", value_text(value)));
    parts.collect::<Vec<_>>().join(" AND ")
}

fn item_text(item: &Item) -> String {
    value_text(&Value::Map(item.clone()))
}

/// A value as a document has it, on one line.
pub fn value_text(value: &Value) -> String {
    inline_tree(&value_tree(value))
}

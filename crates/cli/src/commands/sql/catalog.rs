//! What is known of the tables of the endpoint, and of the attributes that were seen in results.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::connection::{Connection, Effect, unless_refused};
use super::table_description::TableDescription;

/// How long a description is believed.
const FRESH_MILLIS: u64 = 30_000;

/// The most names of tables, and of attributes of a table, that are remembered.
const NAMES_MAX: usize = 10_000;

/// The tables, as far as somebody asked.
pub(super) struct Catalog {
    connection: Rc<Connection>,
    names: RefCell<Option<(u64, Rc<Vec<String>>)>>,
    tables: RefCell<BTreeMap<String, (u64, Rc<TableDescription>)>>,
    attributes: RefCell<BTreeMap<String, BTreeSet<String>>>,
}

impl Catalog {
    pub(super) fn new(connection: Rc<Connection>) -> Catalog {
        Catalog {
            connection,
            names: RefCell::default(),
            tables: RefCell::default(),
            attributes: RefCell::default(),
        }
    }

    /// The names of all tables, fresh from the endpoint.
    pub(super) fn list(&self) -> Result<Rc<Vec<String>>> {
        let mut names = Vec::new();
        let mut body = json!({});
        loop {
            let answer = self.connection.call("ListTables", &body, Effect::Reads)?;
            names.extend(table_names(&answer));
            match answer.get("LastEvaluatedTableName") {
                Some(last) if names.len() < NAMES_MAX => {
                    body = json!({ "ExclusiveStartTableName": last });
                }
                Some(_) | None => return Ok(self.remember_names(names)),
            }
        }
    }

    /// A table, fresh from the endpoint.
    pub(super) fn describe(&self, name: &str) -> Result<Rc<TableDescription>> {
        let body = json!({ "TableName": name });
        let answer = self.connection.call("DescribeTable", &body, Effect::Reads)?;
        Ok(self.remember(name, &answer))
    }

    /// A table as it is known, if it has been asked for lately.
    pub(super) fn table(&self, name: &str) -> Result<Rc<TableDescription>> {
        if let Some(known) = self.known(name) {
            return Ok(known);
        }
        self.describe(name)
    }

    /// The attribute by which the items of a table expire. Some endpoints cannot say.
    pub(super) fn expires_by(&self, name: &str) -> Result<Option<String>> {
        let body = json!({ "TableName": name });
        let answer = self.connection.call("DescribeTimeToLive", &body, Effect::Reads);
        Ok(unless_refused(answer)?.as_ref().and_then(expiry_attribute))
    }

    /// The names of tables for somebody who presses Tab.
    pub(super) fn names_at_a_glance(&self) -> Rc<Vec<String>> {
        let now_millis = self.connection.now_millis();
        if let Some((at_millis, names)) = &*self.names.borrow()
            && is_fresh(*at_millis, now_millis)
        {
            return names.clone();
        }
        let answer = self.connection.call_at_a_glance("ListTables", &json!({}));
        self.remember_names(answer.iter().flat_map(table_names).collect())
    }

    /// A table for somebody who presses Tab.
    pub(super) fn table_at_a_glance(&self, name: &str) -> Option<Rc<TableDescription>> {
        if let Some(known) = self.known(name) {
            return Some(known);
        }
        let body = json!({ "TableName": name });
        let answer = self.connection.call_at_a_glance("DescribeTable", &body)?;
        Some(self.remember(name, &answer))
    }

    /// Remembers which attributes rows of a table have.
    pub(super) fn note_attributes(&self, table: &str, rows: &[Map<String, Value>]) {
        let mut attributes = self.attributes.borrow_mut();
        let known = attributes.entry(table.to_owned()).or_default();
        for name in rows.iter().flat_map(Map::keys) {
            if known.len() < NAMES_MAX && !known.contains(name) {
                known.insert(name.clone());
            }
        }
    }

    /// The attributes that were seen in rows of a table.
    pub(super) fn attributes(&self, table: &str) -> Vec<String> {
        let attributes = self.attributes.borrow();
        attributes.get(table).into_iter().flatten().cloned().collect()
    }

    fn known(&self, name: &str) -> Option<Rc<TableDescription>> {
        let now_millis = self.connection.now_millis();
        let tables = self.tables.borrow();
        let (at_millis, table) = tables.get(name)?;
        is_fresh(*at_millis, now_millis).then(|| table.clone())
    }

    fn remember(&self, name: &str, answer: &Value) -> Rc<TableDescription> {
        let table = Rc::new(TableDescription::read(answer));
        let known = (self.connection.now_millis(), table.clone());
        self.tables.borrow_mut().insert(name.to_owned(), known);
        table
    }

    fn remember_names(&self, names: Vec<String>) -> Rc<Vec<String>> {
        let names = Rc::new(names);
        *self.names.borrow_mut() = Some((self.connection.now_millis(), names.clone()));
        names
    }
}

fn is_fresh(at_millis: u64, now_millis: u64) -> bool {
    now_millis.saturating_sub(at_millis) < FRESH_MILLIS
}

fn expiry_attribute(answer: &Value) -> Option<String> {
    let description = answer.get("TimeToLiveDescription")?;
    let is_on = description.get("TimeToLiveStatus").is_some_and(|status| status == "ENABLED");
    let attribute = description.get("AttributeName").filter(|_| is_on)?;
    attribute.as_str().map(str::to_owned)
}

fn table_names(answer: &Value) -> impl Iterator<Item = String> {
    let names = answer.get("TableNames").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).map(str::to_owned)
}

//! What a statement asks for, as far as the shell must know it: to say how its items are found, to
//! order the columns, and to show where it is wrong. The endpoint decides what it means, and is
//! asked even where we would refuse.

use std::ops;

use anyhow::{Context, Result, anyhow, bail};
use monotable_expr::partiql::{
    self, Bound, Columns, KeyPlan, KeyRead, KeyedCondition, SortRange, Statement, StatementKind,
};
use monotable_expr::{Condition, KeyComparison};
use monotable_item::Value;
use monotable_remote::encode_value;

use super::access::{Access, Route, alternatives};
use super::caret;
use super::plain_json;
use super::table_description::{IndexDescription, KeyAttribute, Keys, TableDescription};

/// How a value begins that stands for a parameter: with a code point that is no character, so no
/// literal is taken for one.
const PARAMETER: char = '\u{fdd0}';

/// A statement that was read.
pub(super) struct Parsed {
    statement: Statement,
}

/// Reads a statement.
pub(super) fn parse(text: &str) -> Result<Parsed> {
    partiql::parse(text)
        .map(|statement| Parsed { statement })
        .map_err(|error| anyhow!("{}\n{}", error.kind(), caret::point(text, error.place().offset)))
}

/// Where a statement is wrong, if we know.
pub(super) fn fault_of(text: &str) -> Option<usize> {
    partiql::parse(text).err().map(|error| error.place().offset)
}

impl Parsed {
    /// The table that it is about.
    pub(super) fn table(&self) -> &str {
        self.statement.table()
    }

    /// The columns that it names; nothing if it wants all.
    pub(super) fn column_names(&self) -> Vec<String> {
        let columns = self.statement.columns().map(Columns::paths).unwrap_or_default();
        columns.iter().map(Columns::name).collect()
    }

    /// Whether it has a `WHERE`.
    pub(super) fn has_condition(&self) -> bool {
        !self.bound().is_ok_and(|bound| condition_of(&bound).is_none())
    }

    /// How its items are found in a table.
    pub(super) fn access(&self, table: &TableDescription) -> Result<Access> {
        let index = self.statement.index();
        let (keys, size) = match index {
            Some(name) => {
                let index = readable_index(table, name)?;
                (&index.keys, index.size)
            }
            None => (&table.keys, table.size),
        };
        let bound = self.bound()?;
        let condition = condition_of(&bound);
        let found = match self.statement.kind() {
            StatementKind::Select | StatementKind::Exists => {
                find(condition, keys, index.is_some())?
            }
            StatementKind::Insert | StatementKind::Update | StatementKind::Delete => {
                check_key_of_write(&bound, keys)?;
                Found { route: Route::Write, filtered: others(condition, keys) }
            }
        };
        let asked = roots(condition);
        let alternatives =
            if found.route == Route::Scan { alternatives(table, &asked) } else { Vec::new() };
        let (table, index) = (table.name.clone(), index.map(str::to_owned));
        Ok(Access {
            table,
            index,
            route: found.route,
            filtered: found.filtered,
            size,
            alternatives,
        })
    }

    /// The statement with its literals, and with a text of its own in the place of each parameter.
    fn bound(&self) -> Result<Bound> {
        let parameters: Vec<Value> = (0..self.statement.parameter_count())
            .map(|position| Value::String(format!("{PARAMETER}{position:04}")))
            .collect();
        self.statement.bind(&parameters).map_err(|error| anyhow!("{}", error.kind()))
    }
}

fn condition_of(bound: &Bound) -> Option<&Condition> {
    match bound {
        Bound::Select { condition }
        | Bound::Exists { condition }
        | Bound::Update { condition, .. }
        | Bound::Delete { condition } => condition.as_ref(),
        Bound::Insert { .. } => None,
    }
}

fn find(condition: Option<&Condition>, keys: &Keys, is_index: bool) -> Result<Found> {
    let scan = || Found { route: Route::Scan, filtered: roots(condition) };
    let sort = keys.sort.first().map(|attribute| attribute.name.as_str());
    let Some((asked, partition)) = condition.zip(keys.partition.first()) else {
        return Ok(scan());
    };
    let partition = partition.name.as_str();
    let Some(plan) = KeyPlan::new(asked, partition, sort)? else { return Ok(scan()) };
    let reads = plan.reads()?;
    let is_whole = |read: &KeyRead| match (&read.sort, sort) {
        (Some(range), Some(_)) => range.only().is_some(),
        (range, _) => range.is_none() && sort.is_none(),
    };
    let texts = reads.iter().map(|read| read_text(partition, sort, read)).collect();
    let is_lookup = !is_index && reads.iter().all(is_whole);
    let route = if is_lookup { Route::Lookup(texts) } else { Route::Query(texts) };
    let filtered = if plan.is_exact() { Vec::new() } else { others(condition, keys) };
    Ok(Found { route, filtered })
}

/// Refuses a write that does not give the whole key of one item: no endpoint runs it.
fn check_key_of_write(bound: &Bound, keys: &Keys) -> Result<()> {
    let key = match bound {
        Bound::Insert { item } => item.clone(),
        Bound::Select { .. }
        | Bound::Exists { .. }
        | Bound::Update { .. }
        | Bound::Delete { .. } => {
            let names: Vec<&str> = keys.names().collect();
            let keyed = KeyedCondition::new(condition_of(bound), &names).map_err(|error| {
                let wanted: Vec<String> = names.iter().map(|name| format!("{name} = …")).collect();
                anyhow!("{error}: a write is of one item, WHERE {}", wanted.join(" AND "))
            })?;
            keyed.key
        }
    };
    for KeyAttribute { name, kind } in keys.partition.iter().chain(&keys.sort) {
        let value = key.get(name).with_context(|| format!("the item lacks the key {name}"))?;
        let given = value.kind().code();
        if given != kind && !is_parameter(value) {
            bail!("the key {name} is of type {kind}, and the statement has one of type {given}");
        }
    }
    Ok(())
}

/// The index of a name, if statements can read it.
fn readable_index<'t>(table: &'t TableDescription, name: &str) -> Result<&'t IndexDescription> {
    let index = table.index(name).with_context(|| unreadable(table, name))?;
    if index.keys.is_multi_attribute() {
        let table_name = &table.name;
        bail!("the key of {table_name}.{name} has several attributes, which no statement can read");
    }
    Ok(index)
}

/// Why statements cannot read an index.
fn unreadable(table: &TableDescription, index: &str) -> String {
    let table_name = &table.name;
    if table.has_vector_index(index) {
        return format!("{table_name}.{index} is a vector index, which only SearchVectors reads");
    }
    format!("{table_name} has no index {index}")
}

struct Found {
    route: Route,
    filtered: Vec<String>,
}

/// The attributes that a condition is about.
fn roots(condition: Option<&Condition>) -> Vec<String> {
    condition.into_iter().flat_map(Condition::roots).map(str::to_owned).collect()
}

/// Those of them that are no keys.
fn others(condition: Option<&Condition>, keys: &Keys) -> Vec<String> {
    let mut roots = roots(condition);
    roots.retain(|root| keys.names().all(|key| key != root));
    roots
}

fn read_text(partition: &str, sort: Option<&str>, read: &KeyRead) -> String {
    let partition = format!("{partition} = {}", literal(&read.partition));
    let range = sort.zip(read.sort.as_ref()).and_then(|(name, range)| range_text(name, range));
    range.map_or(partition.clone(), |range| format!("{partition} AND {range}"))
}

fn range_text(name: &str, range: &SortRange) -> Option<String> {
    let (lower, upper) = match range {
        SortRange::Comparison(comparison) => return comparison_text(name, comparison),
        SortRange::Within { lower, upper } => (lower, upper),
    };
    let lower = match lower {
        ops::Bound::Included(value) => Some(format!("{name} >= {}", literal(value))),
        ops::Bound::Excluded(value) => Some(format!("{name} > {}", literal(value))),
        ops::Bound::Unbounded => None,
    };
    let upper = match upper {
        ops::Bound::Included(value) => Some(format!("{name} <= {}", literal(value))),
        ops::Bound::Excluded(value) => Some(format!("{name} < {}", literal(value))),
        ops::Bound::Unbounded => None,
    };
    Some([lower, upper].into_iter().flatten().collect::<Vec<_>>().join(" AND "))
}

fn comparison_text(name: &str, comparison: &KeyComparison) -> Option<String> {
    Some(match comparison {
        KeyComparison::Equal(value) => format!("{name} = {}", literal(value)),
        KeyComparison::Less(value) => format!("{name} < {}", literal(value)),
        KeyComparison::LessOrEqual(value) => format!("{name} <= {}", literal(value)),
        KeyComparison::Greater(value) => format!("{name} > {}", literal(value)),
        KeyComparison::GreaterOrEqual(value) => format!("{name} >= {}", literal(value)),
        KeyComparison::Between(lower, upper) => {
            format!("{name} BETWEEN {} AND {}", literal(lower), literal(upper))
        }
        KeyComparison::BeginsWith(prefix) => format!("begins_with({name}, {})", literal(prefix)),
        KeyComparison::NotIndexable => return None,
    })
}

fn is_parameter(value: &Value) -> bool {
    matches!(value, Value::String(text) if text.starts_with(PARAMETER))
}

/// A value as statements have it.
fn literal(value: &Value) -> String {
    match value {
        parameter if is_parameter(parameter) => "?".to_owned(),
        Value::String(text) => format!("'{}'", text.replace('\'', "''")),
        other => plain_json::value_text(&encode_value(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::table_description::samples::{matches, orders, texts};
    use super::*;

    #[track_caller]
    fn check(statement: &str, title: &str, keys: &[&str], filtered: &[&str]) {
        let access = parse(statement).unwrap().access(&orders()).unwrap();
        assert_eq!(access.title(), title, "{statement}");
        let found = match &access.route {
            Route::Lookup(keys) | Route::Query(keys) => keys.as_slice(),
            Route::Scan | Route::Write => &[],
        };
        assert_eq!(found, keys, "{statement}");
        assert_eq!(access.filtered, filtered, "{statement}");
    }

    #[test]
    fn a_whole_key_is_looked_up() {
        check(
            "SELECT * FROM orders WHERE customer = 'it''s' AND number = 7",
            "GetItem orders",
            &["customer = 'it''s' AND number = 7"],
            &[],
        );
        check(
            "SELECT * FROM orders WHERE customer = ? AND number IN [1, 2] AND total > 5",
            "GetItem orders",
            &["customer = ? AND number = 1", "customer = ? AND number = 2"],
            &["total"],
        );
        check(
            "SELECT * FROM orders WHERE customer IN [?, ?] AND number = ?",
            "GetItem orders",
            &["customer = ? AND number = ?"; 2],
            &[],
        );
    }

    #[test]
    fn a_partition_key_is_queried() {
        check(
            "SELECT * FROM orders WHERE customer = 'a'",
            "Query orders",
            &["customer = 'a'"],
            &[],
        );
        check(
            "SELECT * FROM orders.by_state WHERE state = 'open' AND begins_with(day, '2026') AND \
             total > 5",
            "Query orders.by_state",
            &["state = 'open' AND begins_with(day, '2026')"],
            &["total"],
        );
        check(
            "SELECT * FROM orders \
             WHERE customer = 'a' AND number < 5 AND number > 1 AND number >= 2",
            "Query orders",
            &["customer = 'a' AND number >= 2 AND number < 5"],
            &[],
        );
    }

    #[test]
    fn anything_else_is_a_scan() {
        check("SELECT * FROM orders", "Scan orders", &[], &[]);
        check("SELECT * FROM orders WHERE state = 'open'", "Scan orders", &[], &["state"]);
        check("SELECT * FROM orders WHERE customer > 'a'", "Scan orders", &[], &["customer"]);
        check(
            "SELECT * FROM orders WHERE customer = 'a' OR total = 1",
            "Scan orders",
            &[],
            &["customer", "total"],
        );
    }

    #[test]
    fn writes_are_of_one_item() {
        check(
            "DELETE FROM orders WHERE customer = 'a' AND number = 1 AND state = 'open'",
            "Write orders",
            &[],
            &["state"],
        );
        check("INSERT INTO orders VALUE {'customer': 'a', 'number': 1}", "Write orders", &[], &[]);
        check("INSERT INTO orders VALUE {'customer': ?, 'number': ?}", "Write orders", &[], &[]);
        check("DELETE FROM orders WHERE customer = ? AND number = ?", "Write orders", &[], &[]);
    }

    #[track_caller]
    fn check_refused(statement: &str, table: &TableDescription, said: &str) {
        let error = parse(statement).unwrap().access(table).unwrap_err().to_string();
        assert_eq!(error, said, "{statement}");
    }

    #[test]
    fn a_write_without_a_whole_key_is_refused() {
        for (statement, said) in [
            (
                "DELETE FROM orders WHERE customer = 'a'",
                "the condition does not name the whole key: a write is of one item, WHERE \
                 customer = … AND number = …",
            ),
            (
                "UPDATE orders SET a = 1 WHERE customer = 'a' AND customer = 'b' AND number = 1",
                "the condition names two values of customer: a write is of one item, WHERE \
                 customer = … AND number = …",
            ),
            (
                "DELETE FROM orders WHERE customer = 'a' AND number = '1'",
                "the key number is of type N, and the statement has one of type S",
            ),
            ("INSERT INTO orders VALUE {'customer': 'a'}", "the item lacks the key number"),
            (
                "INSERT INTO orders VALUE {'customer': 1, 'number': 1}",
                "the key customer is of type S, and the statement has one of type N",
            ),
        ] {
            check_refused(statement, &orders(), said);
        }
    }

    #[test]
    fn columns_are_named_in_the_order_of_the_statement() {
        let parsed = parse("SELECT total, customer, a.b[1] FROM orders").unwrap();
        assert_eq!(parsed.column_names(), ["total", "customer", "b[1]"]);
        assert!(parse("SELECT * FROM orders").unwrap().column_names().is_empty());
    }

    #[test]
    fn a_fault_has_its_place() {
        assert_eq!(fault_of("SELECT * FORM orders"), Some(9));
        assert_eq!(fault_of("SELECT * FROM orders"), None);
        let missing = parse("SELECT * FROM orders.by_total").unwrap().access(&orders());
        assert_eq!(missing.unwrap_err().to_string(), "orders has no index by_total");
    }

    #[test]
    fn a_vector_index_is_no_way_to_items() {
        let said = "texts.by_meaning is a vector index, which only SearchVectors reads";
        check_refused("SELECT id FROM texts.by_meaning", &texts(), said);
    }

    #[test]
    fn an_index_whose_key_has_several_attributes_is_no_way_to_items() {
        let said =
            "the key of matches.by_region has several attributes, which no statement can read";
        for condition in ["", " WHERE tournament = 'a' AND region = 'b'"] {
            check_refused(&format!("SELECT * FROM matches.by_region{condition}"), &matches(), said);
        }
        let scan = parse("SELECT * FROM matches WHERE region = 'b'").unwrap();
        let alternatives = scan.access(&matches()).unwrap().alternatives;
        assert_eq!(alternatives, ["FROM \"matches\" WHERE id = …"]);
    }
}

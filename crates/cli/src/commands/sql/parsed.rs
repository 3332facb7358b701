//! What a statement asks for, as far as the shell must know it: to say how its items are found, to
//! order the columns, and to show where it is wrong. The endpoint decides what it means, and is
//! asked even where we would refuse.

use std::ops;

use anyhow::{Context, Result, anyhow};
use monotable_expr::partiql::{
    self, Bound, Columns, KeyPlan, KeyRead, SortRange, Statement, StatementKind,
};
use monotable_expr::{Condition, KeyComparison};
use monotable_item::Value;
use monotable_remote::encode_value;

use super::access::{Access, Route, alternatives};
use super::caret;
use super::plain_json;
use super::table_description::{KeyAttribute, Keys, TableDescription};

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
        !matches!(self.condition(), Ok(None))
    }

    /// How its items are found in a table.
    pub(super) fn access(&self, table: &TableDescription) -> Result<Access> {
        let index = self.statement.index();
        let (keys, size) = match index {
            Some(name) => {
                let index = table.index(name).with_context(|| unreadable(table, name))?;
                (&index.keys, index.size)
            }
            None => (&table.keys, table.size),
        };
        let condition = self.condition()?;
        let found = match self.statement.kind() {
            StatementKind::Select | StatementKind::Exists => {
                self.find(condition.as_ref(), keys, index.is_some())?
            }
            StatementKind::Insert | StatementKind::Update | StatementKind::Delete => {
                Found { route: Route::Write, filtered: others(condition.as_ref(), keys) }
            }
        };
        let asked: Vec<String> =
            condition.iter().flat_map(Condition::roots).map(str::to_owned).collect();
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

    /// The condition with its literals. What parameters are makes no difference to the way.
    fn condition(&self) -> Result<Option<Condition>> {
        let parameters = vec![Value::String("?".to_owned()); self.statement.parameter_count()];
        Ok(match self.statement.bind(&parameters).map_err(|error| anyhow!("{}", error.kind()))? {
            Bound::Select { condition }
            | Bound::Exists { condition }
            | Bound::Update { condition, .. }
            | Bound::Delete { condition } => condition,
            Bound::Insert { .. } => None,
        })
    }

    fn find(&self, condition: Option<&Condition>, keys: &Keys, is_index: bool) -> Result<Found> {
        let scan = || Found { route: Route::Scan, filtered: roots(condition) };
        let Some(asked) = condition else { return Ok(scan()) };
        let sort = keys.sort.first().map(|attribute| attribute.name.as_str());
        let partition = match (keys.partition.as_slice(), keys.sort.len()) {
            ([only], 0 | 1) => only.name.as_str(),
            (several, _) => return Ok(self.find_by_several(asked, several, keys)),
        };
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

    /// An index whose key has several attributes is queried if all of its partition key is known.
    fn find_by_several(&self, asked: &Condition, partition: &[KeyAttribute], keys: &Keys) -> Found {
        let is_pinned = |attribute: &KeyAttribute| self.statement.pins(&attribute.name);
        if partition.is_empty() || !partition.iter().all(is_pinned) {
            return Found { route: Route::Scan, filtered: roots(Some(asked)) };
        }
        let pinned = keys.partition.iter().chain(&keys.sort).filter(|key| is_pinned(key));
        let texts: Vec<String> = pinned.map(|key| format!("{} = …", key.name)).collect();
        Found {
            route: Route::Query(vec![texts.join(" AND ")]),
            filtered: others(Some(asked), keys),
        }
    }
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

/// A value as statements have it.
fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{}'", text.replace('\'', "''")),
        other => plain_json::value_text(&encode_value(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::table_description::samples::{orders, texts};
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
            &["customer = '?' AND number = 1", "customer = '?' AND number = 2"],
            &["total"],
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
        let access = parse("SELECT id FROM texts.by_meaning").unwrap().access(&texts());
        let said = "texts.by_meaning is a vector index, which only SearchVectors reads";
        assert_eq!(access.unwrap_err().to_string(), said);
    }
}

//! How an endpoint finds the items of a statement, and what that reads.

use super::quantity::{bytes, count, units};
use super::table_description::{Size, TableDescription};

/// What half a read unit pays for.
const READ_UNIT_BYTES: u64 = 4096;

/// The way to the items of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) table: String,
    pub(super) index: Option<String>,
    pub(super) route: Route,
    /// The attributes that decide after an item was read.
    pub(super) filtered: Vec<String>,
    /// How much there is to scan.
    pub(super) size: Size,
    /// What would make a query of a scan.
    pub(super) alternatives: Vec<String>,
}

/// How items are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Route {
    /// By their whole keys.
    Lookup(Vec<String>),
    /// By ranges of keys.
    Query(Vec<String>),
    /// By looking at all of them.
    Scan,
    /// One item is written, which is found by its key.
    Write,
}

impl Access {
    /// Whether everything is read.
    pub(super) fn is_scan(&self) -> bool {
        self.route == Route::Scan
    }

    /// `Query orders.by_state`
    pub(super) fn title(&self) -> String {
        let verb = match &self.route {
            Route::Lookup(_) => "GetItem",
            Route::Query(_) => "Query",
            Route::Scan => "Scan",
            Route::Write => "Write",
        };
        format!("{verb} {}", self.source())
    }

    /// One line: the way, and what it reads.
    pub(super) fn summary(&self, is_consistent: bool) -> String {
        format!("{}: {}", self.title(), self.effect(is_consistent))
    }

    /// All that there is to say.
    pub(super) fn explanation(&self, is_consistent: bool) -> String {
        let mut lines = vec![self.title()];
        let mut say = |label: &str, text: &str| lines.push(format!("  {label:8} {text}"));
        match &self.route {
            Route::Lookup(keys) | Route::Query(keys) => keys.iter().for_each(|key| say("key", key)),
            Route::Scan | Route::Write => {}
        }
        if !self.filtered.is_empty() {
            let names = self.filtered.join(", ");
            let when = match self.route {
                Route::Write => "checked before the write",
                Route::Lookup(_) | Route::Query(_) | Route::Scan => {
                    "after the read, which costs the same"
                }
            };
            say(
                if self.route == Route::Write { "if" } else { "filter" },
                &format!("{names} ({when})"),
            );
        }
        say(
            if self.route == Route::Write { "writes" } else { "reads" },
            &self.effect(is_consistent),
        );
        self.alternatives.iter().for_each(|alternative| say("instead", alternative));
        lines.join("\n")
    }

    /// The units that a scan of everything consumes.
    pub(super) fn scan_units(&self, is_consistent: bool) -> f64 {
        let whole = self.size.bytes.div_ceil(READ_UNIT_BYTES);
        let whole = whole as f64;
        if is_consistent { whole } else { whole / 2.0 }
    }

    fn source(&self) -> String {
        match &self.index {
            Some(index) => format!("{}.{index}", self.table),
            None => self.table.clone(),
        }
    }

    fn effect(&self, is_consistent: bool) -> String {
        let unit = units(if is_consistent { 1.0 } else { 0.5 }, "read");
        match &self.route {
            Route::Lookup(keys) => {
                let items = count(u64::try_from(keys.len()).unwrap_or(u64::MAX), "item");
                format!("at most {items}, {unit} for every 4 KB of each")
            }
            Route::Query(_) => format!("what these keys have, {unit} for every 4 KB"),
            Route::Scan => {
                let (items, size) = (count(self.size.items, "item"), bytes(self.size.bytes));
                let cost = units(self.scan_units(is_consistent), "read");
                format!("all {items}, {size}: about {cost}")
            }
            Route::Write => "one item, 1 write unit for every KB, and so for each index".to_owned(),
        }
    }
}

/// Which conditions would make a query of a scan: those on a partition key of the table or of an
/// index that statements can read. Those whose attributes the statement asks about already come
/// first.
pub(super) fn alternatives(table: &TableDescription, asked: &[String]) -> Vec<String> {
    let of_table = [(None, &table.keys)].into_iter();
    let readable = table.indexes.iter().filter(|index| !index.keys.is_multi_attribute());
    let of_indexes = readable.map(|index| (Some(index.name.as_str()), &index.keys));
    let mut found: Vec<(bool, String)> = of_table
        .chain(of_indexes)
        .map(|(index, keys)| {
            let names: Vec<&str> = keys.partition.iter().map(|key| key.name.as_str()).collect();
            let is_asked = names.iter().all(|name| asked.iter().any(|asked| asked == name));
            let index = index.map(|index| format!(".\"{index}\"")).unwrap_or_default();
            let conditions: Vec<String> = names.iter().map(|name| format!("{name} = …")).collect();
            let conditions = conditions.join(" AND ");
            (!is_asked, format!("FROM \"{}\"{index} WHERE {conditions}", table.name))
        })
        .collect();
    found.sort_by_key(|(is_not_asked, _)| *is_not_asked);
    found.into_iter().map(|(_, text)| text).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::table_description::samples::orders;
    use super::*;

    fn access(route: Route) -> Access {
        let table = orders();
        let filtered = vec!["state".to_owned()];
        let alternatives =
            if route == Route::Scan { alternatives(&table, &filtered) } else { Vec::new() };
        Access { table: table.name, index: None, route, filtered, size: table.size, alternatives }
    }

    #[test]
    fn a_scan_says_what_it_reads_and_what_to_ask_instead() {
        expect![[r#"
            Scan orders
              filter   state (after the read, which costs the same)
              reads    all 20,000 items, 40.9 MB: about 5000 read units
              instead  FROM "orders"."by_state" WHERE state = …
              instead  FROM "orders" WHERE customer = …"#]]
        .assert_eq(&access(Route::Scan).explanation(false));
        assert_eq!(access(Route::Scan).scan_units(true), 10_000.0);
    }

    #[test]
    fn a_query_says_its_keys() {
        let mut access = access(Route::Query(vec!["customer = 'alex'".to_owned()]));
        access.index = Some("by_state".to_owned());
        expect![[r#"
            Query orders.by_state
              key      customer = 'alex'
              filter   state (after the read, which costs the same)
              reads    what these keys have, 1 read unit for every 4 KB"#]]
        .assert_eq(&access.explanation(true));
    }

    #[test]
    fn a_lookup_is_of_so_many_items() {
        let access = access(Route::Lookup(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(
            access.summary(false),
            "GetItem orders: at most 2 items, 0.5 read units for every 4 KB of each"
        );
    }
}

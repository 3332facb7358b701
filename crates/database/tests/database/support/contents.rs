//! What tables and indexes hold, and whether that agrees.

use std::collections::BTreeSet;

use monotable_database::capacity::Consistency;
use monotable_database::schema::IndexId;
use monotable_database::{Database, Output, PageRequest, Span, StartKey, Table};
use monotable_item::{Item, item_size_bytes, stored};
use monotable_storage::{Direction, Engine};

use super::json;

/// Asks for a whole table.
pub(crate) fn everything() -> PageRequest {
    PageRequest {
        index: None,
        span: Span::Everything,
        direction: Direction::Forward,
        start: None,
        limit: None,
        consistency: Consistency::Strong,
        filter: None,
        output: Output::Whole,
        fetch_items: false,
    }
}

/// Everything that a table or an index holds, page by page.
pub(crate) async fn scan<E: Engine>(
    database: &Database<E>,
    table: &Table,
    index: Option<IndexId>,
) -> Vec<Item> {
    let schema = table.schema();
    let target = index.map(|id| schema.index_by_id(id).expect("the index is there"));
    let mut request = PageRequest { index, ..everything() };
    let mut items = Vec::new();
    loop {
        let page = database.page(table, &request).await.unwrap();
        items.extend(page.items.iter().map(|item| stored::decode(item).unwrap()));
        let Some(last_key) = page.last_key else { return items };
        request.start = Some(StartKey::new(schema, target, &last_key).unwrap());
    }
}

/// Checks that every index holds exactly what the items say, and that all counters are exact.
pub(crate) async fn check_indexes_and_counters<E: Engine>(database: &Database<E>, table: &Table) {
    let schema = table.schema();
    let items = scan(database, table, None).await;
    let statistics = database.statistics(schema).await.unwrap();
    assert_eq!((statistics.items, statistics.bytes), sums(&items), "the table's counters");
    for (id, entries, bytes) in statistics.indexes {
        let index = schema.index_by_id(id).unwrap();
        let is_in = |item: &&Item| index.key.attributes().all(|key| item.contains_key(&key.name));
        let project = |item: &Item| -> Item {
            let held = item.iter().filter(|(name, _)| index.projects(&schema.key, name));
            held.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let expected: Vec<Item> = items.iter().filter(is_in).map(project).collect();
        let found = scan(database, table, Some(id)).await;
        assert_eq!(found.len(), printed(&found).len(), "an entry twice in {}", index.name);
        assert_eq!(printed(&found), printed(&expected), "the entries of {}", index.name);
        assert_eq!((entries, bytes), sums(&expected), "the counters of {}", index.name);
    }
}

fn sums(items: &[Item]) -> (u64, u64) {
    (items.len() as u64, items.iter().map(|item| item_size_bytes(item) as u64).sum())
}

fn printed(items: &[Item]) -> BTreeSet<String> {
    items.iter().map(json::print_item).collect()
}

//! Whether the database and the model say the same.

use std::collections::BTreeMap;

use monotable_database::capacity::Consistency;
use monotable_database::schema::{IndexKind, IndexSchema, KeySchema, TableSchema};
use monotable_database::{ItemKey, Output, Page, PageRequest, Span, StartKey, Table};
use monotable_item::{Item, item_size_bytes, stored};
use monotable_storage::Direction;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::model_table::{ModelTable, compare_entries, key_values};
use super::query::{Query, selects};
use crate::support::harness::Harness;
use crate::support::json;
use crate::support::store::Store;

pub(super) struct Agreement<'a, S: Store> {
    pub(super) harness: &'a Harness<S>,
    pub(super) model: &'a ModelTable,
    pub(super) table: &'a Table,
    pub(super) schema: &'a TableSchema,
}

impl<S: Store> Agreement<'_, S> {
    /// The table and its indexes.
    fn targets(&self) -> Vec<Option<&IndexSchema>> {
        std::iter::once(None).chain(self.schema.indexes.iter().map(Some)).collect()
    }

    /// A scan of the table and of each index finds what it must hold, by single keys too.
    pub(super) fn check_contents(&self) -> TestCaseResult {
        for target in self.targets() {
            let found = self.read_all(target, Span::Everything)?;
            let expected = self.model.entries(self.schema, target);
            prop_assert_eq!(sorted(&found), sorted(&expected), "{:?}", target);
        }
        for item in self.model.items() {
            let key = ItemKey::of(self.schema, item).unwrap();
            let got = self
                .harness
                .run(self.harness.database().get(self.table, &key, Consistency::Strong))
                .unwrap();
            prop_assert_eq!(
                got.item.map(|item| stored::decode(&item).unwrap()),
                Some(item.clone())
            );
        }
        Ok(())
    }

    /// Numbers of items and bytes are those of the items, for the table, each index and each item
    /// collection.
    pub(super) fn check_counters(&self) -> TestCaseResult {
        let statistics = self.harness.run(self.harness.database().statistics(self.schema)).unwrap();
        let expected = |target| {
            let entries = self.model.entries(self.schema, target);
            (entries.len() as u64, bytes(&entries))
        };
        prop_assert_eq!((statistics.items, statistics.bytes), expected(None));
        for (id, items, bytes) in statistics.indexes {
            let index = self.schema.index_by_id(id);
            prop_assert_eq!((items, bytes), expected(index), "{:?}", index);
        }
        for (partition, expected) in self.collections() {
            let key = ItemKey::of(self.schema, &partition).unwrap();
            let reading = self.harness.database().collection_bytes(self.schema, &key);
            prop_assert_eq!(self.harness.run(reading).unwrap(), expected);
        }
        Ok(())
    }

    /// The bytes of each item collection: items and entries of local indexes; with a key of one of
    /// its items.
    fn collections(&self) -> Vec<(Item, u64)> {
        let mut collections: BTreeMap<String, (Item, u64)> = BTreeMap::new();
        let is_local = |index: &&IndexSchema| index.kind == IndexKind::Local;
        let local = self.schema.indexes.iter().filter(is_local).map(Some);
        for target in std::iter::once(None).chain(local) {
            for entry in self.model.entries(self.schema, target) {
                let partition = json::print(&entry["pk"]);
                let size_bytes = item_size_bytes(&entry) as u64;
                collections.entry(partition).or_insert((entry, 0)).1 += size_bytes;
            }
        }
        collections.into_values().collect()
    }

    /// A query gives the entries it selects, in order, page by page.
    pub(super) fn check_query(&self, query: &Query) -> TestCaseResult {
        let targets = self.targets();
        let target = *query.target.get(&targets);
        let key = target.map_or(&self.schema.key, |index| &index.key);
        let selection = query.selection(key);
        let mut expected = self.model.entries(self.schema, target);
        expected.retain(|entry| selects(&selection, key, entry));
        expected.sort_by(|left, right| compare_entries(&self.schema.key, key, left, right));
        if query.is_backward {
            expected.reverse();
        }
        let mut request = request(target, Span::Partition(selection));
        (request.direction, request.limit) = (query.direction(), query.limit);
        self.check_pages(target, request, &expected)
    }

    fn check_pages(
        &self,
        target: Option<&IndexSchema>,
        mut request: PageRequest,
        mut expected: &[Item],
    ) -> TestCaseResult {
        loop {
            let page = self.page(&request)?;
            let size = request.limit.unwrap_or(usize::MAX).min(expected.len());
            let (here, rest) = expected.split_at(size);
            prop_assert_eq!(decode(&page), here, "{:?}", request);
            let ends_early = request.limit == Some(size);
            let last_key =
                here.last().filter(|_| ends_early).map(|last| self.keys_of(target, last));
            prop_assert_eq!(&page.last_key, &last_key);
            let Some(last_key) = last_key else { return Ok(()) };
            let start = StartKey::new(self.schema, target, &last_key).unwrap();
            prop_assert!(request.span.contains(self.schema, target, &start));
            request.start = Some(start);
            expected = rest;
        }
    }

    fn keys_of(&self, target: Option<&IndexSchema>, entry: &Item) -> Item {
        let named = |key: &KeySchema| {
            let names = key.attributes().map(|attribute| attribute.name.clone());
            names.zip(key_values(key, entry)).collect::<Vec<_>>()
        };
        let index = target.map(|index| named(&index.key)).unwrap_or_default();
        named(&self.schema.key).into_iter().chain(index).collect()
    }

    fn read_all(
        &self,
        target: Option<&IndexSchema>,
        span: Span,
    ) -> Result<Vec<Item>, TestCaseError> {
        let mut request = request(target, span);
        request.limit = Some(7);
        let mut items = Vec::new();
        loop {
            let page = self.page(&request)?;
            items.extend(decode(&page));
            let Some(last_key) = page.last_key else { return Ok(items) };
            request.start = Some(StartKey::new(self.schema, target, &last_key).unwrap());
        }
    }

    fn page(&self, request: &PageRequest) -> Result<Page, TestCaseError> {
        let reading = self.harness.database().page(self.table, request);
        self.harness.run(reading).map_err(|error| TestCaseError::fail(error.to_string()))
    }
}

fn request(target: Option<&IndexSchema>, span: Span) -> PageRequest {
    PageRequest {
        index: target.map(|index| index.id),
        span,
        direction: Direction::Forward,
        start: None,
        limit: None,
        consistency: Consistency::Strong,
        filter: None,
        output: Output::Whole,
        fetch_items: false,
    }
}

fn decode(page: &Page) -> Vec<Item> {
    page.items.iter().map(|item| stored::decode(item).unwrap()).collect()
}

fn bytes(items: &[Item]) -> u64 {
    items.iter().map(|item| item_size_bytes(item) as u64).sum()
}

fn sorted(items: &[Item]) -> Vec<String> {
    let mut printed: Vec<String> = items.iter().map(json::print_item).collect();
    printed.sort();
    printed
}

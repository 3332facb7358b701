//! The calls of a pattern: which requests one run makes, on average.

use std::collections::BTreeMap;

use monotable_item::capacity::Consistency;

use super::page::Rows;
use super::request::{PageReads, Request};
use super::route::ReadRoute;
use super::size::EntitySize;
use super::usage::Usage;
use super::write_effect::Written;
use crate::document::{
    Action, ActionKind, Each, Entity, Expression, Index, IndexScope, Model, Operation, Pattern,
    Relationship, Table,
};

/// A request that a pattern makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The table, by its name in the model.
    pub table: String,
    /// The entities that it reads or writes.
    pub entities: Vec<String>,
    /// How often one run makes it, on average.
    pub times: f64,
    /// The request.
    pub request: Request,
    /// The part of the items that is in each index, which a write pays for.
    shares: BTreeMap<String, f64>,
}

/// The calls of a pattern, and what had to be assumed about them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Calls {
    /// The calls, in order.
    pub calls: Vec<Call>,
    /// What the model does not say, in words.
    pub assumptions: Vec<String>,
}

/// Finds the calls of patterns.
pub(super) struct Caller<'m> {
    pub(super) model: &'m Model,
    /// Where reading patterns go.
    pub(super) route: &'m dyn Fn(&Pattern) -> ReadRoute,
    /// The sizes of entities, by table and entity.
    pub(super) sizes: &'m BTreeMap<(String, String), EntitySize>,
}

/// How deep steps of steps are followed.
const STEP_DEPTH_MAX: usize = 8;

impl Call {
    /// The units that one run of the pattern consumes by this call.
    pub fn usage(&self) -> Usage {
        let mut once = Usage::of(&self.request);
        for (index, load) in &mut once.indexes {
            load.write *= self.shares.get(index).copied().unwrap_or(1.0);
        }
        let mut usage = Usage::default();
        usage.add(&once, self.times);
        usage
    }
}

impl<'m> Caller<'m> {
    /// The calls of a pattern.
    pub(super) fn calls(&self, pattern: &Pattern) -> Calls {
        let mut calls = Calls::default();
        self.add_pattern(pattern, 1.0, STEP_DEPTH_MAX, &mut calls);
        calls.assumptions.dedup();
        calls
    }

    fn add_pattern(&self, pattern: &Pattern, times: f64, depth: usize, calls: &mut Calls) {
        match pattern.operation {
            Operation::Steps => self.add_steps(pattern, times, depth, calls),
            Operation::Query | Operation::Scan => self.add_pages(pattern, times, calls),
            Operation::Consume => self.add_stream_read(pattern, times, calls),
            Operation::Administer => {}
            Operation::Get
            | Operation::Put
            | Operation::Update
            | Operation::Delete
            | Operation::BatchGet
            | Operation::BatchWrite
            | Operation::TransactGet
            | Operation::TransactWrite
            | Operation::Expire => self.add_items(pattern, times, calls),
        }
    }

    fn add_steps(&self, pattern: &Pattern, times: f64, depth: usize, calls: &mut Calls) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let mut rows_before = 1.0;
        for step in &pattern.steps {
            let Some(part) = self.model.pattern(&step.pattern) else { continue };
            let runs = match &step.each {
                None => 1.0,
                Some(Each::Result) => rows_before,
                Some(Each::Parameter(name)) => self.each_count(pattern, None, name, calls),
            };
            self.add_pattern(part, times * runs, depth, calls);
            rows_before = part.rows.or(part.limit.map(|limit| limit as f64)).unwrap_or(1.0);
        }
    }

    fn add_stream_read(&self, pattern: &Pattern, times: f64, calls: &mut Calls) {
        let table = pattern.table.as_deref().and_then(|name| self.model.table(name));
        if let Some(table) = table.or(self.model.tables.first()) {
            calls.calls.push(Call {
                table: table.name.clone(),
                entities: Vec::new(),
                times,
                request: Request::ReadStream,
                shares: BTreeMap::new(),
            });
        }
    }

    /// Requests that name their items: each entity of the pattern, and each of its actions.
    fn add_items(&self, pattern: &Pattern, times: f64, calls: &mut Calls) {
        let entities: Vec<&Entity> =
            pattern.entities.iter().filter_map(|name| self.model.entity(name)).collect();
        let each = match pattern.operation {
            Operation::BatchGet | Operation::BatchWrite | Operation::TransactGet => {
                self.rows_of_batch(pattern, calls) / entities.len().max(1) as f64
            }
            _ => 1.0,
        };
        for entity in entities {
            let kind = match pattern.operation {
                Operation::Get | Operation::BatchGet | Operation::TransactGet => ActionKind::Get,
                Operation::Update => ActionKind::Update,
                Operation::Delete | Operation::Expire => ActionKind::Delete,
                _ => ActionKind::Put,
            };
            self.add_item(pattern, (kind, entity, pattern.change.as_ref()), times * each, calls);
        }
        for action in &pattern.actions {
            let Some(entity) = self.model.entity(&action.entity) else { continue };
            let count = self.action_count(pattern, action, calls);
            let change = action.change.as_ref();
            self.add_item(pattern, (action.kind, entity, change), times * count, calls);
        }
    }

    fn add_item(
        &self,
        pattern: &Pattern,
        (kind, entity, change): (ActionKind, &Entity, Option<&Expression>),
        times: f64,
        calls: &mut Calls,
    ) {
        let Some((table, size)) = self.table_and_size(pattern, entity) else { return };
        let item_bytes = pattern.item_bytes.unwrap_or(size.item_bytes);
        let written = Written { table, entity, size, item_bytes };
        let write = match kind {
            ActionKind::Get => None,
            ActionKind::Put => Some(written.put()),
            ActionKind::Update => Some(written.update(change)),
            ActionKind::Delete => Some(written.delete()),
            ActionKind::Check => Some(super::request::ItemWrite::check(item_bytes)),
        };
        let request = match (write, pattern.operation) {
            (None, Operation::TransactGet) => Request::TransactGet { item_bytes },
            (None, _) => Request::Get { item_bytes, consistency: consistency(pattern) },
            (Some(write), Operation::TransactWrite) => Request::TransactWrite(write),
            (Some(write), Operation::Expire) => Request::Expire(write),
            (Some(write), _) => Request::Write(write),
        };
        calls.calls.push(Call {
            table: table.name.clone(),
            entities: vec![entity.name.clone()],
            times,
            request,
            shares: size.entries.iter().map(|(name, entry)| (name.clone(), entry.share)).collect(),
        });
    }

    fn add_pages(&self, pattern: &Pattern, times: f64, calls: &mut Calls) {
        let route = (self.route)(pattern);
        let Some(table) = self.table_of_route(pattern, &route) else { return };
        let index = route.index.as_deref().and_then(|name| table.index(name));
        let rows = self.rows_read(pattern, table, &route, calls);
        let requests = route.requests.max(1) as f64;
        let part = Rows { count: rows.count / requests, ..rows };
        let item_bytes = self.mean_bytes(pattern, table, &pattern.entities, None);
        let is_local = index.is_some_and(|index| index.scope == IndexScope::Local);
        let pages = PageReads {
            index: index.map(|index| index.name.clone()),
            rows: part,
            consistency: consistency(pattern),
            fetched_bytes: (route.fetches && is_local).then_some(item_bytes),
        };
        let call = |times: f64, request: Request| Call {
            table: table.name.clone(),
            entities: pattern.entities.iter().chain(&route.leaks).cloned().collect(),
            times,
            request,
            shares: BTreeMap::new(),
        };
        calls.calls.push(call(times * requests, Request::Pages(pages)));
        if route.fetches && !is_local && index.is_some() {
            let get = Request::Get { item_bytes, consistency: consistency(pattern) };
            calls.calls.push(call(times * rows.count, get));
        }
    }

    /// The rows that are evaluated: those that come back, those that leak in, those that a filter drops.
    fn rows_read(
        &self,
        pattern: &Pattern,
        table: &Table,
        route: &ReadRoute,
        calls: &mut Calls,
    ) -> Rows {
        let all: Vec<String> = pattern.entities.iter().chain(&route.leaks).cloned().collect();
        let bytes_each = self.mean_bytes(pattern, table, &all, route.index.as_deref());
        let limit = pattern.limit.map(|limit| limit as f64);
        let mut count = match pattern.operation {
            Operation::Scan => self.rows_of_scan(pattern, table, route, calls),
            _ => self.rows_of_query(pattern, route, calls),
        };
        if let Some(limit) = limit {
            count = if route.filters { limit } else { count.min(limit) };
        }
        Rows { count, bytes_each }
    }

    fn rows_of_query(&self, pattern: &Pattern, route: &ReadRoute, calls: &mut Calls) -> f64 {
        let in_collection = |name: &String| self.relationship_to(name, None)?.average;
        let wanted: Option<f64> = pattern.entities.iter().map(in_collection).sum();
        let mut rows = match (pattern.rows, wanted) {
            (Some(rows), Some(all)) if route.filters => rows.max(all),
            (Some(rows), None) if route.filters => {
                calls.assume("rows that the filter drops are not counted: nothing says how many");
                rows
            }
            (Some(rows), _) => rows,
            (None, Some(all)) => all,
            (None, None) => {
                calls.assume("one row comes back: neither rows nor a relationship says how many");
                1.0
            }
        };
        for leak in &route.leaks {
            rows += in_collection(leak).unwrap_or_else(|| {
                calls.assume("of each entity that leaks in, one row is read");
                1.0
            });
        }
        rows
    }

    fn rows_of_scan(
        &self,
        pattern: &Pattern,
        table: &Table,
        route: &ReadRoute,
        calls: &mut Calls,
    ) -> f64 {
        let counts = self.model.entities_in(table).filter_map(|entity| {
            let size = self.size(table, entity)?;
            let share = match &route.index {
                None => 1.0,
                Some(index) => size.entry(index)?.share,
            };
            Some(size.count? * share)
        });
        let all: f64 = counts.sum();
        if all > 0.0 {
            return all;
        }
        calls.assume("the scan reads what comes back: no entity says how many items there are");
        pattern.rows.unwrap_or(1.0)
    }

    /// The size of a row, on average over entities by how many of them there are.
    fn mean_bytes(
        &self,
        pattern: &Pattern,
        table: &Table,
        entities: &[String],
        index: Option<&str>,
    ) -> u64 {
        if let (Some(bytes), None) = (pattern.item_bytes, index) {
            return bytes;
        }
        let is_held = |size: &&EntitySize| index.is_none_or(|index| size.entry(index).is_some());
        let named = entities.iter().filter_map(|name| self.model.entity(name));
        let sizes: Vec<&EntitySize> =
            named.filter_map(|entity| self.size(table, entity)).filter(is_held).collect();
        let weight = |size: &EntitySize| {
            let are_counted = sizes.iter().all(|size| size.count.is_some_and(|count| count > 0.0));
            if are_counted { size.count.unwrap_or(1.0) } else { 1.0 }
        };
        let weights: f64 = sizes.iter().map(|size| weight(size)).sum();
        let bytes: f64 =
            sizes.iter().map(|size| weight(size) * size.row_bytes(index) as f64).sum();
        if weights > 0.0 { (bytes / weights).ceil() as u64 } else { 0 }
    }

    fn rows_of_batch(&self, pattern: &Pattern, calls: &mut Calls) -> f64 {
        pattern.rows.unwrap_or_else(|| {
            if !pattern.entities.is_empty() {
                calls.assume("the batch has one item of each entity: rows does not say how many");
            }
            pattern.entities.len().max(1) as f64
        })
    }

    fn action_count(&self, pattern: &Pattern, action: &Action, calls: &mut Calls) -> f64 {
        match &action.each {
            None => 1.0,
            Some(name) => self.each_count(pattern, Some(&action.entity), name, calls),
        }
    }

    /// How many elements a list parameter has: as the relationship says, or as `rows` does.
    fn each_count(
        &self,
        pattern: &Pattern,
        entity: Option<&str>,
        parameter: &str,
        calls: &mut Calls,
    ) -> f64 {
        let related = entity.and_then(|entity| self.relationship_to(entity, Some(pattern)));
        related.and_then(|relationship| relationship.average).or(pattern.rows).unwrap_or_else(|| {
            calls.assume(&format!("{parameter} has one element: nothing says how many"));
            1.0
        })
    }

    /// The relationship that says how many of an entity there are together.
    fn relationship_to(&self, to: &str, among: Option<&Pattern>) -> Option<&'m Relationship> {
        let is_among = |relationship: &&Relationship| {
            among.is_none_or(|pattern| pattern.all_entities().any(|name| name == relationship.from))
        };
        let mut found = self.model.relationships.iter().filter(|relationship| relationship.to == to);
        found.find(is_among)
    }

    fn table_of_route(&self, pattern: &Pattern, route: &ReadRoute) -> Option<&'m Table> {
        let named = route.table.as_deref().and_then(|name| self.model.table(name));
        let first = || {
            let entity = pattern.entities.iter().find_map(|name| self.model.entity(name))?;
            self.model.tables_of(entity).next()
        };
        named.or_else(first).or(self.model.tables.first())
    }

    fn table_and_size(
        &self,
        pattern: &Pattern,
        entity: &'m Entity,
    ) -> Option<(&'m Table, &'m EntitySize)> {
        let named = pattern.table.as_deref().and_then(|name| self.model.table(name));
        let table = named.or_else(|| self.model.tables_of(entity).next())?;
        Some((table, self.size(table, entity)?))
    }

    fn size(&self, table: &Table, entity: &Entity) -> Option<&'m EntitySize> {
        self.sizes.get(&(table.name.clone(), entity.name.clone()))
    }
}

impl Calls {
    fn assume(&mut self, assumption: &str) {
        if !self.assumptions.iter().any(|known| known == assumption) {
            self.assumptions.push(assumption.to_owned());
        }
    }

    /// The units of one run, by table.
    pub fn usage(&self) -> BTreeMap<String, Usage> {
        let mut usage: BTreeMap<String, Usage> = BTreeMap::new();
        for call in &self.calls {
            usage.entry(call.table.clone()).or_default().add(&call.usage(), 1.0);
        }
        usage
    }
}

fn consistency(pattern: &Pattern) -> Consistency {
    if pattern.consistent { Consistency::Strong } else { Consistency::Eventual }
}

/// An index whose throughput is its own; that of a local one is the table's.
pub(super) fn has_own_capacity(index: &Index) -> bool {
    index.scope == IndexScope::Global
}

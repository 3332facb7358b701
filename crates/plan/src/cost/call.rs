//! The calls of a pattern: which requests one run makes, on average.

use std::collections::BTreeMap;

use monotable_item::capacity::Consistency;
use monotable_model::document::{
    ActionKind, Each, Entity, Expression, Index, IndexKind, Model, Operation, Pattern, Table,
};

use super::page::Rows;
use super::request::{ItemWrite, PageReads, Request};
use super::route::ReadRoute;
use super::size::EntitySize;
use super::usage::Usage;
use super::write_effect::Written;

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
        let is_batch = matches!(
            pattern.operation,
            Operation::BatchGet | Operation::BatchWrite | Operation::TransactGet
        );
        let rows =
            if is_batch { self.rows_of_batch(pattern, calls) } else { entities.len() as f64 };
        let each = times * rows / entities.len().max(1) as f64;
        let kind = kind_of(pattern.operation);
        for entity in entities {
            self.add_item(pattern, (kind, entity, pattern.change.as_ref()), each, calls);
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
            ActionKind::Check => Some(ItemWrite::check(item_bytes)),
        };
        let request = match write {
            None if pattern.operation == Operation::TransactGet => {
                Request::TransactGet { item_bytes }
            }
            None => Request::Get { item_bytes, consistency: consistency(pattern) },
            Some(write) if pattern.operation == Operation::TransactWrite => {
                Request::TransactWrite(write)
            }
            Some(write) if pattern.operation == Operation::Expire => Request::Expire(write),
            Some(write) => Request::Write(write),
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
        if route.spans_periods {
            calls.assume("a range of time lies in one period, and so in one table");
        }
        let requests = route.requests.max(1) as f64;
        let part = Rows { count: rows.count / requests, ..rows };
        let item_bytes = self.mean_bytes(pattern, table, &pattern.entities, None);
        let is_local = index.is_some_and(|index| index.kind == IndexKind::Local);
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

    pub(super) fn size(&self, table: &Table, entity: &Entity) -> Option<&'m EntitySize> {
        self.sizes.get(&(table.name.clone(), entity.name.clone()))
    }
}

impl Calls {
    pub(super) fn assume(&mut self, assumption: &str) {
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

/// What a pattern that names its items does with each.
fn kind_of(operation: Operation) -> ActionKind {
    match operation {
        Operation::Get
        | Operation::BatchGet
        | Operation::TransactGet
        | Operation::Query
        | Operation::Scan
        | Operation::Steps
        | Operation::Consume
        | Operation::Administer => ActionKind::Get,
        Operation::Update => ActionKind::Update,
        Operation::Delete | Operation::Expire => ActionKind::Delete,
        Operation::Put | Operation::BatchWrite | Operation::TransactWrite => ActionKind::Put,
    }
}

fn consistency(pattern: &Pattern) -> Consistency {
    if pattern.consistent { Consistency::Strong } else { Consistency::Eventual }
}

/// An index whose throughput is its own; that of a local one is the table's.
pub(super) fn has_own_capacity(index: &Index) -> bool {
    index.kind == IndexKind::Global
}

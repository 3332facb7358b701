//! From a model to its estimate.

use std::collections::BTreeMap;

use monotable_model::document::{
    Billing, Entity, IndexKind, Model, Operation, Pattern, Table, TableClass,
};

use super::bill::{Bill, Demand, Payment, Provision, bill};
use super::break_even::{StorageShare, Utilisation};
use super::call::{Caller, Calls, has_own_capacity};
use super::estimate::{
    ArmCost, DEFAULT_PEAK_FACTOR, EntityCost, Estimate, PatternCost, Settings, TableCost,
};
use super::month::{SECONDS, stored_gigabytes};
use super::partition::Partitions;
use super::price::{Prices, UnitPrices};
use super::projection::savings;
use super::region::prices_of;
use super::request::Request;
use super::route::ReadRoute;
use super::size::EntitySize;
use super::usage::{Load, Usage};
use crate::{Plan, plan};

/// A model with everything that its parts are priced by.
pub(super) struct Costing<'m> {
    pub(super) model: &'m Model,
    pub(super) settings: &'m Settings,
    pub(super) sizes: BTreeMap<(String, String), EntitySize>,
    routes: BTreeMap<String, ReadRoute>,
    /// The calls of each pattern, in the order of the file.
    calls: Vec<Calls>,
}

impl<'m> Costing<'m> {
    pub(super) fn new(model: &'m Model, settings: &'m Settings) -> Costing<'m> {
        let route = |pattern: &Pattern| ReadRoute::planned(pattern, &plan(model, pattern));
        let reads = model.patterns.iter().filter(|pattern| reads_pages(pattern));
        let routes = reads.map(|pattern| (pattern.name.clone(), route(pattern))).collect();
        Costing::routed(model, settings, routes)
    }

    /// The same with the plans of all patterns of the model, in the order of the file.
    pub(super) fn planned(model: &'m Model, plans: &[Plan], settings: &'m Settings) -> Costing<'m> {
        let planned = model.patterns.iter().zip(plans);
        let reads = planned.filter(|(pattern, _)| reads_pages(pattern));
        let route = |(pattern, plan): (&Pattern, &Plan)| {
            (pattern.name.clone(), ReadRoute::planned(pattern, plan))
        };
        Costing::routed(model, settings, reads.map(route).collect())
    }

    /// The same patterns on the same routes with another model of the same names.
    pub(super) fn with_model<'n>(&'n self, model: &'n Model) -> Costing<'n> {
        Costing::routed(model, self.settings, self.routes.clone())
    }

    fn routed(
        model: &'m Model,
        settings: &'m Settings,
        routes: BTreeMap<String, ReadRoute>,
    ) -> Costing<'m> {
        let sizes = sizes(model);
        let route = |pattern: &Pattern| {
            let known = routes.get(&pattern.name).cloned();
            known.unwrap_or_else(|| ReadRoute::declared(pattern))
        };
        let caller = Caller { model, route: &route, sizes: &sizes };
        let calls = model.patterns.iter().map(|pattern| caller.calls(pattern)).collect();
        Costing { model, settings, sizes, routes, calls }
    }

    pub(super) fn estimate(&self) -> Estimate {
        Estimate {
            model: self.model.name.clone(),
            prices: self.settings.prices.clone(),
            provision: self.provision(),
            patterns: self
                .patterns()
                .map(|(pattern, calls)| self.pattern(pattern, calls))
                .collect(),
            entities: self.entities().map(|(table, entity)| self.entity(table, entity)).collect(),
            tables: self.model.tables.iter().map(|table| self.table(table)).collect(),
            notes: self.notes(),
        }
    }

    /// The patterns with their calls.
    pub(super) fn patterns(&self) -> impl Iterator<Item = (&'m Pattern, &Calls)> {
        self.model.patterns.iter().zip(&self.calls)
    }

    /// How often a pattern is used, per second. One that is only a step of others has no rate of
    /// its own.
    pub(super) fn rate(&self, pattern: &Pattern) -> Option<f64> {
        let is_step = || {
            let mut steps = self.model.patterns.iter().flat_map(|other| &other.steps);
            steps.any(|step| step.pattern == pattern.name)
        };
        let workload = &self.model.workload;
        match pattern.rate {
            Some(rate) => Some(rate),
            None if is_step() => Some(0.0),
            None if is_read(pattern.operation) => workload.reads_per_second,
            None => workload.writes_per_second,
        }
    }

    /// Units a second of a table.
    pub(super) fn load(&self, table: &Table) -> Usage {
        let mut load = Usage::default();
        for (pattern, calls) in self.patterns() {
            let rate = self.rate(pattern).unwrap_or(0.0);
            for call in calls.calls.iter().filter(|call| call.table == table.name) {
                load.add(&call.usage(), rate);
            }
        }
        load
    }

    /// The gigabytes of a table itself, or of one of its indexes, and how many rows they are.
    pub(super) fn stored(&self, table: &Table, index: Option<&str>) -> (f64, f64) {
        let mut stored = (0.0, 0.0);
        for entity in self.model.entities_in(table) {
            let Some(size) = self.size(table, entity) else { continue };
            let share = index.map_or(Some(1.0), |index| size.entry(index).map(|entry| entry.share));
            let rows = size.count.unwrap_or(0.0) * share.unwrap_or(0.0);
            stored.0 += stored_gigabytes(rows, size.row_bytes(index));
            stored.1 += rows;
        }
        stored
    }

    pub(super) fn size(&self, table: &Table, entity: &Entity) -> Option<&EntitySize> {
        self.sizes.get(&(table.name.clone(), entity.name.clone()))
    }

    /// The prices of requests to a table, paid one by one.
    pub(super) fn request_prices(&self, class: TableClass) -> Option<UnitPrices> {
        self.settings.prices.class(class)?.on_demand
    }

    pub(super) fn storage_price(&self, class: TableClass) -> f64 {
        let prices = &self.settings.prices;
        prices.class(class).unwrap_or(prices.standard).storage
    }

    fn provision(&self) -> Provision {
        Provision {
            target_utilisation: self.settings.target_utilisation,
            peak_factor: self.model.workload.peak_factor.unwrap_or(DEFAULT_PEAK_FACTOR),
        }
    }

    fn pattern(&self, pattern: &Pattern, calls: &Calls) -> PatternCost {
        let usage = calls.usage();
        let rate = self.rate(pattern);
        let once: Option<f64> =
            usage.iter().map(|(table, usage)| self.price_of(table, usage)).sum();
        PatternCost {
            name: pattern.name.clone(),
            operation: pattern.operation,
            targets: targets(&usage),
            rate,
            month: once.zip(rate).map(|(once, rate)| once * rate * SECONDS),
            usage,
            calls: calls.calls.clone(),
            assumptions: calls.assumptions.clone(),
        }
    }

    /// What requests cost, paid one by one, in all regions of the table.
    fn price_of(&self, table: &str, usage: &Usage) -> Option<f64> {
        let table = self.model.table(table)?;
        let prices = self.request_prices(table.class)?;
        let total = usage.total();
        let write = if table.replicas.is_empty() { prices.write } else { prices.replicated_write };
        let replicated: Option<f64> = self
            .replica_prices(table)
            .iter()
            .map(|replica| {
                Some(usage.replicated * replica.class(table.class)?.on_demand?.replicated_write)
            })
            .sum();
        let stream = self.settings.prices.stream_read.unwrap_or(0.0) * usage.stream_reads;
        Some(total.read * prices.read + total.write * write + replicated? + stream)
    }

    /// A region whose prices are not known counts like the home region.
    fn replica_prices(&self, table: &Table) -> Vec<Prices> {
        let home = &self.settings.prices;
        let of = |region: &String| prices_of(region).unwrap_or_else(|| home.clone());
        table.replicas.iter().map(of).collect()
    }

    fn entities(&self) -> impl Iterator<Item = (&'m Table, &'m Entity)> {
        let model = self.model;
        model
            .entities
            .iter()
            .flat_map(move |entity| model.tables_of(entity).map(move |table| (table, entity)))
    }

    fn entity(&self, table: &'m Table, entity: &Entity) -> EntityCost {
        let size = self.size(table, entity).cloned();
        let size = size.unwrap_or_else(|| EntitySize::of(self.model, table, entity));
        let (reads, writes) = self.requests_of(table, entity);
        let storage = size.count.map(|count| {
            let own = stored_gigabytes(count, size.item_bytes);
            let entries = size.entries.values();
            let of_indexes: f64 =
                entries.map(|entry| stored_gigabytes(count * entry.share, entry.bytes)).sum();
            (own + of_indexes) * self.storage_price(table.class)
        });
        EntityCost {
            name: entity.name.clone(),
            table: table.name.clone(),
            size,
            storage,
            reads,
            writes,
        }
    }

    fn requests_of(&self, table: &Table, entity: &Entity) -> (f64, f64) {
        let Some(prices) = self.request_prices(table.class) else { return (0.0, 0.0) };
        let mut sum = Load::default();
        for (pattern, calls) in self.patterns() {
            let rate = self.rate(pattern).unwrap_or(0.0);
            let here = calls.calls.iter().filter(|call| call.table == table.name);
            for call in here.filter(|call| call.entities.contains(&entity.name)) {
                sum.add(call.usage().total(), rate / call.entities.len() as f64);
            }
        }
        (sum.read * prices.read * SECONDS, sum.write * prices.write * SECONDS)
    }

    fn table(&self, table: &Table) -> TableCost {
        let load = self.load(table);
        let arms: Vec<ArmCost> = std::iter::once(None)
            .chain(table.indexes.iter().map(|index| Some(index.name.as_str())))
            .map(|index| self.arm(table, index, &load))
            .collect();
        let demand = self.demand(table, &arms, &load);
        let bills = self.bills(&demand);
        let find = |class| {
            bills.iter().find(|bill| bill.payment == Payment::OnDemand && bill.class == class)
        };
        let storage_share = find(TableClass::Standard)
            .zip(find(TableClass::InfrequentAccess))
            .and_then(|(standard, infrequent)| StorageShare::of(standard, infrequent));
        let provision = self.provision();
        let peak = |part: fn(&Load) -> f64| part(&load.table) * provision.peak_factor;
        TableCost {
            name: table.name.clone(),
            payment: match table.billing {
                Billing::OnDemand => Payment::OnDemand,
                Billing::Provisioned { .. } => Payment::Declared,
            },
            class: table.class,
            partitions: Partitions::estimate(
                arms.first().map_or(0.0, |arm| arm.gigabytes),
                peak(|load| load.read),
                peak(|load| load.write),
            ),
            utilisation: self.settings.prices.class(table.class).and_then(Utilisation::break_even),
            average_utilisation: provision.target_utilisation / provision.peak_factor,
            storage_share,
            projections: savings(self, table),
            arms,
            bills,
        }
    }

    fn arm(&self, table: &Table, index: Option<&str>, load: &Usage) -> ArmCost {
        let (gigabytes, entries) = self.stored(table, index);
        let load = match index {
            None => load.table,
            Some(index) => load.indexes.get(index).copied().unwrap_or_default(),
        };
        let prices = self.request_prices(table.class);
        let month = |units: f64, price: fn(&UnitPrices) -> f64| {
            prices.as_ref().map(|prices| units * SECONDS * price(prices))
        };
        ArmCost {
            index: index.map(str::to_owned),
            entries,
            gigabytes,
            load,
            storage: gigabytes * self.storage_price(table.class),
            reads: month(load.read, |prices| prices.read),
            writes: month(load.write, |prices| prices.write),
        }
    }

    fn demand(&self, table: &Table, arms: &[ArmCost], load: &Usage) -> Demand {
        let kind = |arm: &ArmCost| {
            let index = arm.index.as_deref().and_then(|name| table.index(name));
            index.map(|index| index.kind)
        };
        let mut of_table = load.table;
        for arm in arms.iter().filter(|arm| kind(arm) == Some(IndexKind::Local)) {
            of_table.add(arm.load, 1.0);
        }
        let global = arms.iter().filter(|arm| kind(arm) == Some(IndexKind::Global));
        let in_table = arms.iter().filter(|arm| kind(arm) != Some(IndexKind::Global));
        Demand {
            loads: std::iter::once(of_table).chain(global.map(|arm| arm.load)).collect(),
            declared: declared_capacity(table),
            replicated: load.replicated,
            replicas: self.replica_prices(table),
            stream_reads: load.stream_reads,
            stored_gigabytes: arms.iter().map(|arm| arm.gigabytes).sum(),
            backup_gigabytes: in_table.map(|arm| arm.gigabytes).sum(),
            point_in_time: table.backup.is_some(),
            backups: self.settings.backups,
        }
    }

    fn bills(&self, demand: &Demand) -> Vec<Bill> {
        let class = [TableClass::Standard, TableClass::InfrequentAccess];
        let payments = [
            Payment::OnDemand,
            Payment::Declared,
            Payment::Provisioned,
            Payment::Scaled,
            Payment::ReservedOneYear,
            Payment::ReservedThreeYears,
        ];
        let all = class.iter().flat_map(|class| payments.iter().map(move |pay| (*pay, *class)));
        all.filter(|(payment, class)| is_offered(*payment, *class))
            .filter_map(|(payment, class)| {
                bill(demand, &self.settings.prices, self.provision(), payment, class)
            })
            .filter(|bill| bill.total().is_some())
            .collect()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let without_rate = self.model.patterns.iter().filter(|pattern| {
            pattern.operation != Operation::Administer && self.rate(pattern).is_none()
        });
        let count = without_rate.count();
        if count > 0 {
            let (noun, rest) = match count {
                1 => ("pattern has", "costs"),
                _ => ("patterns have", "cost"),
            };
            notes.push(format!("{count} {noun} no rate and {rest} nothing here"));
        }
        let uncounted = self.entities().filter(|(table, entity)| {
            self.size(table, entity).is_some_and(|size| size.count.is_none())
        });
        let names: Vec<&str> = uncounted.map(|(_, entity)| entity.name.as_str()).collect();
        if !names.is_empty() {
            let have = if names.len() == 1 { "has" } else { "have" };
            notes.push(format!("storage without {}, which {have} no count", names.join(", ")));
        }
        for table in &self.model.tables {
            self.note_replicas(table, &mut notes);
            notes.extend(period_note(table));
        }
        notes
    }

    fn note_replicas(&self, table: &Table, notes: &mut Vec<String>) {
        for region in table.replicas.iter().filter(|region| prices_of(region).is_none()) {
            let home = &self.settings.prices.region;
            notes.push(format!("the prices of {region} are not known: those of {home} stand in"));
        }
        if !table.replicas.is_empty() {
            notes.push(format!("reads of {} count in one region only", table.name));
        }
        let prices = &self.settings.prices;
        let unpriced = [
            (table.backup.is_some() && prices.point_in_time.is_none(), "point-in-time recovery"),
            (self.settings.backups > 0.0 && prices.backup.is_none(), "backups"),
            (self.load(table).stream_reads > 0.0 && prices.stream_read.is_none(), "stream reads"),
        ];
        for (_, what) in unpriced.iter().filter(|(is_unpriced, _)| *is_unpriced) {
            notes.push(format!("without {what}: no price is known in {}", prices.region));
        }
    }
}

fn sizes(model: &Model) -> BTreeMap<(String, String), EntitySize> {
    let mut sizes = BTreeMap::new();
    for entity in &model.entities {
        for table in model.tables_of(entity) {
            let size = EntitySize::of(model, table, entity);
            sizes.insert((table.name.clone(), entity.name.clone()), size);
        }
    }
    sizes
}

/// What is said about the capacity of a table of which there is one for each period.
fn period_note(table: &Table) -> Option<String> {
    let period = table.period_name.as_ref()?.bucket().code();
    match table.billing {
        Billing::Provisioned { .. } => Some(format!(
            "the capacity of {} is that of one table: every other {period} that is kept at it \
             costs as much again",
            table.name
        )),
        Billing::OnDemand => None,
    }
}

/// The capacity that the model gives a table and its global indexes, which have the table's if they
/// have none of their own.
fn declared_capacity(table: &Table) -> Option<Vec<Load>> {
    let load = |billing: Billing| match billing {
        Billing::OnDemand => None,
        Billing::Provisioned { read_units, write_units } => {
            Some(Load { read: read_units as f64, write: write_units as f64 })
        }
    };
    let global = table.indexes.iter().filter(|index| has_own_capacity(index));
    let of_indexes = global.map(|index| load(index.billing.unwrap_or(table.billing)));
    std::iter::once(load(table.billing)).chain(of_indexes).collect()
}

/// Capacity of the class Standard-Infrequent Access cannot be reserved.
fn is_offered(payment: Payment, class: TableClass) -> bool {
    let is_reserved = matches!(payment, Payment::ReservedOneYear | Payment::ReservedThreeYears);
    !is_reserved || class == TableClass::Standard
}

fn targets(usage: &BTreeMap<String, Usage>) -> Vec<String> {
    let mut targets = Vec::new();
    for (table, usage) in usage {
        if usage.table != Load::default() || usage.indexes.is_empty() {
            targets.push(table.clone());
        }
        targets.extend(usage.indexes.keys().cloned());
    }
    targets
}

pub(super) fn reads_pages(pattern: &Pattern) -> bool {
    matches!(pattern.operation, Operation::Query | Operation::Scan)
}

pub(super) fn is_read(operation: Operation) -> bool {
    match operation {
        Operation::Get
        | Operation::Query
        | Operation::Scan
        | Operation::BatchGet
        | Operation::TransactGet
        | Operation::Consume
        | Operation::Steps => true,
        Operation::Put
        | Operation::Update
        | Operation::Delete
        | Operation::BatchWrite
        | Operation::TransactWrite
        | Operation::Expire
        | Operation::Administer => false,
    }
}

/// The rows of an index that a call reads.
pub(super) fn rows_through(request: &Request, index: &str) -> f64 {
    match request {
        Request::Pages(pages) if pages.index.as_deref() == Some(index) => pages.rows.count,
        Request::Pages(_)
        | Request::Get { .. }
        | Request::TransactGet { .. }
        | Request::Write(_)
        | Request::TransactWrite(_)
        | Request::Expire(_)
        | Request::ReadStream => 0.0,
    }
}

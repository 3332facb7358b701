//! Calls, by operation and table.
//!
//! ```text
//! shard of the thread ─► table ─► operation ─► durations, bytes, errors
//!                          └────► units, of the table and of each index
//! ```
//!
//! What is not there is made when it is first counted. Two threads of one shard may count the same
//! number at the same time, which is why the numbers are atomic; threads of different shards never
//! touch the same memory, so that no processor waits for another.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::available_parallelism;

use monotable_api::observation::ObservedTable;
use monotable_storage::{Histogram, HistogramCounts};

use super::table_names::{TableNames, TablePlace};
use super::{CountedCall, Operation};

/// How long calls take, in nanoseconds: from what memory answers to what a client gives up on.
const DURATION_NANOS: &[u64] = &[
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    2_500_000_000,
    5_000_000_000,
    10_000_000_000,
];

/// More threads than this share shards.
const SHARDS_MAX: usize = 16;
/// How many errors of one operation on one table are told apart.
const ERRORS_MAX: usize = 24;
/// How many indexes of one table are told apart. A table has 25 at most, but it can have had more.
const INDEXES_MAX: usize = 32;
/// What everything is called that is not told apart.
const OTHER: &str = "_other";

/// See the module.
#[derive(Debug)]
pub(super) struct Calls {
    names: TableNames,
    shards: Box<[Shard]>,
}

/// The calls that some threads have counted, by the place of their table.
#[derive(Debug)]
struct Shard {
    tables: Box<[OnceLock<Box<TableCells>>]>,
}

#[derive(Debug)]
struct TableCells {
    operations: Box<[OnceLock<Box<CallCells>>]>,
    units: UnitCells,
    indexes: Box<[OnceLock<IndexCells>]>,
}

/// Half units.
#[derive(Debug, Default)]
struct UnitCells {
    read: AtomicU64,
    write: AtomicU64,
}

#[derive(Debug)]
struct IndexCells {
    name: Box<str>,
    units: UnitCells,
}

#[derive(Debug)]
struct CallCells {
    duration_nanos: Histogram,
    request_bytes: AtomicU64,
    response_bytes: AtomicU64,
    errors: Box<[OnceLock<ErrorCells>]>,
}

#[derive(Debug)]
struct ErrorCells {
    status: u16,
    name: &'static str,
    count: AtomicU64,
}

impl Calls {
    pub(super) fn new(tables_max: usize) -> Calls {
        let names = TableNames::new(tables_max);
        let shards = available_parallelism().map_or(1, |count| count.get()).min(SHARDS_MAX);
        let shard = |_| Shard { tables: empty(names.places()) };
        Calls { shards: (0..shards).map(shard).collect(), names }
    }

    /// Counts a call.
    pub(super) fn count(&self, call: &CountedCall<'_>) {
        let Some(shard) = self.shards.get(thread_number() % self.shards.len()) else { return };
        let mut tables = call.observation.tables();
        let place = match (tables.next(), tables.next()) {
            (None, _) => TablePlace::NONE,
            (Some(only), None) => self.count_units(shard, only, call.writes()),
            (Some(_), Some(_)) => {
                call.observation.tables().for_each(|table| {
                    self.count_units(shard, table, call.writes());
                });
                TablePlace::SEVERAL
            }
        };
        if let Some(table) = shard.table(place) {
            table.count(call);
        }
    }

    /// Counts what was consumed on a table; gives its place.
    fn count_units(&self, shard: &Shard, observed: &ObservedTable, writes: bool) -> TablePlace {
        let place = self.names.place(observed.name());
        let Some(table) = shard.table(place) else { return place };
        let consumed = &observed.consumed;
        table.units.add(consumed.table.halves(), writes);
        for (index, units) in &consumed.indexes {
            // Indexes of tables that are not told apart are not either.
            let name = observed.schema().and_then(|schema| schema.index_by_id(*index));
            let name = name.filter(|_| place != TablePlace::OTHER);
            table.count_index(name.map_or(OTHER, |index| &index.name), units.halves(), writes);
        }
        place
    }

    /// What all threads have counted, by operation and table.
    pub(super) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for shard in &self.shards {
            for (place, table) in shard.tables.iter().enumerate() {
                if let Some(table) = table.get() {
                    totals.add_table(self.names.name(TablePlace(place)), table);
                }
            }
        }
        totals
    }
}

impl Shard {
    fn table(&self, place: TablePlace) -> Option<&TableCells> {
        let cells = self.tables.get(place.0)?;
        Some(cells.get_or_init(|| {
            Box::new(TableCells {
                operations: empty(Operation::COUNT),
                units: UnitCells::default(),
                indexes: empty(INDEXES_MAX),
            })
        }))
    }
}

impl TableCells {
    fn count(&self, call: &CountedCall<'_>) {
        let Some(cells) = self.operations.get(call.operation.number()) else { return };
        cells.get_or_init(Box::default).count(call);
    }

    fn count_index(&self, name: &str, halves: u64, writes: bool) {
        for (number, cell) in self.indexes.iter().enumerate() {
            let name = if number + 1 == INDEXES_MAX { OTHER } else { name };
            let index =
                cell.get_or_init(|| IndexCells { name: name.into(), units: UnitCells::default() });
            if *index.name == *name {
                return index.units.add(halves, writes);
            }
        }
    }
}

impl UnitCells {
    fn add(&self, halves: u64, writes: bool) {
        let sum = if writes { &self.write } else { &self.read };
        sum.fetch_add(halves, Ordering::Relaxed);
    }
}

impl Default for CallCells {
    fn default() -> CallCells {
        CallCells {
            duration_nanos: Histogram::new(DURATION_NANOS),
            request_bytes: AtomicU64::new(0),
            response_bytes: AtomicU64::new(0),
            errors: empty(ERRORS_MAX),
        }
    }
}

impl CallCells {
    fn count(&self, call: &CountedCall<'_>) {
        let nanos = u64::try_from(call.duration.as_nanos()).unwrap_or(u64::MAX);
        self.duration_nanos.count(nanos);
        self.request_bytes.fetch_add(call.request_bytes as u64, Ordering::Relaxed);
        self.response_bytes.fetch_add(call.response_bytes as u64, Ordering::Relaxed);
        if let Some(name) = call.error() {
            self.count_error(call.status, name);
        }
    }

    fn count_error(&self, status: u16, name: &'static str) {
        for (number, cell) in self.errors.iter().enumerate() {
            let (status, name) = if number + 1 == ERRORS_MAX { (0, OTHER) } else { (status, name) };
            let error = cell.get_or_init(|| ErrorCells { status, name, count: AtomicU64::new(0) });
            if (error.status, error.name) == (status, name) {
                error.count.fetch_add(1, Ordering::Relaxed);
                return;
            }
        }
    }
}

/// What was counted, in the order of the page.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// By operation and table.
    pub(super) calls: BTreeMap<(&'static str, String), CallTotals>,
    /// In half units, by table and index; the index of the table itself is none.
    pub(super) units: BTreeMap<(String, Option<String>), UnitTotals>,
}

/// What was counted of one operation on one table.
#[derive(Debug, Default)]
pub(super) struct CallTotals {
    pub(super) duration_nanos: HistogramCounts,
    pub(super) request_bytes: u64,
    pub(super) response_bytes: u64,
    /// By status and name.
    pub(super) errors: BTreeMap<(u16, &'static str), u64>,
}

/// What was consumed, in half units.
#[derive(Debug, Default)]
pub(super) struct UnitTotals {
    pub(super) read: u64,
    pub(super) write: u64,
}

impl Totals {
    fn add_table(&mut self, name: &str, table: &TableCells) {
        self.add_units(name, None, &table.units);
        for index in table.indexes.iter().filter_map(OnceLock::get) {
            self.add_units(name, Some(&index.name), &index.units);
        }
        for (operation, cells) in Operation::all().zip(&table.operations) {
            if let Some(cells) = cells.get() {
                let key = (operation.name(), name.to_owned());
                self.calls.entry(key).or_default().add(cells);
            }
        }
    }

    fn add_units(&mut self, table: &str, index: Option<&str>, units: &UnitCells) {
        let (read, write) =
            (units.read.load(Ordering::Relaxed), units.write.load(Ordering::Relaxed));
        if read + write == 0 {
            return;
        }
        let key = (table.to_owned(), index.map(str::to_owned));
        let sum = self.units.entry(key).or_default();
        sum.read += read;
        sum.write += write;
    }
}

impl CallTotals {
    fn add(&mut self, cells: &CallCells) {
        self.duration_nanos.absorb(&cells.duration_nanos.counts());
        self.request_bytes += cells.request_bytes.load(Ordering::Relaxed);
        self.response_bytes += cells.response_bytes.load(Ordering::Relaxed);
        for error in cells.errors.iter().filter_map(OnceLock::get) {
            let sum = self.errors.entry((error.status, error.name)).or_default();
            *sum += error.count.load(Ordering::Relaxed);
        }
    }
}

fn empty<T>(length: usize) -> Box<[OnceLock<T>]> {
    (0..length).map(|_| OnceLock::new()).collect()
}

/// A number for the thread that asks, counted from 0.
fn thread_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static NUMBER: Cell<Option<usize>> = const { Cell::new(None) };
    }
    NUMBER.get().unwrap_or_else(|| {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        NUMBER.set(Some(number));
        number
    })
}

//! Everything that was seen, as it is read.

use std::sync::atomic::Ordering;

use monotable_model::document::Operation;

use crate::counters::PatternTotals;
use crate::drift::DriftEntry;
use crate::key_sketch::HotKey;
use crate::models::LoadedModel;
use crate::observer::CheckMode;
use crate::watched_keys::WatchedKeys;
use crate::watched_table::WatchedTable;

/// How many keys of a table or index are shown.
const KEYS_MAX: usize = 20;

/// Everything that was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What becomes of writes that do not fit.
    pub mode: CheckMode,
    /// What was seen of each model.
    pub models: Vec<ModelReport>,
    /// Tables without a model whose keys are watched.
    pub tables: Vec<TableReport>,
}

/// What was seen of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelReport {
    /// The name of the model.
    pub name: String,
    /// The account whose tables it is about.
    pub account: String,
    /// When it was loaded, in milliseconds since 1970.
    pub loaded_millis: u64,
    /// How long it has been loaded, in seconds.
    pub seconds: f64,
    /// The patterns that were asked, in the order of the model, and all others.
    pub patterns: Vec<PatternReport>,
    /// Requests that several patterns make.
    pub undecided: PatternReport,
    /// Requests that no pattern makes.
    pub unmatched: PatternReport,
    /// The entities that are items, in the order of the model.
    pub entities: Vec<EntityReport>,
    /// The tables, in the order of the model.
    pub tables: Vec<TableReport>,
    /// What did not fit, the most frequent first.
    pub drift: Vec<DriftEntry>,
    /// How many misfits are of none of these kinds.
    pub other_drift: u64,
}

/// What was seen of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternReport {
    /// The name of the pattern.
    pub name: String,
    /// What it does; nothing for what is no pattern.
    pub operation: Option<Operation>,
    /// Requests.
    pub requests: u64,
    /// Read units.
    pub read_units: f64,
    /// Write units.
    pub write_units: f64,
    /// Items that were returned or written.
    pub items: u64,
    /// Items that were read and thrown away.
    pub discarded: u64,
    /// Requests that were refused, but not throttled.
    pub errors: u64,
    /// Requests that were throttled.
    pub throttles: u64,
    /// The durations of all requests together, in microseconds.
    pub micros: u64,
    /// How many requests took how long: the parts end at
    /// [`DURATION_BOUNDS_MICROS`](crate::DURATION_BOUNDS_MICROS).
    pub durations: Vec<u64>,
    /// The mean duration, in microseconds.
    pub mean_micros: Option<f64>,
    /// Half of all requests took no longer, in microseconds.
    pub median_micros: Option<u64>,
    /// 99 of 100 requests took no longer, in microseconds.
    pub p99_micros: Option<u64>,
    /// How often the model says that it is asked, per second.
    pub estimated_rate: Option<f64>,
    /// Units of one request, as the model says.
    pub estimated_units: Option<f64>,
    /// Rows of one request, as the model says.
    pub estimated_rows: Option<f64>,
}

/// What was seen of an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityReport {
    /// The name of the entity; nothing for items of one of several, or of none.
    pub name: String,
    /// Reads of single items.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Items that were written whole.
    pub puts: u64,
    /// The bytes of these.
    pub put_bytes: u64,
    /// All patterns that are about it, together. One that is about several entities is counted
    /// with each of them.
    pub patterns: Option<PatternReport>,
}

/// What was seen of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableReport {
    /// The table, as the service calls it.
    pub name: String,
    /// The keys that were asked for most, of the table and of each index.
    pub keys: Vec<KeyReport>,
}

/// The keys of a table or index that were asked for most.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyReport {
    /// The index; nothing for the table itself.
    pub index: Option<String>,
    /// All patterns that ask it, together; nothing without a model.
    pub patterns: Option<PatternReport>,
    /// Requests on it that several patterns make; nothing without a model.
    pub undecided: Option<PatternReport>,
    /// Requests on it that no pattern makes; nothing without a model.
    pub unmatched: Option<PatternReport>,
    /// The keys that were asked for most.
    pub accessed: Vec<HotKey>,
    /// The keys that were throttled most.
    pub throttled: Vec<HotKey>,
    /// The items that were asked for most, by their whole keys: of tables without a model only.
    pub accessed_items: Vec<HotKey>,
    /// The items that were throttled most.
    pub throttled_items: Vec<HotKey>,
}

impl ModelReport {
    /// Everything that was seen of a model.
    pub(crate) fn new(loaded: &LoadedModel, now_millis: u64) -> ModelReport {
        let tables = loaded.tables.iter().map(|table| TableReport::new(loaded, table)).collect();
        ModelReport { tables, ..ModelReport::counts(loaded, now_millis) }
    }

    /// The same without tables.
    pub(crate) fn counts(loaded: &LoadedModel, now_millis: u64) -> ModelReport {
        let model = &loaded.model;
        let parts = || 0..loaded.part_count();
        let totals = |place: usize| PatternTotals::of(loaded.patterns.all(place));
        let numbered = model.patterns.iter().zip(&loaded.estimates).enumerate();
        let patterns = numbered.map(|(place, (pattern, estimate))| PatternReport {
            operation: Some(pattern.operation),
            estimated_rate: estimate.rate,
            estimated_units: estimate.units,
            estimated_rows: estimate.rows,
            ..PatternReport::new(&pattern.name, &totals(place))
        });
        let (drift, other_drift) = loaded.drift.entries();
        ModelReport {
            name: model.name.clone(),
            account: loaded.account().to_owned(),
            loaded_millis: loaded.loaded_millis,
            seconds: now_millis.saturating_sub(loaded.loaded_millis) as f64 / 1000.0,
            patterns: patterns.collect(),
            undecided: together(loaded, parts().map(|part| loaded.undecided_place(part))),
            unmatched: together(loaded, parts().map(|part| loaded.unmatched_place(part))),
            entities: entities(loaded),
            tables: Vec::new(),
            drift,
            other_drift,
        }
    }
}

fn entities(loaded: &LoadedModel) -> Vec<EntityReport> {
    let names = loaded.model.entities.iter().map(|entity| entity.name.as_str());
    let names = names.chain(["_undecided", "_unknown"]);
    let report = |(place, name): (usize, &str)| {
        let name = name.to_owned();
        let patterns = loaded.model.entity(&name).map(|_| patterns_of(loaded, &name));
        let (reads, writes, puts, put_bytes) = (0, 0, 0, 0);
        let mut report = EntityReport { name, reads, writes, puts, put_bytes, patterns };
        for counter in loaded.entities.all(place) {
            report.reads += counter.reads.load(Ordering::Relaxed);
            report.writes += counter.writes.load(Ordering::Relaxed);
            report.puts += counter.puts.load(Ordering::Relaxed);
            report.put_bytes += counter.put_bytes.load(Ordering::Relaxed);
        }
        report
    };
    let is_item = |name: &str| loaded.model.entity(name).is_none_or(|entity| !entity.is_embedded());
    names.enumerate().filter(|(_, name)| is_item(name)).map(report).collect()
}

/// All patterns that are about an entity, together.
fn patterns_of(loaded: &LoadedModel, entity: &str) -> PatternReport {
    let patterns = loaded.model.patterns.iter().enumerate();
    let about = patterns.filter(|(_, pattern)| pattern.all_entities().any(|own| own == entity));
    together(loaded, about.map(|(place, _)| place))
}

/// All patterns that ask a table or an index of it, together.
fn patterns_asking(loaded: &LoadedModel, table: usize, index: Option<&String>) -> PatternReport {
    let part = (table, index.cloned());
    let asking = loaded.parts.iter().enumerate().filter(|(_, parts)| parts.contains(&part));
    together(loaded, asking.map(|(place, _)| place))
}

fn together(loaded: &LoadedModel, places: impl Iterator<Item = usize>) -> PatternReport {
    let mut totals = PatternTotals::default();
    places.for_each(|place| totals.absorb(&PatternTotals::of(loaded.patterns.all(place))));
    PatternReport::new("", &totals)
}

impl PatternReport {
    fn new(name: &str, totals: &PatternTotals) -> PatternReport {
        let has_requests = totals.requests > 0;
        PatternReport {
            name: name.to_owned(),
            operation: None,
            requests: totals.requests,
            read_units: totals.read_halves as f64 / 2.0,
            write_units: totals.write_halves as f64 / 2.0,
            items: totals.returned,
            discarded: totals.discarded,
            errors: totals.errors,
            throttles: totals.throttles,
            micros: totals.micros,
            durations: totals.durations.to_vec(),
            mean_micros: has_requests.then(|| totals.micros as f64 / totals.requests as f64),
            median_micros: totals.quantile_micros(0.5),
            p99_micros: totals.quantile_micros(0.99),
            estimated_rate: None,
            estimated_units: None,
            estimated_rows: None,
        }
    }

    /// Requests that were neither refused nor throttled.
    pub fn done(&self) -> u64 {
        self.requests.saturating_sub(self.errors + self.throttles)
    }

    /// Units of one request that was done, as they were observed: what is refused says nothing
    /// about an estimate of what a request consumes.
    pub fn units(&self) -> Option<f64> {
        let units = self.read_units + self.write_units;
        (self.done() > 0).then(|| units / self.done() as f64)
    }
}

impl TableReport {
    fn new(loaded: &LoadedModel, table: &WatchedTable) -> TableReport {
        let report = |index: Option<&String>, keys: &WatchedKeys| {
            let part = table.part_of(index.map(String::as_str));
            let counted = |place| Some(together(loaded, std::iter::once(place)));
            KeyReport {
                patterns: Some(patterns_asking(loaded, table.position, index)),
                undecided: counted(loaded.undecided_place(part)),
                unmatched: counted(loaded.unmatched_place(part)),
                ..KeyReport::new(index, keys)
            }
        };
        let own = report(None, &table.keys);
        let of_indexes = table.index_keys.iter().map(|(name, keys)| report(Some(name), keys));
        let keys = std::iter::once(own).chain(of_indexes).collect();
        TableReport { name: table.name.clone(), keys }
    }
}

impl KeyReport {
    pub(crate) fn new(index: Option<&String>, keys: &WatchedKeys) -> KeyReport {
        let (accessed, throttled) = keys.top(KEYS_MAX);
        let (accessed_items, throttled_items) = (Vec::new(), Vec::new());
        KeyReport {
            index: index.cloned(),
            patterns: None,
            undecided: None,
            unmatched: None,
            accessed,
            throttled,
            accessed_items,
            throttled_items,
        }
    }

    /// The same with items.
    pub(crate) fn with_items(self, items: &WatchedKeys) -> KeyReport {
        let (accessed_items, throttled_items) = items.top(KEYS_MAX);
        KeyReport { accessed_items, throttled_items, ..self }
    }
}

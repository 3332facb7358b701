//! Stores that are broken on purpose: the check names exactly what is wrong, a repair mends what
//! follows from the items, and neither touches an item.

mod catalogue;
mod entries;
mod items;
mod streams;

use std::time::Duration;

use expect_test::Expect;
use monotable_database::check::{CheckMode, CheckReport, Fault, LocationKey};
use monotable_database::schema::{IndexKind, StreamView, TableId};
use monotable_database::{TableChange, TimeToLiveChange, Write};
use monotable_item::{Value, stored};
use monotable_storage::{Batch, KeyRange};

use crate::support::harness::Harness;
use crate::support::store::MemoryStore;
use crate::support::{json, table};

const TABLE: &str = "orders";
const ITEM: u8 = 0x02;
const INDEX_ENTRY: u8 = 0x03;
const COUNTER: u8 = 0x04;
const COLLECTION: u8 = 0x05;
const EXPIRY: u8 = 0x0B;

/// Keys and their values.
type Entries = Vec<(Vec<u8>, Vec<u8>)>;
/// Everything in a store but the logs: its keys and its counters.
type Dump = (Entries, Vec<(Vec<u8>, i64)>);

/// A store with a table that has everything a table can have: a global and a local index, a stream
/// whose shards were closed once, items that expire. Index 2 of it and the table `gone` were there
/// once.
struct Fixture(Harness<MemoryStore>);

impl Fixture {
    fn new() -> Fixture {
        let harness = Harness::<MemoryStore>::new();
        let mut definition = table::table(TABLE, "pk:S/sk:N").unwrap();
        table::with_index(&mut definition, IndexKind::Global, "by_state state:S/n:N include x")
            .unwrap();
        table::with_index(&mut definition, IndexKind::Local, "near t:S keys_only").unwrap();
        definition.settings.stream = Some(StreamView::NewAndOldImages);
        harness.change(harness.database().create_table(definition)).unwrap();
        let gone = table::table("gone", "pk:S").unwrap();
        let gone = harness.change(harness.database().create_table(gone)).unwrap();
        harness.change(harness.database().delete_table(&gone)).unwrap();
        let fixture = Fixture(harness);
        fixture.expire_by("expires");
        fixture.add_and_remove_index();
        fixture.put(r#"{"pk": "a", "sk": 1, "state": "open", "n": 7, "x": "X", "t": "T", "expires": 1900000000}"#);
        fixture.put(r#"{"pk": "a", "sk": -2.5, "state": "done", "n": 8}"#);
        fixture.rotate_stream();
        fixture.put(r#"{"pk": "b", "sk": 3, "t": "U", "expires": 1900000001}"#);
        fixture.0.settle();
        assert_eq!(fixture.0.faults(), []);
        fixture
    }

    fn expire_by(&self, attribute: &str) {
        let (harness, change) = (&self.0, TimeToLiveChange::Enable(attribute.to_owned()));
        let table = harness.table(TABLE).unwrap();
        harness.change(harness.database().update_time_to_live(&table, change)).unwrap();
        harness.run(harness.database().catch_up()).unwrap();
    }

    fn add_and_remove_index(&self) {
        let index = table::global_index("once g:S all").unwrap();
        let definitions = index.key.attributes().cloned().collect();
        let added =
            TableChange { definitions, create_index: Some(index), ..TableChange::default() };
        let delete_index = Some("once".to_owned());
        for change in [added, TableChange { delete_index, ..TableChange::default() }] {
            let table = self.0.table(TABLE).unwrap();
            self.0.change(self.0.database().update_table(&table, change)).unwrap();
            self.0.settle();
        }
    }

    fn rotate_stream(&self) {
        self.0.clock.advance(Duration::from_secs(5 * 60 * 60));
        self.0.run(self.0.database().catch_up()).unwrap();
    }

    fn put(&self, item: &str) {
        let table = self.0.table(TABLE).unwrap();
        let item = stored::encode(&json::item(item).unwrap());
        let write = Write::put(table.schema(), item.into()).unwrap();
        self.0.run(self.0.database().write(&table, &write)).unwrap();
    }

    fn id(&self) -> TableId {
        self.0.table(TABLE).unwrap().schema().id
    }

    /// The start of the keys of the table in a family.
    fn prefix(&self, tag: u8) -> Vec<u8> {
        [&[tag][..], &self.id().0.to_be_bytes()].concat()
    }

    /// The start of the keys of one of its indexes in a family.
    fn index_prefix(&self, tag: u8, index: u32) -> Vec<u8> {
        [self.prefix(tag), index.to_be_bytes().to_vec()].concat()
    }

    /// The entries whose keys begin so.
    fn entries(&self, prefix: &[u8]) -> Entries {
        let entries = self.0.entries(&KeyRange::prefix(prefix)).into_iter();
        entries.map(|(key, value)| (key, value.to_vec())).collect()
    }

    /// The key and value of the item with this sort key.
    fn item(&self, sort_key: &str) -> (Vec<u8>, Vec<u8>) {
        let wanted = json::value(sort_key).unwrap();
        let mut items = self.entries(&self.prefix(ITEM)).into_iter();
        items.find(|(_, value)| stored::decode(value).unwrap()["sk"] == wanted).unwrap()
    }

    /// Everything in the store but the logs.
    fn dump(&self) -> Dump {
        let counters = self.0.counters().into_iter().filter(|(_, value)| *value != 0);
        (self.entries(&[]), counters.collect())
    }
}

/// Breaks a store, expects exactly these faults, and expects of a repair that it mends those that
/// say so, leaves the others, and touches no item. A store whose faults are all mended is what it
/// was before.
#[track_caller]
fn check(break_it: impl FnOnce(&Fixture, &mut Batch), expected: &Expect) {
    let fixture = Fixture::new();
    let sound = fixture.dump();
    let mut batch = Batch::new();
    break_it(&fixture, &mut batch);
    fixture.0.write_raw(&batch);
    let broken = fixture.dump();
    let (report, changes) = fixture.0.check(CheckMode::ReadOnly);
    expected.assert_eq(&print(&report));
    assert!(changes.is_empty() && fixture.dump() == broken, "a check changes nothing");
    let (found, changes) = fixture.0.check(CheckMode::Repair);
    assert_eq!(found.faults, report.faults, "a repair finds what the check finds");
    let is_left = |fault: &&Fault| !fault.is_repairable;
    let left: Vec<Fault> = report.faults.iter().filter(is_left).cloned().collect();
    assert_eq!(fixture.0.faults(), left, "a repair mends what it says and nothing else");
    let items = |(entries, _): &Dump| -> Entries {
        entries.iter().filter(|(key, _)| key.first() == Some(&ITEM)).cloned().collect()
    };
    assert_eq!(items(&fixture.dump()), items(&broken), "a repair touches no item");
    if left.is_empty() {
        assert!(!changes.is_empty());
        assert_eq!(fixture.dump(), sound, "what follows from the items is as it was");
    }
}

fn print(report: &CheckReport) -> String {
    let line = |fault: &Fault| {
        let key = match &fault.place.key {
            None => String::new(),
            Some(LocationKey::Bytes(bytes)) => format!(" {}", json::print_hex(bytes)),
            Some(LocationKey::Attributes(attributes)) => {
                let print =
                    |(name, value): &(String, Value)| format!("{name}={}", json::print(value));
                format!(" {}", attributes.iter().map(print).collect::<Vec<_>>().join(" "))
            }
        };
        let table = fault.place.table.as_deref().unwrap_or("-");
        let index = fault.place.index.as_ref().map_or(String::new(), |index| format!(".{index}"));
        let left = if fault.is_repairable { "" } else { " (not repairable)" };
        format!("{table}{index}{key}: {:?}{left}\n", fault.problem)
    };
    report.faults.iter().map(line).collect()
}

#[test]
fn what_was_checked_is_counted() {
    let (report, _) = Fixture::new().0.check(CheckMode::ReadOnly);
    assert!(report.is_sound());
    let totals = report.totals;
    assert_eq!((totals.tables, totals.items, totals.streams, totals.stream_records), (1, 3, 1, 3));
    assert_eq!((totals.index_entries, totals.expiry_entries), (4, 2));
    assert_eq!((totals.noted_garbage, totals.leftover_records), (0, 0));
}

#[test]
fn faults_beyond_the_first_thousand_are_counted() {
    let fixture = Fixture::new();
    let mut batch = Batch::new();
    let prefix = fixture.index_prefix(EXPIRY, 0);
    (0..1_100_u16).for_each(|at| batch.put([&prefix[..], &at.to_be_bytes()].concat(), vec![]));
    fixture.0.write_raw(&batch);
    let (report, _) = fixture.0.check(CheckMode::ReadOnly);
    assert_eq!(
        (report.faults.len(), report.more_faults, report.fault_count()),
        (1_000, 100, 1_100)
    );
    let (_, changes) = fixture.0.check(CheckMode::Repair);
    assert_eq!(changes.len(), 1_100, "every change is announced");
    assert_eq!(fixture.0.faults(), []);
}

//! Records of tables, and keys that belong to nothing.

use expect_test::expect;
use monotable_item::{Item, Value, stored};
use monotable_storage::Batch;

use super::{COUNTER, Fixture, INDEX_ENTRY, ITEM, TABLE, check};

const TABLE_RECORD: u8 = 0x01;
const REQUEST_TOKEN: u8 = 0x06;
const GARBAGE: u8 = 0x07;
const SEQUENCE: u8 = 0x08;
const LEASE: u8 = 0x0C;
const FILL: u8 = 0x0D;
/// The number and the version with which a table's record begins.
const STAMP_BYTES: usize = 4 + 8;
/// The number of the table that is gone.
const GONE: [u8; 4] = [0, 0, 0, 2];

fn record(fixture: &Fixture) -> (Vec<u8>, Vec<u8>) {
    fixture.entries(&[TABLE_RECORD]).remove(0)
}

/// The table's record, changed.
fn changed_record(fixture: &Fixture, change: impl FnOnce(&mut Item)) -> Vec<u8> {
    let (_, value) = record(fixture);
    let (stamp, schema) = value.split_at(STAMP_BYTES);
    let mut schema = stored::decode(schema).unwrap();
    change(&mut schema);
    [stamp, &stored::encode(&schema)].concat()
}

fn named(fixture: &Fixture, name: &str) -> Vec<u8> {
    let (key, _) = record(fixture);
    [key.strip_suffix(TABLE.as_bytes()).unwrap(), name.as_bytes()].concat()
}

/// Lets the index `by_state` be filled once more.
pub(super) fn creating(fixture: &Fixture) -> (Vec<u8>, Vec<u8>) {
    let value = changed_record(fixture, |schema| {
        let Some(Value::List(indexes)) = schema.get_mut("indexes") else { panic!("no indexes") };
        let Some(Value::Map(index)) = indexes.first_mut() else { panic!("no index") };
        index.insert("status".to_owned(), "creating".into());
    });
    (record(fixture).0, value)
}

/// The table's record without its stream.
pub(super) fn streamless(fixture: &Fixture) -> (Vec<u8>, Vec<u8>) {
    let value = changed_record(fixture, |schema| drop(schema.remove("stream")));
    (record(fixture).0, value)
}

#[test]
fn a_key_of_no_family() {
    check(
        |_, batch| batch.put(vec![0x7F, 1], vec![]),
        &expect![[r#"
        - 7f01: UnknownFamily { tag: 127, keys: 1 } (not repairable)
    "#]],
    );
}

#[test]
fn keys_too_short_for_their_family() {
    let break_it = |_: &Fixture, batch: &mut Batch| {
        for tag in [TABLE_RECORD, ITEM, INDEX_ENTRY, REQUEST_TOKEN, GARBAGE, LEASE, FILL] {
            batch.put(vec![tag, 0], vec![]);
        }
        batch.put(vec![SEQUENCE, 0], vec![]);
        batch.add(vec![COUNTER, 0], 1);
        batch.add(vec![0x7F], 1);
    };
    check(
        break_it,
        &expect![[r#"
        - 0800: MalformedKey(Sequence) (not repairable)
        - 0100: MalformedKey(Table) (not repairable)
        - 0700: MalformedKey(Garbage) (not repairable)
        - 0200: MalformedKey(Item) (not repairable)
        - 0300: MalformedKey(IndexEntry) (not repairable)
        - 0d00: MalformedKey(Fill) (not repairable)
        - 0600: MalformedKey(RequestToken) (not repairable)
        - 0c00: MalformedKey(Lease) (not repairable)
        - 0400: MalformedKey(Counter) (not repairable)
        - 7f: UnknownFamily { tag: 127, keys: 1 } (not repairable)
    "#]],
    );
}

#[test]
fn a_table_that_cannot_be_read_keeps_its_data() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let (key, value) = record(fixture);
        batch.put(key, value[..STAMP_BYTES].to_vec());
    };
    check(
        break_it,
        &expect![[r#"
        orders: UnreadableRecord { family: Table, reason: CorruptRecord("table") } (not repairable)
    "#]],
    );
}

#[test]
fn a_table_under_another_name() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let (key, value) = record(fixture);
        batch.delete(key);
        batch.put(named(fixture, "other"), value);
    };
    check(
        break_it,
        &expect![[r#"
        other: MisplacedRecord(Table) (not repairable)
    "#]],
    );
}

#[test]
fn two_tables_with_one_number() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let rename = |schema: &mut Item| drop(schema.insert("name".to_owned(), "other".into()));
        batch.put(named(fixture, "other"), changed_record(fixture, rename));
    };
    check(
        break_it,
        &expect![[r#"
        other: TableNumberTaken { number: 1, other: "orders" } (not repairable)
    "#]],
    );
}

#[test]
fn a_number_that_was_not_given_out() {
    check(
        |_, batch| batch.put(vec![SEQUENCE], vec![0, 0, 0, 1]),
        &expect![[r#"
        orders: TableNumberAhead { number: 1, next: 1 } (not repairable)
    "#]],
    );
    check(
        |_, batch| batch.put(vec![SEQUENCE], vec![0]),
        &expect![[r#"
        - 08: UnreadableRecord { family: Sequence, reason: CorruptRecord("table sequence") } (not repairable)
    "#]],
    );
}

#[test]
fn a_schema_that_cannot_be() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let mut value = changed_record(fixture, |schema| {
            for name in ["next_index", "next_stream", "next_expiry"] {
                schema.insert(name.to_owned(), Value::from(0));
            }
        });
        value[4..STAMP_BYTES].fill(0);
        batch.put(record(fixture).0, value);
    };
    check(
        break_it,
        &expect![[r#"
        orders: BadSchema(Version) (not repairable)
        orders: BadSchema(IndexNumber) (not repairable)
        orders: BadSchema(StreamNumber) (not repairable)
        orders: BadSchema(ExpiryNumber) (not repairable)
    "#]],
    );
}

#[test]
fn entries_of_an_index_that_is_gone() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let prefix = fixture.index_prefix(INDEX_ENTRY, 2);
        batch.put([&prefix[..], b"1"].concat(), b"entry".to_vec());
        batch.put([&prefix[..], b"2"].concat(), b"entry".to_vec());
        batch.add([fixture.index_prefix(COUNTER, 2), vec![0]].concat(), 2);
    };
    check(
        break_it,
        &expect![[r#"
        orders: Orphaned { family: IndexEntry, table: 1, number: Some(2), keys: 2 }
        orders: Orphaned { family: Counter, table: 1, number: Some(2), keys: 1 }
    "#]],
    );
}

#[test]
fn entries_of_a_table_that_is_gone_go_only_if_it_has_no_items() {
    let entry = [&[INDEX_ENTRY][..], &GONE, &[0; 12]].concat();
    check(
        |_, batch| batch.put(entry.clone(), vec![]),
        &expect![[r#"
        -: Orphaned { family: IndexEntry, table: 2, number: Some(0), keys: 1 }
    "#]],
    );
    let break_it = |_: &Fixture, batch: &mut Batch| {
        batch.put(entry.clone(), vec![]);
        batch.put([&[ITEM][..], &GONE, &[0; 12]].concat(), b"item".to_vec());
    };
    check(
        break_it,
        &expect![[r#"
        -: Orphaned { family: Item, table: 2, number: None, keys: 1 } (not repairable)
        -: Orphaned { family: IndexEntry, table: 2, number: Some(0), keys: 1 } (not repairable)
    "#]],
    );
}

#[test]
fn data_that_is_noted_as_garbage_is_no_fault() {
    let fixture = Fixture::new();
    let mut batch = Batch::new();
    batch.put([&[ITEM][..], &GONE, &[0; 12]].concat(), b"item".to_vec());
    batch.put([&[GARBAGE][..], &GONE, &[0xFF; 4]].concat(), vec![]);
    fixture.0.write_raw(&batch);
    assert_eq!(fixture.0.faults(), []);
}

#[test]
fn a_table_in_use_that_is_noted_as_garbage() {
    let note = |fixture: &Fixture| [fixture.prefix(GARBAGE), vec![0xFF; 4]].concat();
    check(
        |fixture, batch| batch.put(note(fixture), vec![]),
        &expect![[r#"
        - 0700000001ffffffff: GarbageInUse
    "#]],
    );
}

#[test]
fn tokens_and_leases_that_cannot_be_read() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let mut token = named(fixture, "token");
        token[0] = REQUEST_TOKEN;
        batch.put(token, b"?".to_vec());
        batch.put(vec![LEASE, 1], b"?".to_vec());
    };
    check(
        break_it,
        &expect![[r#"
        - 063030303030303030303030300075732d656173742d3100746f6b656e: UnreadableRecord { family: RequestToken, reason: CorruptRecord("request token") } (not repairable)
        - 0c01: UnreadableRecord { family: Lease, reason: CorruptRecord("lease") } (not repairable)
    "#]],
    );
}

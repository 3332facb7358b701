//! Streams whose shards or records are not as they should be.

use expect_test::expect;
use monotable_database::Home;
use monotable_item::{Item, Value, stored};
use monotable_storage::Batch;

use super::catalogue::streamless;
use super::{Fixture, check};

const STREAM: u8 = 0x09;
const STREAM_RECORD: u8 = 0x0A;

/// The stream's record, changed.
fn changed_stream(fixture: &Fixture, change: impl FnOnce(&mut Item)) -> (Vec<u8>, Vec<u8>) {
    let (key, value) = fixture.entries(&[STREAM]).remove(0);
    let mut stream = stored::decode(&value).unwrap();
    change(&mut stream);
    (key, stored::encode(&stream))
}

/// The stream's record with one shard changed.
fn changed_shard(
    fixture: &Fixture,
    at: usize,
    change: impl FnOnce(&mut Item),
) -> (Vec<u8>, Vec<u8>) {
    changed_stream(fixture, |stream| {
        let Some(Value::List(shards)) = stream.get_mut("shards") else { panic!("no shards") };
        let Some(Value::Map(shard)) = shards.get_mut(at) else { panic!("no shard") };
        change(shard);
    })
}

fn set(name: &'static str, value: i64) -> impl FnOnce(&mut Item) {
    move |record| drop(record.insert(name.to_owned(), Value::from(value)))
}

/// The log of a lane.
fn log(fixture: &Fixture, lane: u32) -> Vec<u8> {
    [fixture.index_prefix(STREAM_RECORD, 0), lane.to_be_bytes().to_vec()].concat()
}

/// A closed shard with records: its place in the list, its lane and its last position.
fn closed_shard(fixture: &Fixture) -> (usize, u32, u64) {
    let streams = fixture.0.run(fixture.0.database().streams(&Home::default())).unwrap();
    let shards = streams[0].shards.iter().enumerate();
    let mut closed = shards.filter(|(_, shard)| shard.last_position >= Some(shard.first_position));
    let (at, shard) = closed.next().unwrap();
    (at, shard.lane, shard.last_position.unwrap())
}

#[test]
fn a_stream_that_cannot_be_read_is_missing() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        batch.put(fixture.entries(&[STREAM]).remove(0).0, b"?".to_vec());
    };
    check(
        break_it,
        &expect![[r#"
        - 093030303030303030303030300075732d656173742d31006f7264657273000000018bcfe56800: UnreadableRecord { family: Stream, reason: CorruptRecord("stream") } (not repairable)
        orders: StreamMissing (not repairable)
    "#]],
    );
}

#[test]
fn a_stream_that_no_table_writes_to() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let (key, value) = streamless(fixture);
        batch.put(key, value);
    };
    check(
        break_it,
        &expect![[r#"
        orders: StreamNotWritten (not repairable)
    "#]],
    );
}

#[test]
fn a_stream_that_disagrees_with_its_table() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let view = |stream: &mut Item| drop(stream.insert("view".to_owned(), "keys".into()));
        let (key, value) = changed_stream(fixture, view);
        batch.put(key, value);
    };
    check(
        break_it,
        &expect![[r#"
        orders: StreamDisagrees (not repairable)
    "#]],
    );
}

#[test]
fn a_stream_under_another_name() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let (mut key, value) = fixture.entries(&[STREAM]).remove(0);
        batch.delete(key.clone());
        *key.last_mut().unwrap() ^= 1;
        batch.put(key, value);
    };
    check(
        break_it,
        &expect![[r#"
        orders: MisplacedRecord(Stream) (not repairable)
    "#]],
    );
}

#[test]
fn shards_that_cannot_be() {
    for (change, expected) in [
        (
            ("id", 99),
            expect![[r#"
            orders: Shard { shard: 99, flaw: Number } (not repairable)
            orders: Shard { shard: 99, flaw: Beginning } (not repairable)
            orders: Shard { shard: 2, flaw: Number } (not repairable)
        "#]],
        ),
        (
            ("first_position", 1_000),
            expect![[r#"
            orders: Shard { shard: 1, flaw: Bounds } (not repairable)
        "#]],
        ),
        (
            ("trimmed_position", 1_000),
            expect![[r#"
            orders: Shard { shard: 1, flaw: Bounds } (not repairable)
            orders: StreamRecord { lane: 1, position: 1, flaw: Trimmed } (not repairable)
            orders: StreamRecord { lane: 1, position: 2, flaw: Trimmed } (not repairable)
        "#]],
        ),
        (
            ("last_position", 0),
            expect![[r#"
            orders: Shard { shard: 5, flaw: Beginning } (not repairable)
            orders: StreamRecord { lane: 1, position: 1, flaw: InNoShard } (not repairable)
            orders: StreamRecord { lane: 1, position: 2, flaw: InNoShard } (not repairable)
        "#]],
        ),
    ] {
        let break_it = |fixture: &Fixture, batch: &mut Batch| {
            let (at, ..) = closed_shard(fixture);
            let (key, value) = changed_shard(fixture, at, set(change.0, change.1));
            batch.put(key, value);
        };
        check(break_it, &expected);
    }
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let unclose = |shard: &mut Item| drop(shard.remove("closed_millis"));
        let (key, value) = changed_shard(fixture, closed_shard(fixture).0, unclose);
        batch.put(key, value);
    };
    check(
        break_it,
        &expect![[r#"
        orders: StreamDisagrees (not repairable)
        orders: Shard { shard: 1, flaw: Closing } (not repairable)
    "#]],
    );
}

#[test]
fn a_closed_shard_without_its_last_record() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let (_, lane, last) = closed_shard(fixture);
        batch.trim(log(fixture, lane), last);
    };
    check(
        break_it,
        &expect![[r#"
        orders: Shard { shard: 1, flaw: LastRecordMissing } (not repairable)
    "#]],
    );
}

#[test]
fn a_record_that_was_trimmed() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let (at, _, last) = closed_shard(fixture);
        let trimmed = set("trimmed_position", i64::try_from(last).unwrap());
        let (key, value) = changed_shard(fixture, at, trimmed);
        batch.put(key, value);
    };
    check(
        break_it,
        &expect![[r#"
        orders: StreamRecord { lane: 1, position: 1, flaw: Trimmed } (not repairable)
        orders: StreamRecord { lane: 1, position: 2, flaw: Trimmed } (not repairable)
    "#]],
    );
}

#[test]
fn a_record_that_cannot_be_read() {
    check(
        |fixture, batch| batch.append(log(fixture, 3), b"?".to_vec()),
        &expect![[r#"
        orders: StreamRecord { lane: 3, position: 4, flaw: Unreadable(CorruptRecord("stream record")) } (not repairable)
    "#]],
    );
}

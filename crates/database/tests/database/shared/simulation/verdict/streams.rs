//! Streams say what happened: each change once, the changes of an item in order, and the shards of
//! a lane follow each other without a gap.

use std::collections::BTreeMap;

use bytes::Bytes;
use monotable_database::Home;
use monotable_database::stream::{Cause, StreamSchema};
use monotable_item::stored;
use monotable_storage::Engine;

use super::super::server::Server;
use super::replay::{Replay, number};

/// What happened to each item, by its key.
type Changes = BTreeMap<(i64, i64), Vec<(Option<Bytes>, Option<Bytes>)>>;

pub(super) fn check<E: Engine>(replay: &Replay, server: &Server<E>) {
    let mut expected: BTreeMap<(u32, i64), Changes> = BTreeMap::new();
    for transition in &replay.transitions {
        if let Some(stream) = transition.stream {
            let changes = expected.entry((transition.table, stream)).or_default();
            let change = (transition.old.clone(), transition.new.clone());
            changes.entry(key(&transition.item())).or_default().push(change);
        }
    }
    let database = server.database().expect("the database is open");
    for stream in server.run(database.streams(&Home::default())).unwrap() {
        check_shards(&stream);
        let found = changes_of(server, &stream);
        let name = (stream.table.0, i64::from(stream.id.0));
        let expected = expected.remove(&name).unwrap_or_default();
        assert_eq!(found, expected, "stream {name:?}");
    }
    let missing: Vec<_> = expected.keys().collect();
    assert!(missing.is_empty(), "no streams: {missing:?}");
}

fn key(item: &monotable_item::Item) -> (i64, i64) {
    (number(item, "pk").unwrap(), number(item, "sk").unwrap())
}

fn changes_of<E: Engine>(server: &Server<E>, stream: &StreamSchema) -> Changes {
    let database = server.database().expect("the database is open");
    let mut changes = Changes::new();
    for shard in &stream.shards {
        let page = server.run(database.records(stream, shard, 0, usize::MAX)).unwrap();
        let mut last = shard.first_position - 1;
        for found in page.records {
            let record = found.record;
            assert!(found.position > last, "position {} after {last}", found.position);
            last = found.position;
            assert!(shard.last_position.is_none_or(|end| last <= end), "behind the end");
            if record.cause == Cause::TimeToLive {
                assert_eq!(record.new, None);
            }
            let item = key(&stored::decode(&record.keys).unwrap());
            changes.entry(item).or_default().push((record.old, record.new));
        }
    }
    changes
}

fn check_shards(stream: &StreamSchema) {
    let open = stream.shards.iter().filter(|shard| shard.closed_millis.is_none()).count();
    assert_eq!(open > 0, stream.disabled_millis.is_none(), "{stream:?}");
    for shard in &stream.shards {
        assert_eq!(shard.closed_millis.is_some(), shard.last_position.is_some(), "{shard:?}");
        if let Some(parent) = shard.parent {
            let parent = stream.shard(parent).expect("parents are kept for a day");
            assert_eq!(parent.lane, shard.lane);
            assert_eq!(parent.last_position.map(|last| last + 1), Some(shard.first_position));
        }
    }
}

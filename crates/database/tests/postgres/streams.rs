//! Streams that all servers write to, while shards close and new ones open.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use monotable_database::Home;
use monotable_database::stream::Cause;

use crate::fleet::{Fleet, Server, Stream, create, on_each, run, update};

const ITEMS: usize = 4;
const WRITES: usize = 60;

/// A change of an item, as a stream has it.
pub(crate) struct Change {
    pub(crate) old: Option<Bytes>,
    pub(crate) new: Option<Bytes>,
    pub(crate) cause: Cause,
}

/// The changes of each item in the order of the stream, as a server reads them: shards after their
/// parents.
pub(crate) async fn changes(server: &Server) -> BTreeMap<Bytes, Vec<Change>> {
    let streams = server.streams(&Home::default()).await.expect("the store can be read");
    let mut changes: BTreeMap<Bytes, Vec<Change>> = BTreeMap::new();
    for stream in streams {
        for shard in &stream.shards {
            let page = server.records(&stream, shard, 0, usize::MAX).await;
            for found in page.expect("records read").records {
                let record = found.record;
                let change = Change { old: record.old, new: record.new, cause: record.cause };
                changes.entry(record.keys).or_default().push(change);
            }
        }
    }
    changes
}

#[test]
fn every_change_is_in_the_stream_once_and_in_order_though_shards_close_meanwhile() {
    run(|fleet| async move {
        create(fleet.server(0), "t", Stream::Whole, &[]).await;
        let is_over = Arc::new(AtomicBool::new(false));
        let rotation = tokio::spawn(rotate_until(fleet.clone(), is_over.clone()));
        let writing = fleet.clone();
        on_each(move |number| {
            let fleet = writing.clone();
            async move {
                for at in 0..WRITES {
                    let key = format!("{{\"pk\": {}}}", at % ITEMS);
                    assert!(update(fleet.server(number), "t", &key, "ADD n `1`").await);
                }
            }
        })
        .await;
        is_over.store(true, Ordering::Release);
        rotation.await.expect("the rotation ends well");
        for server in &fleet.servers {
            let changes = changes(server).await;
            assert_eq!(changes.len(), ITEMS);
            for changes in changes.values() {
                assert_eq!(changes.len(), WRITES * fleet.servers.len() / ITEMS);
                let mut before: Option<&Bytes> = None;
                for change in changes {
                    assert_eq!(change.old.as_ref(), before, "a change follows the one before it");
                    before = change.new.as_ref();
                }
            }
        }
        let streams = fleet.server(0).streams(&Home::default()).await.expect("streams read");
        assert!(streams[0].shards.len() > 2, "shards were closed meanwhile");
    });
}

/// Lets every server do what is due, again and again, while time passes.
async fn rotate_until(fleet: Fleet, is_over: Arc<AtomicBool>) {
    while !is_over.load(Ordering::Acquire) {
        fleet.clock.advance(Duration::from_secs(2));
        for server in &fleet.servers {
            server.catch_up().await.expect("what is due is done");
        }
    }
}

#[test]
fn records_that_are_too_old_go_on_all_servers() {
    run(|fleet| async move {
        create(fleet.server(0), "t", Stream::Whole, &[]).await;
        for number in 0..3 {
            assert!(update(fleet.server(number), "t", "{\"pk\": 1}", "ADD n `1`").await);
        }
        assert_eq!(changes(fleet.server(1)).await.values().map(Vec::len).sum::<usize>(), 3);
        fleet.clock.advance(Duration::from_secs(25 * 60 * 60));
        while !changes(fleet.server(2)).await.is_empty() {
            for server in &fleet.servers {
                server.catch_up().await.expect("what is due is done");
            }
        }
        assert!(changes(fleet.server(0)).await.is_empty());
    });
}

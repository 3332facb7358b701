//! The common test-suite on both kinds of durability, and what only this engine can show:
//! failures of the disk, callers that go away while the disk works, and reopening.

mod disk_reserve;
mod statistics;

use std::fs::File;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use monotable_storage::{Batch, Direction, ErrorKind, KeyRange, Snapshot, Wants, testing};

use super::*;

fn options(durability: Durability) -> Options {
    Options { durability, ..Options::default() }
}

fn open(durability: Durability) -> (LocalEngine, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    (LocalEngine::open(directory.path(), &options(durability)).unwrap(), directory)
}

mod synced {
    use super::*;
    monotable_storage::engine_tests!(|| open(Durability::Sync));
}

mod synced_at_intervals {
    use super::*;
    monotable_storage::engine_tests!(|| open(Durability::Interval(Duration::from_millis(5))));
}

/// Memtables so small that nearly every commit fills one.
mod written_out_all_the_time {
    use super::*;

    fn open_small() -> (LocalEngine, tempfile::TempDir) {
        let directory = tempfile::tempdir().unwrap();
        (LocalEngine::open(directory.path(), &small_memtables()).unwrap(), directory)
    }

    monotable_storage::engine_tests!(open_small);
}

fn small_memtables() -> Options {
    Options { memtable_bytes: 2_000, ..Options::default() }
}

/// A disk that can be made to fail, or to wait.
struct FaultyDisk {
    faults: Arc<Faults>,
}

#[derive(Default)]
struct Faults {
    fail_writes: AtomicBool,
    fail_syncs: AtomicBool,
    is_full: AtomicBool,
    /// The bytes that are taken of a disk of a megabyte.
    taken_bytes: AtomicU64,
    blocked: Mutex<bool>,
    unblocked: Condvar,
}

impl Faults {
    fn set_blocked(&self, blocked: bool) {
        *self.blocked.lock().unwrap() = blocked;
        self.unblocked.notify_all();
    }

    fn set_full(&self, is_full: bool) {
        self.is_full.store(is_full, Ordering::Relaxed);
    }

    fn check_room(&self) -> std::io::Result<()> {
        if self.is_full.load(Ordering::Relaxed) {
            Err(std::io::ErrorKind::StorageFull.into())
        } else {
            Ok(())
        }
    }
}

impl Disk for FaultyDisk {
    fn free_bytes(&self, _: &Path) -> std::io::Result<u64> {
        Ok((1 << 20) - self.faults.taken_bytes.load(Ordering::Relaxed))
    }

    fn create(&self, path: &Path) -> std::io::Result<File> {
        self.faults.check_room()?;
        LocalDisk.create(path)
    }

    fn write(&self, file: &File, bytes: &[u8], offset: u64) -> std::io::Result<()> {
        self.faults.check_room()?;
        let blocked = self.faults.blocked.lock().unwrap();
        drop(self.faults.unblocked.wait_while(blocked, |blocked| *blocked).unwrap());
        if self.faults.fail_writes.load(Ordering::Relaxed) {
            return Err(std::io::Error::other("disk on fire"));
        }
        LocalDisk.write(file, bytes, offset)
    }

    fn sync(&self, file: &File) -> std::io::Result<()> {
        if self.faults.fail_syncs.load(Ordering::Relaxed) {
            return Err(std::io::Error::other("disk on fire"));
        }
        LocalDisk.sync(file)
    }
}

fn open_faulty(durability: Durability) -> (LocalEngine, Arc<Faults>, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let faults = Arc::<Faults>::default();
    let engine = open_on(&faults, directory.path(), &options(durability));
    (engine, faults, directory)
}

fn open_on(faults: &Arc<Faults>, directory: &Path, options: &Options) -> LocalEngine {
    let disk = Arc::new(FaultyDisk { faults: faults.clone() });
    LocalEngine::open_with(directory, options, disk).unwrap()
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn poll_once<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

async fn put(engine: &LocalEngine, key: &str, value: &str) -> Result<()> {
    let mut batch = Batch::new();
    batch.put(key.into(), value.to_owned());
    testing::commit(engine, &batch).await
}

async fn get(engine: &LocalEngine, key: &str) -> Result<Option<Bytes>> {
    engine.snapshot().await?.get(key.as_bytes()).await
}

/// Appends a letter to the value at `key`, and answers what was there before.
async fn push(engine: &LocalEngine, key: &str, letter: char) -> Result<String> {
    let keys = [key.as_bytes().to_vec()];
    let decide = |reads: &Reads| {
        let before = reads.get(0).map_or("", |value| std::str::from_utf8(value).unwrap());
        let mut batch = Batch::new();
        batch.put(key.into(), format!("{before}{letter}"));
        Decision::Commit(batch, before.to_owned())
    };
    engine.transact(Wants::locked(&keys), decide).await
}

#[test]
fn after_a_failed_write_all_writes_are_refused_and_reads_go_on_until_reopened() {
    let (engine, faults, directory) = open_faulty(Durability::Sync);
    block_on(async {
        put(&engine, "a", "1").await.unwrap();
        faults.fail_writes.store(true, Ordering::Relaxed);
        assert_eq!(put(&engine, "a", "2").await.unwrap_err().kind(), ErrorKind::Poisoned);
        faults.fail_writes.store(false, Ordering::Relaxed);
        assert_eq!(put(&engine, "b", "2").await.unwrap_err().kind(), ErrorKind::Poisoned);
        assert_eq!(engine.health(), Health::Poisoned);
        assert_eq!(get(&engine, "a").await.unwrap().as_deref(), Some(&b"1"[..]));
        assert_eq!(get(&engine, "b").await.unwrap(), None);
        assert_eq!(engine.close().await.unwrap_err().kind(), ErrorKind::Poisoned);
        drop(engine);
        let engine = LocalEngine::open(directory.path(), &Options::default()).unwrap();
        put(&engine, "b", "3").await.unwrap();
        assert_eq!(get(&engine, "a").await.unwrap().as_deref(), Some(&b"1"[..]));
    });
}

#[test]
fn a_full_disk_refuses_writes_until_there_is_room() {
    let (engine, faults, directory) = open_faulty(Durability::Sync);
    block_on(async {
        put(&engine, "a", "1").await.unwrap();
        faults.set_full(true);
        for _ in 0..3 {
            let refused = put(&engine, "a", "2").await.unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Unavailable);
        }
        assert_eq!(engine.health(), Health::Full);
        assert_eq!(get(&engine, "a").await.unwrap().as_deref(), Some(&b"1"[..]));
        faults.set_full(false);
        put(&engine, "b", "3").await.unwrap();
        assert_eq!(engine.health(), Health::Writable);
        engine.close().await.unwrap();
        drop(engine);
        let engine = LocalEngine::open(directory.path(), &Options::default()).unwrap();
        assert_eq!(get(&engine, "a").await.unwrap().as_deref(), Some(&b"1"[..]));
        assert_eq!(get(&engine, "b").await.unwrap().as_deref(), Some(&b"3"[..]));
    });
}

#[test]
fn a_full_disk_says_that_it_has_room_again_though_nobody_writes() {
    let (engine, faults, _directory) = open_faulty(Durability::Sync);
    block_on(async {
        faults.set_full(true);
        put(&engine, "a", "1").await.unwrap_err();
        faults.set_full(false);
        while engine.health() == Health::Full {
            tokio::task::yield_now().await;
        }
        assert_eq!(engine.health(), Health::Writable);
    });
}

#[test]
fn a_store_on_a_full_disk_opens_and_is_read() {
    let (engine, faults, directory) = open_faulty(Durability::Sync);
    block_on(put(&engine, "a", "1")).unwrap();
    drop(engine);
    faults.set_full(true);
    let engine = open_on(&faults, directory.path(), &Options::default());
    block_on(async {
        assert_eq!(engine.health(), Health::Full);
        assert_eq!(get(&engine, "a").await.unwrap().as_deref(), Some(&b"1"[..]));
        let refused = put(&engine, "a", "2").await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Unavailable);
        faults.set_full(false);
        put(&engine, "a", "3").await.unwrap();
        assert_eq!(get(&engine, "a").await.unwrap().as_deref(), Some(&b"3"[..]));
        engine.close().await.unwrap();
    });
}

#[test]
fn memtables_without_room_for_a_segment_are_written_out_later() {
    let (faults, directory) = (Arc::<Faults>::default(), tempfile::tempdir().unwrap());
    let engine = open_on(&faults, directory.path(), &small_memtables());
    let mut answered = Vec::new();
    block_on(async {
        for round in 0..20 {
            faults.set_full(round % 3 == 1);
            for number in 0..5 {
                let (key, value) = (format!("key {round} {number}"), "x".repeat(700));
                let is_there = put(&engine, &key, &value).await.is_ok();
                assert_eq!(get(&engine, &key).await.unwrap().is_some(), is_there);
                answered.extend(is_there.then_some(key));
            }
        }
        faults.set_full(false);
        // What memory has no place for is refused until the disk was tried again.
        while put(&engine, "last", "1").await.is_err() {
            std::thread::yield_now();
        }
        engine.close().await.unwrap();
    });
    drop(engine);
    assert!(answered.len() >= 10, "{answered:?}");
    let engine = LocalEngine::open(directory.path(), &small_memtables()).unwrap();
    for key in answered.iter().map(String::as_str).chain(["last"]) {
        assert!(block_on(get(&engine, key)).unwrap().is_some(), "{key}");
    }
}

#[test]
fn after_a_failed_background_sync_writes_are_refused() {
    let (engine, faults, _directory) = open_faulty(Durability::Interval(Duration::ZERO));
    faults.fail_syncs.store(true, Ordering::Relaxed);
    let refused = block_on(async {
        loop {
            if let Err(error) = put(&engine, "a", "1").await {
                return error;
            }
        }
    });
    assert_eq!(refused.kind(), ErrorKind::Poisoned);
}

#[test]
fn a_closing_sync_that_fails_is_reported() {
    let (engine, faults, _directory) = open_faulty(Durability::Sync);
    faults.fail_syncs.store(true, Ordering::Relaxed);
    assert_eq!(block_on(engine.close()).unwrap_err().kind(), ErrorKind::Poisoned);
}

#[test]
fn keys_stay_locked_when_the_caller_goes_away_while_its_batch_is_written() {
    let (engine, faults, _directory) = open_faulty(Durability::Sync);
    faults.set_blocked(true);
    {
        let mut first = pin!(push(&engine, "k", 'a'));
        assert!(poll_once(first.as_mut()).is_pending());
    }
    let mut second = pin!(push(&engine, "k", 'b'));
    assert!(poll_once(second.as_mut()).is_pending());
    faults.set_blocked(false);
    assert_eq!(block_on(second).unwrap(), "a");
    assert_eq!(block_on(get(&engine, "k")).unwrap().as_deref(), Some(&b"ab"[..]));
}

#[test]
fn a_write_is_not_seen_before_it_is_durable() {
    let (engine, faults, _directory) = open_faulty(Durability::Sync);
    faults.set_blocked(true);
    let mut write = pin!(put(&engine, "a", "1"));
    assert!(poll_once(write.as_mut()).is_pending());
    assert_eq!(block_on(get(&engine, "a")).unwrap(), None);
    faults.set_blocked(false);
    block_on(write).unwrap();
    assert!(block_on(get(&engine, "a")).unwrap().is_some());
}

#[test]
fn closing_finishes_what_is_queued() {
    let (engine, faults, directory) = open_faulty(Durability::Sync);
    faults.set_blocked(true);
    let mut writes: Vec<_> = ["a", "b", "c"].map(|key| Box::pin(put(&engine, key, "1"))).into();
    for write in &mut writes {
        assert!(poll_once(write.as_mut()).is_pending());
    }
    let mut close = Box::pin(engine.close());
    assert!(poll_once(close.as_mut()).is_pending());
    assert_eq!(block_on(put(&engine, "d", "1")).unwrap_err().kind(), ErrorKind::Closed);
    faults.set_blocked(false);
    block_on(close).unwrap();
    for write in writes {
        block_on(write).unwrap();
    }
    let engine = LocalEngine::open(directory.path(), &Options::default()).unwrap();
    let snapshot = block_on(engine.snapshot()).unwrap();
    let (all, direction) = (KeyRange::all(), Direction::Forward);
    let entries = block_on(testing::entries(&snapshot, &all, direction)).unwrap();
    assert_eq!(entries.len(), 3);
}

#[test]
fn a_queue_without_room_makes_writers_wait() {
    let (engine, faults, _directory) = open_faulty(Durability::Sync);
    faults.set_blocked(true);
    let large = "x".repeat(9 << 20);
    let mut first = pin!(put(&engine, "a", &large));
    assert!(poll_once(first.as_mut()).is_pending());
    let mut second = pin!(put(&engine, "b", &large));
    assert!(poll_once(second.as_mut()).is_pending());
    faults.set_blocked(false);
    block_on(async {
        first.await.unwrap();
        second.await.unwrap();
        put(&engine, "c", &"x".repeat(17 << 20)).await.unwrap();
    });
}

#[test]
fn values_positions_and_counters_outlive_a_close_and_a_drop() {
    let directory = tempfile::tempdir().unwrap();
    block_on(async {
        for round in 1..=4_u64 {
            let engine = LocalEngine::open(directory.path(), &Options::default()).unwrap();
            let mut batch = Batch::new();
            batch.append(b"log".to_vec(), "entry");
            batch.add(b"count".to_vec(), 10);
            testing::commit(&engine, &batch).await.unwrap();
            let snapshot = engine.snapshot().await.unwrap();
            let count = snapshot.counter(b"count").await.unwrap();
            assert_eq!(count, i64::try_from(round).unwrap() * 10);
            let log = testing::log_entries(&snapshot, b"log", Direction::Forward, usize::MAX);
            assert_eq!(log.await.unwrap().len() as u64, round);
            drop(snapshot);
            if round.is_multiple_of(2) {
                engine.close().await.unwrap();
            }
        }
    });
}

#[test]
fn the_directory_is_in_use_until_the_engine_is_closed() {
    let (engine, directory) = open(Durability::Sync);
    let refused = LocalEngine::open(directory.path(), &Options::default()).err().unwrap();
    assert!(matches!(refused, OpenError::InUse { path } if path == directory.path()));
    block_on(engine.close()).unwrap();
    LocalEngine::open(directory.path(), &Options::default()).unwrap();
}

#[test]
fn a_directory_whose_tree_or_journal_is_gone_is_corrupt_and_not_made_anew() {
    for part in ["data", "journal"] {
        let (engine, directory) = open(Durability::Sync);
        block_on(engine.close()).unwrap();
        std::fs::remove_dir_all(directory.path().join(part)).unwrap();
        let refused = LocalEngine::open(directory.path(), &Options::default()).err().unwrap();
        assert!(matches!(refused, OpenError::Corrupt { .. }), "{refused}");
        assert!(!directory.path().join(part).exists());
    }
}

/// The bytes of a value that tells which commit wrote it.
fn numbered(number: u32) -> Vec<u8> {
    number.to_be_bytes().repeat(500)
}

#[test]
fn a_burst_that_outruns_the_merging_goes_on_and_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let engine = LocalEngine::open(directory.path(), &small_memtables()).unwrap();
    block_on(async {
        // Each commit fills a memtable, so that tables come faster than they are merged.
        for number in 0..400 {
            let mut batch = Batch::new();
            batch.put(format!("key {:02}", number % 70).into_bytes(), numbered(number));
            testing::commit(&engine, &batch).await.unwrap();
        }
        engine.close().await.unwrap();
    });
    drop(engine);
    let engine = LocalEngine::open(directory.path(), &small_memtables()).unwrap();
    for number in 330..400 {
        let value = block_on(get(&engine, &format!("key {:02}", number % 70))).unwrap();
        assert_eq!(value.as_deref(), Some(&*numbered(number)));
    }
}

#[test]
fn a_snapshot_sees_its_moment_while_memtables_are_written_out_and_merged() {
    let directory = tempfile::tempdir().unwrap();
    let engine = LocalEngine::open(directory.path(), &small_memtables()).unwrap();
    block_on(async {
        let mut snapshots = Vec::new();
        for number in 0..60 {
            let mut batch = Batch::new();
            batch.put(b"key".to_vec(), numbered(number));
            if number.is_multiple_of(7) {
                batch.delete(b"other".to_vec());
            } else {
                batch.put(b"other".to_vec(), numbered(number));
            }
            testing::commit(&engine, &batch).await.unwrap();
            snapshots.push(engine.snapshot().await.unwrap());
        }
        for (number, snapshot) in (0..).zip(&snapshots) {
            let value = snapshot.get(b"key").await.unwrap();
            assert_eq!(value.as_deref(), Some(&*numbered(number)));
            let other = snapshot.get(b"other").await.unwrap();
            let is_there = !number.is_multiple_of(7);
            assert_eq!(other.as_deref(), is_there.then(|| numbered(number)).as_deref());
        }
    });
}

#[test]
fn opening_often_does_not_make_the_journal_longer_and_longer() {
    let directory = tempfile::tempdir().unwrap();
    for round in 0..40 {
        let engine = LocalEngine::open(directory.path(), &Options::default()).unwrap();
        block_on(put(&engine, &format!("key {round}"), "value")).unwrap();
    }
    let files = std::fs::read_dir(directory.path().join("journal")).unwrap().count();
    assert!(files <= 14, "{files} files");
    let engine = LocalEngine::open(directory.path(), &Options::default()).unwrap();
    for round in 0..40 {
        assert!(block_on(get(&engine, &format!("key {round}"))).unwrap().is_some());
    }
}

#[test]
fn tables_that_overlap_very_many_others_are_merged_all_the_same() {
    const KEYS: u32 = 6_000;
    let directory = tempfile::tempdir().unwrap();
    let options = Options { memtable_bytes: 40_000, ..Options::default() };
    let engine = LocalEngine::open(directory.path(), &options).unwrap();
    // Keys that are written together lie far apart, so that a small table with some of them
    // overlaps very many others.
    let key = |number: u32| format!("key {:05}", number * 2_711 % KEYS).into_bytes();
    let value = |number: u32| number.to_be_bytes().repeat(100);
    block_on(async {
        for first in [0, 0, 1_000, 2_000, 3_000] {
            let mut batch = Batch::new();
            (first..KEYS).for_each(|number| batch.put(key(number), value(number)));
            testing::commit(&engine, &batch).await.unwrap();
        }
        for first in (0..1_500).step_by(5) {
            let mut batch = Batch::new();
            (first..first + 5).for_each(|number| batch.put(key(number), value(number + 1)));
            testing::commit(&engine, &batch).await.unwrap();
        }
        for number in 0..KEYS {
            let found = engine.snapshot().await.unwrap().get(&key(number)).await.unwrap();
            let expected = if number < 1_500 { value(number + 1) } else { value(number) };
            assert_eq!(found.as_deref(), Some(&*expected));
        }
        engine.close().await.unwrap();
    });
}

/// What one walk for the first entry of a range passes over.
async fn passed_for_first(engine: &LocalEngine, direction: Direction) -> (u64, Option<Vec<u8>>) {
    let before = engine.passed_entries();
    let mut first = None;
    let visit = |key: &[u8], _: Bytes| {
        first = Some(key.to_vec());
        std::ops::ControlFlow::Break(())
    };
    let snapshot = engine.snapshot().await.unwrap();
    snapshot.visit(&KeyRange::prefix(b"queue "), direction, 1, visit).await.unwrap();
    (engine.passed_entries() - before, first)
}

fn queue_key(number: u32) -> Vec<u8> {
    format!("queue {number:06}").into_bytes()
}

#[test]
fn a_queue_is_read_at_its_head_without_passing_over_all_that_was_in_it() {
    let (engine, _directory) = open(Durability::Interval(Duration::from_secs(1)));
    block_on(async {
        let mut most = 0;
        for round in 0..200_u32 {
            let mut batch = Batch::new();
            (0..100).for_each(|number| batch.put(queue_key(round * 100 + number), "waiting"));
            testing::commit(&engine, &batch).await.unwrap();
            // All but the last one are worked off.
            let mut batch = Batch::new();
            (0..100).for_each(|number| {
                batch.delete(queue_key((round * 100 + number).saturating_sub(1)))
            });
            testing::commit(&engine, &batch).await.unwrap();
            let (passed, first) = passed_for_first(&engine, Direction::Forward).await;
            assert_eq!(first, Some(queue_key(round * 100 + 99)));
            most = most.max(passed);
        }
        assert!(most <= 250, "{most} entries were passed over");
        let mut batch = Batch::new();
        batch.delete(queue_key(19_999));
        testing::commit(&engine, &batch).await.unwrap();
        for direction in [Direction::Forward, Direction::Backward] {
            passed_for_first(&engine, direction).await;
            let (passed, first) = passed_for_first(&engine, direction).await;
            assert!(first.is_none() && passed <= 50, "{passed} entries were passed over");
        }
        put(&engine, "queue 000007", "late").await.unwrap();
        for direction in [Direction::Forward, Direction::Backward] {
            let (_, first) = passed_for_first(&engine, direction).await;
            assert_eq!(first, Some(queue_key(7)));
        }
    });
}

#[test]
fn what_was_deleted_is_known_before_anybody_walks_over_it() {
    let (engine, _directory) = open(Durability::Interval(Duration::from_secs(1)));
    block_on(async {
        let mut batch = Batch::new();
        (0..10_000).for_each(|number| batch.put(queue_key(number), "waiting"));
        testing::commit(&engine, &batch).await.unwrap();
        // A few at a time, so that no commit alone makes a gap.
        for start in (0..5_000).step_by(10) {
            let mut batch = Batch::new();
            (start..start + 10).for_each(|number| batch.delete(queue_key(number)));
            testing::commit(&engine, &batch).await.unwrap();
        }
        let gap_end = || engine.gaps.beyond(&queue_key(0), u64::MAX, Direction::Forward);
        // The last few may be too few for a note.
        while gap_end().is_none_or(|end| end < queue_key(5_000 - 32)) {
            std::thread::yield_now();
        }
        assert!(gap_end().unwrap() <= queue_key(5_000));
    });
}

#[test]
fn a_range_is_removed_by_one_small_commit_and_its_space_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { memtable_bytes: 100_000, ..Options::default() };
    let engine = LocalEngine::open(directory.path(), &options).unwrap();
    let table_bytes = || -> u64 {
        let tables = std::fs::read_dir(directory.path().join("data/tables")).unwrap();
        tables.map(|table| table.unwrap().metadata().map_or(0, |it| it.len())).sum()
    };
    block_on(async {
        for round in 0..20_u32 {
            let mut batch = Batch::new();
            (0..100).for_each(|number| batch.put(queue_key(round * 100 + number), vec![7; 400]));
            testing::commit(&engine, &batch).await.unwrap();
        }
        put(&engine, "other", "stays").await.unwrap();
        let mut batch = Batch::new();
        batch.delete_range(KeyRange::prefix(b"queue "));
        testing::commit(&engine, &batch).await.unwrap();
        assert_eq!(passed_for_first(&engine, Direction::Forward).await.1, None);
        assert_eq!(get(&engine, "queue 000007").await.unwrap(), None);
        // What is in memory goes with the memtable.
        for number in 0..300 {
            put(&engine, &format!("other {number}"), &"x".repeat(1_000)).await.unwrap();
        }
        while table_bytes() > 700_000 {
            tokio::task::yield_now().await;
        }
        assert_eq!(get(&engine, "other").await.unwrap().as_deref(), Some(&b"stays"[..]));
        engine.close().await.unwrap();
    });
    drop(engine);
    let engine = LocalEngine::open(directory.path(), &options).unwrap();
    assert_eq!(block_on(get(&engine, "queue 000007")).unwrap(), None);
    assert!(block_on(get(&engine, "other")).unwrap().is_some());
}

//! Room that is left free. The disk has a megabyte, of which the tests take as much as they like.

use super::*;

const RESERVE_BYTES: u64 = 100_000;

fn open_with_reserve() -> (LocalEngine, Arc<Faults>, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let faults = Arc::<Faults>::default();
    let options = Options { disk_reserve_bytes: RESERVE_BYTES, ..Options::default() };
    let engine = open_on(&faults, directory.path(), &options);
    (engine, faults, directory)
}

fn leave_free(faults: &Faults, bytes: u64) {
    faults.taken_bytes.store((1 << 20) - bytes, Ordering::Relaxed);
}

fn kind(result: Result<()>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind())
}

/// Writes until the operating system is asked for the room again, whenever that is.
async fn fill(engine: &LocalEngine) -> Option<ErrorKind> {
    let value = "x".repeat(1_000);
    for number in 0..100 {
        if let Err(error) = put(engine, &format!("filler {number}"), &value).await {
            return Some(error.kind());
        }
    }
    None
}

#[test]
fn writes_and_deletions_are_refused_before_the_disk_is_full_and_reads_go_on() {
    let (engine, faults, _directory) = open_with_reserve();
    block_on(async {
        put(&engine, "a", "1").await.unwrap();
        leave_free(&faults, RESERVE_BYTES - 1);
        assert_eq!(fill(&engine).await, Some(ErrorKind::Unavailable));
        assert_eq!(engine.health(), Health::Reserved);
        let mut deletion = Batch::new();
        deletion.delete("a".into());
        let refused = testing::commit(&engine, &deletion).await;
        assert_eq!(kind(refused), Some(ErrorKind::Unavailable));
        assert_eq!(get(&engine, "a").await.unwrap().as_deref(), Some(&b"1"[..]));
    });
}

#[test]
fn a_write_is_taken_again_once_there_is_room_and_a_little_more() {
    let (engine, faults, _directory) = open_with_reserve();
    block_on(async {
        leave_free(&faults, RESERVE_BYTES - 1);
        assert_eq!(fill(&engine).await, Some(ErrorKind::Unavailable));
        leave_free(&faults, RESERVE_BYTES + 2_000);
        assert_eq!(kind(put(&engine, "a", "1").await), Some(ErrorKind::Unavailable));
        leave_free(&faults, 2 * RESERVE_BYTES);
        put(&engine, "a", "1").await.unwrap();
        assert_eq!(engine.health(), Health::Writable);
    });
}

#[test]
fn a_store_that_nobody_writes_to_finds_the_room_by_itself() {
    let (engine, faults, _directory) = open_with_reserve();
    block_on(async {
        leave_free(&faults, 0);
        assert_eq!(fill(&engine).await, Some(ErrorKind::Unavailable));
        leave_free(&faults, 1 << 20);
        while engine.health() != Health::Writable {
            tokio::task::yield_now().await;
        }
    });
}

#[test]
fn a_store_without_a_reserve_writes_to_the_last_byte() {
    let (engine, faults, _directory) = open_faulty(Durability::Sync);
    leave_free(&faults, 0);
    assert_eq!(block_on(fill(&engine)), None);
    assert_eq!(engine.health(), Health::Writable);
}

#[test]
fn a_store_opens_below_its_reserve_and_is_read() {
    let (engine, faults, directory) = open_with_reserve();
    block_on(async {
        put(&engine, "a", "1").await.unwrap();
        engine.close().await.unwrap();
    });
    drop(engine);
    leave_free(&faults, 0);
    let options = Options { disk_reserve_bytes: RESERVE_BYTES, ..Options::default() };
    let engine = open_on(&faults, directory.path(), &options);
    block_on(async {
        assert_eq!(get(&engine, "a").await.unwrap().as_deref(), Some(&b"1"[..]));
        assert_eq!(kind(put(&engine, "a", "2").await), Some(ErrorKind::Unavailable));
    });
}

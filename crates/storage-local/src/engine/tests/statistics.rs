//! What the engine counts about itself.

use super::*;

#[test]
fn commits_syncs_and_bytes_are_counted() {
    let (engine, _directory) = open(Durability::Sync);
    let before = engine.statistics().unwrap();
    block_on(async {
        for number in 0..10 {
            put(&engine, &format!("key {number}"), &"x".repeat(1_000)).await.unwrap();
        }
    });
    let after = engine.statistics().unwrap();
    assert_eq!(after.group_commits.total() - before.group_commits.total(), 10);
    assert_eq!(after.journal_sync_nanos.total() - before.journal_sync_nanos.total(), 10);
    assert!(after.journal_written_bytes >= before.journal_written_bytes + 10_000);
    assert!(after.memtable_bytes >= before.memtable_bytes + 10_000);
    assert!(after.disk_bytes >= 10_000, "{after:?}");
    assert!(after.disk_free_bytes.is_some_and(|bytes| bytes > 0));
    assert!(after.is_writable);
}

#[test]
fn merges_are_counted_and_leave_no_debt() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { memtable_bytes: 20_000, ..Options::default() };
    let engine = LocalEngine::open(directory.path(), &options).unwrap();
    block_on(async {
        let mut number = 0;
        while engine.statistics().unwrap().merged_bytes == 0 {
            put(&engine, &format!("key {number}"), &"x".repeat(1_000)).await.unwrap();
            number += 1;
        }
        let is_at_rest = |it: &monotable_storage::EngineStatistics| {
            it.merges_running == 0 && it.merge_debt_bytes < 100_000
        };
        while !is_at_rest(&engine.statistics().unwrap()) {
            tokio::task::yield_now().await;
        }
        assert!(engine.statistics().unwrap().table_files > 0);
    });
}

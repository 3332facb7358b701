//! Stores of format 1, made as the versions that had it made them.

use bytes::Bytes;
use monotable_storage::{Batch, Engine, Snapshot, space::log_entry_key, testing};

use super::*;
use crate::{LocalEngine, Options};

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// Makes a store with a part of its entries in tables and a part in its journal only.
fn make_old_store(path: &Path) {
    let database = Database::builder(path.join("tree")).open().unwrap();
    let data = database.keyspace(DATA, KeyspaceCreateOptions::default).unwrap();
    let metadata = database.keyspace(METADATA, KeyspaceCreateOptions::default).unwrap();
    data.insert("in a table", "1").unwrap();
    data.insert("replaced", "old").unwrap();
    data.insert("deleted", "old").unwrap();
    data.rotate_memtable_and_wait().unwrap();
    let mut batch = database.batch();
    batch.insert(&data, "in the journal", "2");
    batch.insert(&data, "replaced", "new");
    batch.remove(&data, "deleted");
    batch.insert(&metadata, LAST_POSITION, 41_u64.to_be_bytes());
    batch.durability(Some(PersistMode::SyncAll)).commit().unwrap();
    fs::write(path.join("FORMAT"), "monotable storage format 1\n").unwrap();
}

fn assert_upgraded(path: &Path) {
    let engine = LocalEngine::open(path, &Options::default()).unwrap();
    block_on(async {
        let mut batch = Batch::new();
        batch.append(b"log".to_vec(), "entry");
        testing::commit(&engine, &batch).await.unwrap();
        let snapshot = engine.snapshot().await.unwrap();
        let expected = [
            ("in a table", Some("1")),
            ("in the journal", Some("2")),
            ("replaced", Some("new")),
            ("deleted", None),
        ];
        for (key, value) in expected {
            let found = snapshot.get(key.as_bytes()).await.unwrap();
            assert_eq!(found, value.map(Bytes::from), "{key}");
        }
        assert!(snapshot.get(&log_entry_key(b"log", 42)).await.unwrap().is_some());
    });
    drop(engine);
    let format = fs::read_to_string(path.join("FORMAT")).unwrap();
    assert_eq!(format, "monotable storage format 2\n");
    assert!(!path.join("tree").exists());
}

#[test]
fn a_store_of_format_1_has_all_its_entries_and_positions() {
    let directory = tempfile::tempdir().unwrap();
    make_old_store(directory.path());
    assert_upgraded(directory.path());
    assert_eq!(LocalEngine::open(directory.path(), &Options::default()).err().map(|_| ()), None);
}

#[test]
fn an_upgrade_that_was_cut_short_goes_on_where_it_was() {
    let moved = tempfile::tempdir().unwrap();
    make_old_store(moved.path());
    let (tree, position) = write_out(&moved.path().join("tree")).unwrap();
    Journal::create(&moved.path().join("journal"), position).unwrap();
    fs::rename(tree, moved.path().join("data")).unwrap();
    assert_upgraded(moved.path());

    let not_moved = tempfile::tempdir().unwrap();
    make_old_store(not_moved.path());
    Journal::create(&not_moved.path().join("journal"), 7).unwrap();
    assert_upgraded(not_moved.path());

    let not_cleared = tempfile::tempdir().unwrap();
    make_old_store(not_cleared.path());
    assert_upgraded(not_cleared.path());
    fs::create_dir(not_cleared.path().join("tree")).unwrap();
    LocalEngine::open(not_cleared.path(), &Options::default()).unwrap();
    assert!(!not_cleared.path().join("tree").exists());
}

#[test]
fn an_old_store_without_its_tree_is_corrupt_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    make_old_store(directory.path());
    fs::remove_file(directory.path().join("tree").join(DATABASE_MARKER)).unwrap();
    let error = LocalEngine::open(directory.path(), &Options::default()).err().unwrap();
    assert!(error.to_string().ends_with("is corrupt: its tree is missing"), "{error}");
    assert!(directory.path().join("tree/keyspaces").exists());
}

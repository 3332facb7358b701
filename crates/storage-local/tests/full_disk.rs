//! A disk that is full, as the operating system says it. It takes a small file system:
//!
//! ```text
//! mount -t tmpfs -o size=32m tmpfs /mnt/small
//! MONOTABLE_SMALL_DISK=/mnt/small cargo test -p monotable-storage-local --test full_disk -- --nocapture
//! ```
//!
//! Without the variable there is nothing to do.

use std::fs;
use std::path::Path;

use monotable_storage::{Batch, Engine, ErrorKind, Snapshot, testing};
use monotable_storage_local::{Health, LocalEngine, Options, verify};

const VALUE_BYTES: usize = 10_000;
const BALLAST_BYTES: usize = 6 << 20;

/// Memtables that are written out long before the disk is full.
fn options() -> Options {
    Options { memtable_bytes: 1 << 20, ..Options::default() }
}

fn value(number: usize) -> Vec<u8> {
    (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes().repeat(VALUE_BYTES / 8)
}

async fn write(engine: &LocalEngine, number: usize) -> Result<(), ErrorKind> {
    let mut batch = Batch::new();
    batch.put(format!("key {number:06}").into_bytes(), value(number));
    testing::commit(engine, &batch).await.map_err(|error| error.kind())
}

/// Writes until a hundred in a row are refused, and notes those that were not.
async fn fill(
    engine: &LocalEngine,
    numbers: &mut std::ops::RangeFrom<usize>,
    written: &mut Vec<usize>,
) {
    let mut refused = 0;
    while refused < 100 {
        let number = numbers.next().unwrap();
        match write(engine, number).await {
            Ok(()) => {
                refused = 0;
                written.push(number);
            }
            Err(kind) => {
                assert_eq!(kind, ErrorKind::Unavailable);
                refused += 1;
            }
        }
    }
}

async fn assert_holds(engine: &LocalEngine, written: &[usize], end: usize) {
    let snapshot = engine.snapshot().await.unwrap();
    for number in 0..end {
        let found = snapshot.get(format!("key {number:06}").as_bytes()).await.unwrap();
        let expected = written.contains(&number).then(|| value(number));
        assert_eq!(found.as_deref(), expected.as_deref(), "{number}");
    }
}

fn fill_up(path: &Path) {
    let mut file = fs::File::create(path).unwrap();
    while std::io::Write::write_all(&mut file, &[1; 4096]).is_ok() {}
}

#[test]
fn a_full_disk_loses_nothing_and_is_written_to_again_when_there_is_room() {
    let Ok(small) = std::env::var("MONOTABLE_SMALL_DISK") else { return };
    let (directory, ballast) = (Path::new(&small).join("store"), Path::new(&small).join("ballast"));
    let reserve = Path::new(&small).join("reserve");
    fs::write(&ballast, vec![1; BALLAST_BYTES]).unwrap();
    fs::write(&reserve, vec![1; BALLAST_BYTES]).unwrap();
    let (mut written, mut numbers) = (Vec::new(), 0..);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let engine = LocalEngine::open(&directory, &options()).unwrap();
        fill(&engine, &mut numbers, &mut written).await;
        println!("full after {} writes, {:?}", written.len(), engine.health());
        assert_eq!(engine.health(), Health::Full);
        assert_holds(&engine, &written, numbers.start).await;
        fs::remove_file(&ballast).unwrap();
        let before = written.len();
        while engine.health() == Health::Full {
            tokio::task::yield_now().await;
        }
        fill(&engine, &mut numbers, &mut written).await;
        println!("with room again: {} more", written.len() - before);
        assert!(written.len() > before + 100);
        engine.close().await.unwrap();
        drop(engine);
        fill_up(&ballast);
        let engine = LocalEngine::open(&directory, &options()).unwrap();
        println!("opened on a full disk: {:?}", engine.health());
        assert_holds(&engine, &written, numbers.start).await;
        engine.close().await.unwrap();
        drop(engine);
        assert_eq!(verify(&directory, |_| ()).unwrap().faults, []);
        let engine = LocalEngine::open(&directory, &options()).unwrap();
        fs::remove_file(&ballast).unwrap();
        fs::remove_file(&reserve).unwrap();
        assert_holds(&engine, &written, numbers.start).await;
        let number = numbers.next().unwrap();
        while write(&engine, number).await.is_err() {}
        engine.close().await.unwrap();
    });
}

//! Flips single bits in the files of a store and opens it: it is refused with a path, or holds
//! exactly what was written, or a read fails and names the file. Never is anything else read, and
//! never does a file go missing.
//!
//! A sample of the bits is flipped; `MONOTABLE_FLIPS=all` flips all bits of the small files and
//! many more of the large ones.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use monotable_storage::{Batch, Direction, Engine, Error, ErrorKind, KeyRange, Snapshot, testing};
use monotable_storage_local::{LocalEngine, OpenError, Options, verify};

type Truth = BTreeMap<Vec<u8>, Vec<u8>>;

/// A store whose files are to be damaged, and what it holds.
struct Sample {
    directory: tempfile::TempDir,
    truth: Truth,
    /// What it may hold as well if a record of the journal is damaged: the last commit was not
    /// synced to its end, for all that can be known.
    truth_without_last: Option<Truth>,
}

/// How a damaged store behaved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Refused,
    ReadError,
    Truth,
    /// Without the last commit before a crash.
    WithoutLast,
}

static PANICS: AtomicUsize = AtomicUsize::new(0);

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// Makes a store with some tables, some commits in the journal, and an end.
fn make(is_closed: bool) -> Sample {
    let first = tempfile::tempdir().unwrap();
    let mut truth = Truth::new();
    let small = Options { memtable_bytes: 12_000, ..Options::default() };
    let engine = LocalEngine::open(first.path(), &small).unwrap();
    commit_range(&engine, &mut truth, 0..160, "in a table");
    block_on(engine.close()).unwrap();
    drop(engine);
    let engine = LocalEngine::open(first.path(), &Options::default()).unwrap();
    commit_range(&engine, &mut truth, 140..190, "in the journal");
    block_on(engine.close()).unwrap();
    drop(engine);
    let engine = LocalEngine::open(first.path(), &Options::default()).unwrap();
    commit_range(&engine, &mut truth, 185..200, "in the last segment");
    let truth_without_last = (!is_closed).then(|| truth.clone());
    commit_range(&engine, &mut truth, 10..11, "in the last record");
    if is_closed {
        block_on(engine.close()).unwrap();
        return Sample { directory: first, truth, truth_without_last };
    }
    // What a process that is killed at this moment leaves.
    let directory = tempfile::tempdir().unwrap();
    copy(first.path(), directory.path());
    Sample { directory, truth, truth_without_last }
}

fn commit_range(
    engine: &LocalEngine,
    truth: &mut Truth,
    numbers: std::ops::Range<u32>,
    place: &str,
) {
    for number in numbers {
        let mut batch = Batch::new();
        let key = format!("key {number:03}").into_bytes();
        let value = format!("{number} {place} ").repeat(12).into_bytes();
        batch.put(key.clone(), value.clone());
        truth.insert(key, value);
        if number % 9 == 0 {
            let gone = format!("key {:03}", number / 2).into_bytes();
            batch.delete(gone.clone());
            truth.remove(&gone);
        }
        block_on(testing::commit(engine, &batch)).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The content of all files, by their paths below a directory.
fn content(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(next) = directories.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path)
            } else {
                let name = path.strip_prefix(directory).unwrap().to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

/// Reads everything in three ways, which must agree.
fn read_all(engine: &LocalEngine, keys: &Truth) -> Result<Truth, Error> {
    block_on(async {
        let snapshot = engine.snapshot().await?;
        let (mut forward, mut backward, mut single) = (Truth::new(), Truth::new(), Truth::new());
        for (direction, found) in
            [(Direction::Forward, &mut forward), (Direction::Backward, &mut backward)]
        {
            let visit = |key: &[u8], value: bytes::Bytes| {
                found.insert(key.to_vec(), value.to_vec());
                ControlFlow::Continue(())
            };
            snapshot.visit(&KeyRange::all(), direction, usize::MAX, visit).await?;
        }
        for key in keys.keys() {
            if let Some(value) = snapshot.get(key).await? {
                single.insert(key.clone(), value.to_vec());
            }
        }
        assert_eq!(forward, backward);
        assert_eq!(forward, single);
        Ok(forward)
    })
}

/// Opens a damaged copy, and says what came of it.
fn outcome(sample: &Sample, work: &Path, file: &Path) -> Outcome {
    let before = content(work);
    let engine = match LocalEngine::open(work, &Options::default()) {
        Ok(engine) => engine,
        Err(error) => {
            assert!(!matches!(error, OpenError::InUse { .. }));
            assert!(error.to_string().contains(named(work, file).to_str().unwrap()), "{error}");
            assert_eq!(content(work), before, "a refused opening changed something: {error}");
            return Outcome::Refused;
        }
    };
    match read_all(&engine, &sample.truth) {
        Ok(read) if read == sample.truth => {
            assert_keeps_tables(&before, work);
            Outcome::Truth
        }
        Ok(read) => {
            assert_eq!(Some(&read), sample.truth_without_last.as_ref());
            assert!(file.starts_with("journal"));
            Outcome::WithoutLast
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Corrupt);
            let cause = std::error::Error::source(&error).unwrap().to_string();
            let expected = format!("{} is corrupt: ", work.join(file).display());
            assert!(cause.starts_with(&expected), "{cause}");
            assert_keeps_tables(&before, work);
            Outcome::ReadError
        }
    }
}

/// What the message about a damaged file names. Which of two files that contradict each other is
/// damaged cannot be known.
fn named(work: &Path, file: &Path) -> PathBuf {
    match file.parent().and_then(Path::to_str) {
        Some("data/tables") => work.join(file),
        Some("") | None => work.to_owned(),
        Some(directory) => work.join(directory),
    }
}

fn assert_keeps_tables(before: &BTreeMap<PathBuf, Vec<u8>>, work: &Path) {
    for path in before.keys().filter(|path| path.starts_with("data/tables")) {
        assert!(work.join(path).exists(), "{} is gone", path.display());
    }
}

/// The bits of a file that are flipped, as offsets and masks.
fn bits(file: &Path, length: usize, is_all: bool) -> Vec<(usize, u8)> {
    let is_small = length < 2_000;
    let step = match (is_small, is_all, file.starts_with("journal")) {
        (true, true, _) => 1,
        (true, false, _) => 5,
        (false, true, true) => 61,
        (false, true, false) => 31,
        (false, false, true) => 2_903,
        (false, false, false) => 2_003,
    };
    let masks =
        if is_small && is_all { (0..8).collect() } else { vec![file.as_os_str().len() % 8] };
    let mut offsets: Vec<usize> = (0..length).step_by(step).collect();
    if file.starts_with("journal") {
        // Heads of segments, and of the records at the beginning of a block.
        offsets.extend((0..68.min(length)).step_by(if is_all { 1 } else { 13 }));
        let blocks = (4096..length).step_by(if is_all { 4096 } else { 40_960 });
        let every = if is_all { 3 } else { 17 };
        offsets.extend(blocks.flat_map(|block| (block..length.min(block + 60)).step_by(every)));
    } else if !is_small {
        // The index, the filter and what a table says about itself.
        offsets.extend((length.saturating_sub(1_200)..length).step_by(if is_all { 3 } else { 97 }));
    }
    let flip = |offset| masks.iter().map(move |bit: &usize| (offset, 1_u8 << ((bit + offset) % 8)));
    offsets.into_iter().flat_map(flip).collect()
}

fn flip_everywhere(sample: &Sample) -> BTreeMap<(String, Outcome), usize> {
    let is_all = std::env::var("MONOTABLE_FLIPS").is_ok_and(|flips| flips == "all");
    let mut outcomes = BTreeMap::new();
    let work = tempfile::tempdir().unwrap();
    let work = work.path().join("work");
    copy(sample.directory.path(), &work);
    for (file, bytes) in content(sample.directory.path()) {
        for (offset, mask) in bits(&file, bytes.len(), is_all) {
            let mut damaged = bytes.clone();
            damaged[offset] ^= mask;
            fs::write(work.join(&file), damaged).unwrap();
            if file.starts_with("data") {
                let faults = verify(&work, |_| ()).unwrap().faults;
                assert!(!faults.is_empty(), "{} at {offset}", file.display());
            }
            let outcome = outcome(sample, &work, &file);
            let kind = file.parent().unwrap().join(if file.starts_with("data/tables") {
                "table"
            } else {
                file.extension().map_or(file.file_name(), Some).unwrap().to_str().unwrap()
            });
            *outcomes.entry((kind.display().to_string(), outcome)).or_default() += 1;
            match outcome {
                // Nothing was changed.
                Outcome::Refused => fs::write(work.join(&file), &bytes).unwrap(),
                Outcome::ReadError | Outcome::Truth | Outcome::WithoutLast => {
                    fs::remove_dir_all(&work).unwrap();
                    copy(sample.directory.path(), &work);
                }
            }
        }
    }
    outcomes
}

fn count(outcomes: &BTreeMap<(String, Outcome), usize>, sought: Outcome) -> usize {
    outcomes.iter().filter(|((_, outcome), _)| *outcome == sought).map(|(_, count)| count).sum()
}

#[test]
fn a_flipped_bit_is_refused_or_named_or_means_nothing() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        hook(panic);
    }));
    for is_closed in [true, false] {
        let sample = make(is_closed);
        let faults = verify(sample.directory.path(), |_| ()).unwrap().faults;
        assert_eq!(faults, [], "before anything is damaged");
        let outcomes = flip_everywhere(&sample);
        println!("closed: {is_closed}, {} flips", outcomes.values().sum::<usize>());
        outcomes.iter().for_each(|(outcome, count)| println!("  {outcome:?}: {count}"));
        assert!(count(&outcomes, Outcome::Refused) > 0);
        assert!(count(&outcomes, Outcome::ReadError) > 0);
        assert!(!is_closed || count(&outcomes, Outcome::WithoutLast) == 0);
        let is_manifest =
            |kind: &str| kind.starts_with("data/") && !kind.starts_with("data/tables");
        for (kind, outcome) in outcomes.keys() {
            assert!(*outcome == Outcome::Refused || !is_manifest(kind), "{kind} {outcome:?}");
        }
    }
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
}

//! The journal against a list: whatever is done and wherever it is cut short, what was acknowledged
//! is read back.

pub(crate) mod unsafe_disk;

use std::os::unix::fs::FileExt;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;

use super::record::BLOCK_BYTES;
use super::*;
use unsafe_disk::UnsafeDisk;

type Writes = Vec<(Key, Option<Bytes>)>;

/// A record as it was given and read back: sequence number, position, writes.
type Given = (u64, u64, Writes);

fn open(
    directory: &Path,
    durability: Durability,
    disk: Arc<dyn Disk>,
) -> Result<(Journal, Vec<Given>), OpenError> {
    let mut read = Vec::new();
    let journal = Journal::open(directory, durability, disk, &mut |record| {
        let writes = record.writes().map(Result::unwrap);
        let writes = writes.map(|write| match write {
            Write::Entry(key, value) => (key.to_vec(), value.map(Bytes::copy_from_slice)),
            Write::RemovedRange(..) => panic!("no range was removed"),
        });
        read.push((record.head.sequence_number, record.head.last_position, writes.collect()));
        Ok(())
    })?;
    Ok((journal, read))
}

fn given(number: u64, bytes: usize) -> Given {
    let value = Bytes::from(vec![number as u8; bytes]);
    let writes =
        vec![(format!("key {number}").into_bytes(), Some(value)), (b"gone".to_vec(), None)];
    (number * 10, number, writes)
}

fn append(
    journal: &Journal,
    (sequence_number, position, writes): &Given,
) -> Result<(), JournalError> {
    journal.append(&[], writes, *sequence_number, *position)
}

fn new_journal() -> (tempfile::TempDir, PathBuf) {
    let temporary = tempfile::tempdir().unwrap();
    let directory = temporary.path().join("journal");
    fs::create_dir(&directory).unwrap();
    Journal::create(&directory).unwrap();
    (temporary, directory)
}

/// A journal with some records of one block each in its one segment, closed without more ado; and
/// its file.
fn journal_with(count: u64, durability: Durability) -> (tempfile::TempDir, PathBuf, PathBuf) {
    let (temporary, directory) = new_journal();
    let (journal, _) = open(&directory, durability, Arc::new(LocalDisk)).unwrap();
    (1..=count).for_each(|number| append(&journal, &given(number, 100)).unwrap());
    let file = current_file(&journal);
    (temporary, directory, file)
}

fn current_file(journal: &Journal) -> PathBuf {
    slot_path(&journal.directory, journal.lock().current.as_ref().unwrap().slot)
}

fn damage(file: &Path, offset: u64) {
    let file = File::options().write(true).open(file).unwrap();
    file.write_all_at(b"damage", offset).unwrap();
}

fn read_back(directory: &Path) -> Result<Vec<u64>, String> {
    let opened = open(directory, Durability::Sync, Arc::new(LocalDisk));
    let (_, read) = opened.map_err(|error| error.to_string())?;
    Ok(read.into_iter().map(|(_, position, _)| position).collect())
}

fn read_back_from((_temporary, directory): &(tempfile::TempDir, PathBuf)) -> Vec<u64> {
    read_back(directory).unwrap()
}

/// A copy of a journal as it is at this moment.
fn copy(directory: &Path) -> (tempfile::TempDir, PathBuf) {
    let temporary = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), temporary.path().join(entry.file_name())).unwrap();
    }
    let path = temporary.path().to_owned();
    (temporary, path)
}

#[derive(Clone, Debug)]
enum Step {
    Append {
        bytes: usize,
    },
    BeginSegment,
    /// Everything before the current segment is in tables.
    Free,
    Prepare,
    /// Everything is in tables.
    Empty,
    Reopen,
    /// Closes it and opens it again.
    Close,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..12_000_usize).prop_map(|bytes| Step::Append { bytes }),
        2 => Just(Step::BeginSegment),
        2 => Just(Step::Free),
        1 => Just(Step::Prepare),
        1 => Just(Step::Empty),
        1 => Just(Step::Reopen),
        1 => Just(Step::Close),
    ];
    vec(step, 1..60)
}

/// What the journal must hold.
#[derive(Default)]
struct Expected {
    given: Vec<Given>,
    /// The first record that is not in tables.
    needed: usize,
    /// The first record of the current segment.
    segment: usize,
}

/// Does one step; an error means that the power failed.
fn take(
    step: &Step,
    journal: &mut Journal,
    expected: &mut Expected,
    disk: &Arc<UnsafeDisk>,
) -> Result<(), Box<dyn std::error::Error>> {
    match step {
        Step::Append { bytes } => {
            let record = given(expected.given.len() as u64 + 1, *bytes);
            expected.given.push(record.clone());
            append(journal, &record)?;
        }
        Step::BeginSegment => {
            journal.begin_segment()?;
            expected.segment = expected.given.len();
        }
        Step::Free => {
            let segment = journal.lock().current.as_ref().unwrap().segment;
            journal.free_before(segment);
            expected.needed = expected.segment;
        }
        Step::Prepare => journal.prepare_segment()?,
        Step::Empty => {
            expected.needed = expected.given.len();
            journal.begin_anew()?;
            expected.segment = expected.given.len();
        }
        Step::Reopen | Step::Close => {
            if matches!(step, Step::Close) {
                journal.close()?;
            }
            let (opened, read) = open(&journal.directory.clone(), Durability::Sync, disk.clone())?;
            assert_holds(&read, expected, false);
            *journal = opened;
            expected.segment = expected.given.len();
        }
    }
    Ok(())
}

/// What was read ends with the last record that was given, and has all that are needed. After a
/// crash the last one may be missing.
fn assert_holds(read: &[Given], expected: &Expected, may_lack_last: bool) {
    let given = &expected.given;
    let is_end_of = |given: &[Given]| {
        let begin = given.len().checked_sub(read.len());
        begin.is_some_and(|begin| {
            begin <= expected.needed.min(given.len()) && given[begin..] == *read
        })
    };
    let without_last = given.split_last().map_or(&[][..], |(_, rest)| rest);
    assert!(is_end_of(given) || (may_lack_last && is_end_of(without_last)), "{read:?}");
}

proptest! {
    #[test]
    fn what_was_acknowledged_is_read_back_after_a_power_cut_at_any_moment(
        steps in steps(),
        calls in 10..200_u64,
        lost in vec(any::<bool>(), 1..8),
    ) {
        let (_temporary, directory) = new_journal();
        let disk = UnsafeDisk::new(calls);
        let (mut journal, _) = open(&directory, Durability::Sync, disk.clone()).unwrap();
        let mut expected = Expected::default();
        let is_cut = steps.iter()
            .any(|step| take(step, &mut journal, &mut expected, &disk).is_err());
        drop(journal);
        let mut lost = lost.iter().cycle();
        disk.lose(|| *lost.next().unwrap());
        let (journal, read) = open(&directory, Durability::Sync, Arc::new(LocalDisk)).unwrap();
        assert_holds(&read, &expected, is_cut);
        let next = given(99, 100);
        append(&journal, &next).unwrap();
        drop(journal);
        let (_, read) = open(&directory, Durability::Sync, Arc::new(LocalDisk)).unwrap();
        prop_assert_eq!(read.last(), Some(&next));
    }
}

#[test]
fn files_are_used_again_and_do_not_pile_up() {
    let (_temporary, directory) = new_journal();
    let (journal, _) = open(&directory, Durability::Sync, Arc::new(LocalDisk)).unwrap();
    for number in 1..=50 {
        append(&journal, &given(number, 100)).unwrap();
        journal.prepare_segment().unwrap();
        let segment = journal.begin_segment().unwrap();
        journal.free_before(segment);
    }
    assert!(fs::read_dir(&directory).unwrap().count() <= 5);
}

#[test]
fn a_record_that_was_cut_short_is_the_end() {
    let (_temporary, directory, file) = journal_with(3, Durability::Sync);
    damage(&file, 3 * BLOCK_BYTES as u64 + 60);
    assert_eq!(read_back(&directory).unwrap(), [1, 2]);
}

#[test]
fn a_damaged_record_with_a_later_one_behind_it_is_refused() {
    let (_temporary, directory, file) = journal_with(3, Durability::Sync);
    damage(&file, 2 * BLOCK_BYTES as u64 + 60);
    let error = read_back(&directory).unwrap_err();
    assert!(error.ends_with("is corrupt: record 2 was written and cannot be read"), "{error}");
}

#[test]
fn without_a_sync_of_each_record_a_gap_is_the_end() {
    let interval = Durability::Interval(Duration::from_secs(1));
    let (_temporary, directory, file) = journal_with(3, interval);
    damage(&file, 2 * BLOCK_BYTES as u64 + 60);
    assert_eq!(read_back(&directory).unwrap(), [1]);
}

#[test]
fn a_gap_before_the_last_sync_is_refused() {
    let (_temporary, directory) = new_journal();
    let interval = Durability::Interval(Duration::from_secs(1));
    let (journal, _) = open(&directory, interval, Arc::new(LocalDisk)).unwrap();
    append(&journal, &given(1, 100)).unwrap();
    append(&journal, &given(2, 100)).unwrap();
    journal.sync().unwrap();
    append(&journal, &given(3, 100)).unwrap();
    damage(&current_file(&journal), 2 * BLOCK_BYTES as u64 + 60);
    let error = read_back(&directory).unwrap_err();
    assert!(error.ends_with("is corrupt: record 2 was written and cannot be read"), "{error}");
}

#[test]
fn after_a_close_damage_to_any_commit_is_refused() {
    for durability in [Durability::Sync, Durability::Interval(Duration::from_secs(1))] {
        for number in 1..=3 {
            let (_temporary, directory) = new_journal();
            let (journal, _) = open(&directory, durability, Arc::new(LocalDisk)).unwrap();
            (1..=3).for_each(|number| append(&journal, &given(number, 100)).unwrap());
            journal.close().unwrap();
            damage(&current_file(&journal), number * BLOCK_BYTES as u64 + 60);
            let error = read_back(&directory).unwrap_err();
            let expected = format!("record {number} was written and cannot be read");
            assert!(error.ends_with(&expected), "{error}");
        }
    }
}

#[test]
fn after_a_close_a_file_that_is_cut_off_is_refused() {
    for blocks in 1..=3 {
        let (_temporary, directory, file) = journal_with(0, Durability::Sync);
        let (journal, _) = open(&directory, Durability::Sync, Arc::new(LocalDisk)).unwrap();
        (1..=3).for_each(|number| append(&journal, &given(number, 100)).unwrap());
        journal.close().unwrap();
        assert_ne!(current_file(&journal), file);
        let cut = File::options().write(true).open(current_file(&journal)).unwrap();
        cut.set_len(blocks * BLOCK_BYTES as u64).unwrap();
        let error = read_back(&directory).unwrap_err();
        let expected = format!("record {blocks} was written and cannot be read");
        assert!(error.ends_with(&expected), "{error}");
    }
}

#[test]
fn after_a_close_damage_to_the_closing_note_loses_nothing() {
    let (_temporary, directory) = new_journal();
    let (journal, _) = open(&directory, Durability::Sync, Arc::new(LocalDisk)).unwrap();
    (1..=3).for_each(|number| append(&journal, &given(number, 100)).unwrap());
    journal.close().unwrap();
    damage(&current_file(&journal), CLOSING_OFFSET as u64);
    assert_eq!(read_back(&directory).unwrap(), [1, 2, 3]);
}

#[test]
fn what_a_failed_sync_left_is_written_again_before_more_is_answered() {
    let (_temporary, directory) = new_journal();
    let disk = UnsafeDisk::new(u64::MAX);
    let (journal, _) = open(&directory, Durability::Sync, disk.clone()).unwrap();
    append(&journal, &given(1, 100)).unwrap();
    disk.set_good_syncs(0);
    assert!(matches!(append(&journal, &given(2, 100)), Err(JournalError::Failed(_))));
    disk.set_good_syncs(u64::MAX);
    drop(journal);
    // The record is shown, so readers are shown it, and the next commits build on it.
    let (journal, read) = open(&directory, Durability::Sync, disk.clone()).unwrap();
    assert_eq!(read.len(), 2);
    append(&journal, &given(3, 100)).unwrap();
    drop(journal);
    disk.lose(|| true);
    assert_eq!(read_back(&directory).unwrap(), [1, 2, 3]);
}

#[test]
fn a_head_that_a_failed_sync_left_is_written_again() {
    let (_temporary, directory) = new_journal();
    let disk = UnsafeDisk::new(u64::MAX);
    let (journal, _) = open(&directory, Durability::Sync, disk.clone()).unwrap();
    append(&journal, &given(1, 100)).unwrap();
    // The first one is that of the segment before.
    disk.set_good_syncs(1);
    assert!(matches!(journal.begin_segment(), Err(JournalError::Failed(_))));
    disk.set_good_syncs(u64::MAX);
    drop(journal);
    let (journal, _) = open(&directory, Durability::Sync, disk.clone()).unwrap();
    append(&journal, &given(2, 100)).unwrap();
    drop(journal);
    disk.lose(|| true);
    assert_eq!(read_back(&directory).unwrap(), [1, 2]);
}

#[test]
fn a_commit_without_room_leaves_nothing_and_the_next_one_takes_its_place() {
    // From no block of it at all to all but the last one.
    for room in 0..4 {
        let (_temporary, directory) = new_journal();
        let disk = UnsafeDisk::new(u64::MAX);
        let (journal, _) = open(&directory, Durability::Sync, disk.clone()).unwrap();
        append(&journal, &given(1, 100)).unwrap();
        disk.set_room(room);
        let refused = append(&journal, &given(2, 4 * BLOCK_BYTES - 200));
        assert!(matches!(refused, Err(JournalError::Full(_))));
        assert_eq!(read_back_from(&copy(&directory)), [1]);
        disk.set_room(u64::MAX);
        append(&journal, &given(3, 100)).unwrap();
        drop(journal);
        assert_eq!(read_back(&directory).unwrap(), [1, 3]);
    }
}

#[test]
fn a_segment_without_room_leaves_nothing_and_begins_later() {
    let (_temporary, directory) = new_journal();
    let disk = UnsafeDisk::new(u64::MAX);
    let (journal, _) = open(&directory, Durability::Sync, disk.clone()).unwrap();
    append(&journal, &given(1, 100)).unwrap();
    // Once into a file that is there, and once into one that must be made.
    for number in 2..=3 {
        disk.set_room(0);
        assert!(matches!(journal.begin_segment(), Err(JournalError::Full(_))));
        disk.set_room(u64::MAX);
        append(&journal, &given(number, 100)).unwrap();
        journal.begin_segment().unwrap();
    }
    append(&journal, &given(4, 100)).unwrap();
    drop(journal);
    assert_eq!(read_back(&directory).unwrap(), [1, 2, 3, 4]);
}

#[test]
fn a_journal_on_a_full_disk_is_read_and_written_to_once_there_is_room() {
    let (_temporary, directory, _) = journal_with(3, Durability::Sync);
    let disk = UnsafeDisk::new(u64::MAX);
    for room in 0..3 {
        disk.set_room(room);
        let (journal, read) = open(&directory, Durability::Sync, disk.clone()).unwrap();
        assert_eq!((read.len(), journal.has_begun()), (3, false));
        assert!(matches!(journal.find_room(), Err(JournalError::Full(_))));
        assert!(matches!(append(&journal, &given(4, 100)), Err(JournalError::Full(_))));
        journal.close().unwrap();
    }
    disk.set_room(0);
    let (journal, _) = open(&directory, Durability::Sync, disk.clone()).unwrap();
    disk.set_room(u64::MAX);
    journal.find_room().unwrap();
    append(&journal, &given(4, 100)).unwrap();
    drop(journal);
    assert_eq!(read_back(&directory).unwrap(), [1, 2, 3, 4]);
}

#[test]
fn a_value_that_looks_like_a_record_is_not_taken_for_one() {
    let (_temporary, directory, _) = journal_with(1, Durability::Sync);
    let (journal, _) = open(&directory, Durability::Sync, Arc::new(LocalDisk)).unwrap();
    append(&journal, &given(2, 100)).unwrap();
    let segment = journal.lock().current.as_ref().unwrap().segment;
    // What a client can know: the layout, and the numbers that come next. It does not know the
    // salt.
    let mut forged = RecordBuffer::default();
    forged.clear();
    let forged = forged.finish(seed(0, segment), |writes_bytes| RecordHead {
        writes_bytes,
        number: 4,
        sequence_number: 40,
        last_position: 4,
        on_disk_below: 4,
    });
    let current = File::options().write(true).open(current_file(&journal)).unwrap();
    current.write_all_at(forged, 3 * BLOCK_BYTES as u64).unwrap();
    drop(journal);
    assert_eq!(read_back(&directory).unwrap(), [1, 2]);
}

#[test]
fn what_a_killed_process_had_not_synced_is_on_disk_before_more_is_answered() {
    let (_temporary, directory) = new_journal();
    let (disk, interval) =
        (UnsafeDisk::new(u64::MAX), Durability::Interval(Duration::from_secs(1)));
    let (journal, _) = open(&directory, interval, disk.clone()).unwrap();
    append(&journal, &given(1, 100)).unwrap();
    drop(journal);
    let (journal, _) = open(&directory, Durability::Sync, disk.clone()).unwrap();
    append(&journal, &given(2, 100)).unwrap();
    drop(journal);
    disk.lose(|| true);
    assert_eq!(read_back(&directory).unwrap(), [1, 2]);
}

#[test]
fn a_damaged_head_of_the_newest_segment_is_refused() {
    for count in 1..=3 {
        let (_temporary, directory, file) = journal_with(count, Durability::Sync);
        damage(&file, 20);
        let error = read_back(&directory).unwrap_err();
        let expected = format!("{} is corrupt: record 1 was written", file.display());
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn damaged_heads_of_the_two_newest_segments_are_refused() {
    let (_temporary, directory, first) = journal_with(1, Durability::Sync);
    let (journal, _) = open(&directory, Durability::Sync, Arc::new(LocalDisk)).unwrap();
    append(&journal, &given(2, 100)).unwrap();
    damage(&current_file(&journal), 20);
    damage(&first, 20);
    drop(journal);
    assert!(read_back(&directory).unwrap_err().contains(" is corrupt: "));
}

#[test]
fn a_missing_segment_is_refused() {
    let (_temporary, directory, file) = journal_with(3, Durability::Sync);
    let (journal, _) = open(&directory, Durability::Sync, Arc::new(LocalDisk)).unwrap();
    append(&journal, &given(4, 100)).unwrap();
    drop(journal);
    fs::remove_file(file).unwrap();
    let error = read_back(&directory).unwrap_err();
    assert!(error.ends_with("is corrupt: segment 2 is missing"), "{error}");
}

#[test]
fn positions_go_on_after_all_records_are_given_up() {
    let (_temporary, directory, _) = journal_with(7, Durability::Sync);
    let (journal, _) = open(&directory, Durability::Sync, Arc::new(LocalDisk)).unwrap();
    journal.begin_anew().unwrap();
    drop(journal);
    let (journal, read) = open(&directory, Durability::Sync, Arc::new(LocalDisk)).unwrap();
    assert_eq!((journal.last_position(), read.len()), (7, 0));
}

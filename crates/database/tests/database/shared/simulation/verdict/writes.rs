//! Every answered write happened once, every refused one did not, and nothing else happened.

use std::collections::BTreeMap;

use super::super::history::{Notes, Outcome, WriteNote};
use super::super::plan::{Action, PlannedItem};
use super::replay::{Replay, Transition, number};
use monotable_item::{Item, stored};

pub(super) fn check(replay: &Replay, notes: &Notes) {
    let mut happened: BTreeMap<usize, &Transition> = BTreeMap::new();
    let mut removals: Vec<&Transition> = Vec::new();
    for transition in &replay.transitions {
        let Some(new) = &transition.new else {
            removals.push(transition);
            continue;
        };
        let write = number(&stored::decode(new).unwrap(), "w").unwrap() as usize;
        check_write(&notes.writes[write], transition);
        assert!(happened.insert(write, transition).is_none(), "write {write} happened twice");
    }
    for (at, note) in notes.writes.iter().enumerate() {
        if !is_deletion(note) {
            check_outcome(at, note, happened.get(&at).copied());
        }
    }
    check_deletions(notes, &removals);
    check_transactions(notes, &happened);
}

fn is_deletion(note: &WriteNote) -> bool {
    matches!(note.planned.action, Action::Delete | Action::DeleteBelow(_))
}

/// Checks that a write did what it was to do, and on its condition.
fn check_write(note: &WriteNote, transition: &Transition) {
    let (target, item) = (note.planned.target, transition.item());
    assert!(is_target(target, transition, &item), "{note:?} wrote {item:?}");
    let old = transition.old.as_ref().map(|old| stored::decode(old).unwrap());
    let counted = |item: &Item| number(item, "n").unwrap_or(0);
    let before = old.as_ref().map(counted);
    match note.planned.action {
        Action::Put { n, .. } => assert_eq!(counted(&item), n as i64),
        Action::PutIfAbsent => assert_eq!(old, None, "{note:?}"),
        Action::Add => assert_eq!(counted(&item), before.unwrap_or(0) + 1, "{note:?}"),
        Action::CountUp { seen } => {
            assert_eq!((before, counted(&item)), (Some(seen), seen + 1), "{note:?}");
        }
        Action::Delete | Action::DeleteBelow(_) => panic!("{note:?} wrote {item:?}"),
    }
}

fn is_target(target: PlannedItem, transition: &Transition, item: &Item) -> bool {
    let found = (number(item, "pk"), number(item, "sk"));
    found == (Some(target.pk as i64), Some(target.sk as i64))
        && transition.table_name == target.table
}

fn check_outcome(at: usize, note: &WriteNote, happened: Option<&Transition>) {
    match &note.outcome {
        Outcome::Unknown => {}
        Outcome::Refused => assert!(happened.is_none(), "{at}: refused, but happened: {note:?}"),
        Outcome::Done { table, old, new } => {
            let happened = happened.unwrap_or_else(|| panic!("{at} is lost: {note:?}"));
            let found = (happened.table, &happened.old, &happened.new);
            assert_eq!(found, (table.0, old, new), "{at}");
        }
    }
}

/// Every removal is that of a write that was answered, of one that nobody knows of, or the item's
/// time was over.
fn check_deletions(notes: &Notes, removals: &[&Transition]) {
    let deletions = || notes.writes.iter().filter(|note| is_deletion(note));
    let mut unexplained: Vec<&Transition> = removals.to_vec();
    for note in deletions() {
        let Outcome::Done { table, old: Some(old), .. } = &note.outcome else { continue };
        let is_it =
            |removal: &&Transition| removal.table == table.0 && removal.old.as_ref() == Some(old);
        let at = unexplained.iter().position(is_it);
        unexplained.remove(at.unwrap_or_else(|| panic!("a deletion is lost: {note:?}")));
    }
    unexplained.retain(|removal| !removal.is_due);
    for note in deletions().filter(|note| matches!(note.outcome, Outcome::Unknown)) {
        let is_it =
            |removal: &&Transition| is_target(note.planned.target, removal, &removal.item());
        if let Some(at) = unexplained.iter().position(is_it) {
            unexplained.remove(at);
        }
    }
    let left: Vec<Item> = unexplained.iter().map(|removal| removal.item()).collect();
    assert!(left.is_empty(), "removed by nobody: {left:?}");
}

/// The writes of a transaction happened in one commit, or none of them did.
fn check_transactions(notes: &Notes, happened: &BTreeMap<usize, &Transition>) {
    let mut commits: BTreeMap<usize, Vec<Option<usize>>> = BTreeMap::new();
    for (at, note) in notes.writes.iter().enumerate() {
        if !is_deletion(note) {
            let commit = happened.get(&at).map(|transition| transition.commit);
            commits.entry(note.transaction).or_default().push(commit);
        }
    }
    for (transaction, commits) in commits {
        let is_one = commits.iter().all(|commit| *commit == commits[0]);
        assert!(is_one, "half of transaction {transaction}: {commits:?}");
    }
}

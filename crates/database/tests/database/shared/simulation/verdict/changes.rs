//! Every answered change of a table happened, and was answered to one client only.

use std::collections::BTreeSet;

use super::super::history::Notes;
use super::super::plan::PlannedChange;
use super::replay::Replay;

pub(super) fn check(replay: &Replay, notes: &Notes) {
    let (mut created, mut deleted) = (BTreeSet::new(), BTreeSet::new());
    let mut changed = BTreeSet::new();
    for note in &notes.changes {
        let table = note.table.0;
        match note.change {
            PlannedChange::Create { .. } => {
                assert!(created.insert(table), "two clients created table {table}");
                assert!(replay.created.contains(&table), "table {table} was never created");
            }
            PlannedChange::Delete => {
                assert!(deleted.insert(table), "two clients deleted table {table}");
                assert!(replay.deleted.contains(&table), "table {table} was never deleted");
            }
            PlannedChange::Protect(_)
            | PlannedChange::AddIndex(_)
            | PlannedChange::RemoveIndex(_)
            | PlannedChange::Stream(_)
            | PlannedChange::TimeToLive(_) => {
                let version = (table, note.version);
                assert!(changed.insert(version), "two clients made {version:?}");
                assert!(replay.versions.contains(&version), "{version:?} was never made");
            }
        }
    }
}

//! A change whose caller goes away, after however many polls, has happened whole or not at all.

use super::abandoned::abandoned_after;
use super::change::{CHANGES, Change, TABLE};
use super::contents::Contents;
use super::on_both_engines;
use crate::support::harness::Harness;
use crate::support::store::Store;
use monotable_database::Home;

on_both_engines!(an_abandoned_change_is_whole_or_not_at_all);
on_both_engines!(a_change_that_was_held_up_goes_on_without_its_caller);

/// What becomes of the database after the caller has gone.
#[derive(Debug, Clone, Copy)]
enum Fate {
    /// It goes on, and is closed and opened later.
    Restart,
    /// It dies at once.
    Crash,
}

fn an_abandoned_change_is_whole_or_not_at_all<S: Store>() {
    for change in CHANGES {
        let ends = Ends::of::<S>(change);
        for polls in 0.. {
            let mut is_complete = false;
            for fate in [Fate::Restart, Fate::Crash] {
                let mut harness = change.harness::<S>();
                let making = change.make(harness.database().clone());
                let answer = harness.run(abandoned_after(polls, making));
                is_complete = answer.is_some();
                let context = format!("{change:?} after {polls} polls, then {fate:?}");
                ends.check(&mut harness, fate, is_complete, &context);
            }
            if is_complete {
                break;
            }
        }
    }
}

/// The caller goes away while the change waits for its transaction.
fn a_change_that_was_held_up_goes_on_without_its_caller<S: Store>() {
    for change in CHANGES {
        let ends = Ends::of::<S>(change);
        for fate in [Fate::Restart, Fate::Crash] {
            let mut harness = change.harness::<S>();
            harness.background().pause();
            let making = change.make(harness.database().clone());
            assert!(harness.run(abandoned_after(1, making)).is_none(), "{change:?}");
            harness.settle();
            assert_eq!(Contents::of(&harness), ends.before, "{change:?}");
            harness.background().resume();
            ends.check(&mut harness, fate, matches!(fate, Fate::Restart), &format!("{change:?}"));
        }
    }
}

/// What the store holds if a change does not happen, and if it does.
struct Ends {
    before: Contents,
    after: Contents,
}

impl Ends {
    fn of<S: Store>(change: Change) -> Ends {
        let harness = change.harness::<S>();
        let before = Contents::of(&harness);
        harness.run(change.make(harness.database().clone()));
        harness.settle();
        let after = Contents::of(&harness);
        assert_ne!(before, after, "{change:?}");
        Ends { before, after }
    }

    /// Checks that the change has happened or not, and must have if it was answered.
    fn check<S: Store>(
        &self,
        harness: &mut Harness<S>,
        fate: Fate,
        is_answered: bool,
        context: &str,
    ) {
        match fate {
            Fate::Restart => {
                harness.settle();
                let lived = self.check_state(harness, is_answered, context);
                harness.restart();
                harness.settle();
                assert_eq!(self.check_state(harness, is_answered, context), lived, "{context}");
            }
            Fate::Crash => {
                harness.crash();
                harness.settle();
                self.check_state(harness, is_answered, context);
            }
        }
    }

    /// Returns whether the change has happened.
    fn check_state<S: Store>(
        &self,
        harness: &Harness<S>,
        is_answered: bool,
        context: &str,
    ) -> bool {
        let found = Contents::of(harness);
        let happened = found == self.after;
        if !happened {
            assert_eq!(found, self.before, "{context}");
        }
        assert!(happened || !is_answered, "{context}: an answered change is not there");
        let described = harness.run(harness.database().describe(&Home::default(), TABLE)).unwrap();
        let stored = described.map(|described| described.table.schema().clone());
        assert_eq!(harness.schema(TABLE), stored, "{context}: memory and store differ");
        happened
    }
}

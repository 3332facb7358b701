//! Every state that three servers can get into, as the protocol is and with a rule left out.

use monotable_protocol_model::protocol::{Mistake, Protocol, rule};
use monotable_protocol_model::state::Budget;
use stateright::{Checker, Model};

/// Nothing but what a test says.
const NOTHING: Budget =
    Budget { writes: 0, additions: 0, removals: 0, crashes: 0, losses: 0, expiries: 0 };

#[track_caller]
fn check(budget: Budget) {
    let checker = Protocol { budget, mistake: None }.checker().spawn_bfs().join();
    println!(
        "{} states, {} of them different",
        checker.state_count(),
        checker.unique_state_count()
    );
    for name in [rule::ACTIVE, rule::FILLED, rule::REMOVED, rule::FENCE, rule::LEASE, rule::QUERY] {
        checker.assert_no_discovery(name);
    }
    checker.assert_any_discovery("an index becomes active");
    if budget.expiries > 0 {
        checker.assert_any_discovery("a job is taken over");
    }
}

/// Leaves a rule out, and finds the shortest way to what must never be.
#[track_caller]
fn check_finds(mistake: Mistake, broken: &'static str, budget: Budget) {
    let model = Protocol { budget, mistake: Some(mistake) };
    let checker = model.checker().finish_when(only(broken)).spawn_bfs().join();
    let path = checker.assert_any_discovery(broken);
    println!("{mistake:?} breaks \"{broken}\":");
    path.into_actions().iter().for_each(|action| println!("  {action:?}"));
}

fn only(name: &'static str) -> stateright::HasDiscoveries {
    stateright::HasDiscoveries::AnyOf(std::collections::BTreeSet::from([name]))
}

/// One write while an index is added.
const WRITE: Budget = Budget { writes: 1, additions: 1, ..NOTHING };
/// An index is added while a lease runs out.
const EXPIRY: Budget = Budget { additions: 1, expiries: 1, ..NOTHING };
/// An index is added and removed.
const REMOVAL: Budget = Budget { additions: 1, removals: 1, ..NOTHING };

#[test]
fn an_index_is_exact_while_servers_die() {
    check(Budget { writes: 1, additions: 1, crashes: 1, expiries: 1, ..NOTHING });
}

#[test]
fn an_index_is_exact_while_answers_are_lost() {
    check(Budget { writes: 1, additions: 1, losses: 1, expiries: 1, ..NOTHING });
}

#[test]
fn an_index_is_exact_under_writes_to_all_items() {
    check(Budget { writes: 2, expiries: 1, ..WRITE });
}

#[test]
fn nothing_is_left_of_an_index_that_is_written_to_until_it_goes() {
    check(Budget { writes: 1, expiries: 1, ..REMOVAL });
}

#[test]
fn jobs_of_a_removed_index_do_no_harm_to_the_next() {
    check(Budget { additions: 2, ..REMOVAL });
}

#[test]
fn writes_without_a_fence_are_found() {
    check_finds(Mistake::NoFence, rule::FENCE, WRITE);
    check_finds(Mistake::NoFence, rule::ACTIVE, WRITE);
}

#[test]
fn a_version_that_is_compared_but_not_held_is_found() {
    check_finds(Mistake::RecordNotShared, rule::FENCE, WRITE);
}

#[test]
fn a_write_that_does_not_hold_the_note_is_found() {
    check_finds(Mistake::NoteNotShared, rule::FILLED, WRITE);
}

#[test]
fn a_filling_that_does_not_lock_the_note_is_found() {
    check_finds(Mistake::NoteNotLocked, rule::FILLED, WRITE);
}

#[test]
fn a_job_that_does_not_look_at_its_lease_is_found() {
    check_finds(Mistake::NoLeaseCheck, rule::LEASE, EXPIRY);
}

#[test]
fn a_lease_that_is_compared_but_not_held_is_found() {
    check_finds(Mistake::LeaseNotShared, rule::LEASE, EXPIRY);
}

#[test]
fn reads_that_do_not_compare_the_version_are_found() {
    check_finds(Mistake::UncheckedReads, rule::QUERY, REMOVAL);
}

//! Every state that three servers can get into, as the protocol is and with a rule left out.

use monotable_protocol_model::protocol::{Mistake, Protocol, rule};
use monotable_protocol_model::state::Budget;
use stateright::{Checker, Model};

/// An index is added, filled, written to and removed, while a server dies, or a session ends, and a
/// lease runs out.
const ADDED_AND_REMOVED: Budget =
    Budget { writes: 1, additions: 1, removals: 1, crashes: 1, losses: 1, expiries: 1 };

/// More writes, and leases that run out again and again, without a removal.
const WRITTEN_TO: Budget =
    Budget { writes: 2, additions: 1, removals: 0, crashes: 1, losses: 0, expiries: 2 };

/// A second index takes the place of the first, whose jobs may not have ended everywhere.
const ADDED_TWICE: Budget =
    Budget { writes: 1, additions: 2, removals: 1, crashes: 0, losses: 1, expiries: 1 };

#[track_caller]
fn check(budget: Budget) {
    let checker = Protocol { budget, mistake: None }.checker().threads(2).spawn_bfs().join();
    println!("{} states, {} of them different", checker.state_count(), checker.unique_state_count());
    for name in [rule::ACTIVE, rule::FILLED, rule::REMOVED, rule::FENCE, rule::LEASE, rule::QUERY] {
        checker.assert_no_discovery(name);
    }
    checker.assert_any_discovery("an index becomes active");
    checker.assert_any_discovery("a job is taken over");
}

/// Leaves a rule out, and gives the shortest way to what must never be.
#[track_caller]
fn check_finds(mistake: Mistake, broken: &'static str) {
    let budget = Budget { writes: 2, additions: 1, removals: 1, crashes: 0, losses: 0, expiries: 1 };
    let model = Protocol { budget, mistake: Some(mistake) };
    let checker = model.checker().threads(2).finish_when(only(broken)).spawn_bfs().join();
    let path = checker.assert_any_discovery(broken);
    println!("{mistake:?} breaks \"{broken}\":");
    path.into_actions().iter().for_each(|action| println!("  {action:?}"));
}

fn only(name: &'static str) -> stateright::HasDiscoveries {
    stateright::HasDiscoveries::AnyOf(std::collections::BTreeSet::from([name]))
}

#[test]
fn an_index_is_exact_while_it_is_added_and_removed() {
    check(ADDED_AND_REMOVED);
}

#[test]
fn an_index_is_exact_under_writes_and_lost_leases() {
    check(WRITTEN_TO);
}

#[test]
fn jobs_of_a_removed_index_do_no_harm_to_the_next() {
    check(ADDED_TWICE);
}

#[test]
fn writes_without_a_fence_are_found() {
    check_finds(Mistake::NoFence, rule::FENCE);
    check_finds(Mistake::NoFence, rule::ACTIVE);
}

#[test]
fn a_version_that_is_compared_but_not_held_is_found() {
    check_finds(Mistake::RecordNotShared, rule::FENCE);
}

#[test]
fn a_write_that_does_not_hold_the_note_is_found() {
    check_finds(Mistake::NoteNotShared, rule::FILLED);
}

#[test]
fn a_filling_that_does_not_lock_the_note_is_found() {
    check_finds(Mistake::NoteNotLocked, rule::FILLED);
}

#[test]
fn a_job_that_does_not_look_at_its_lease_is_found() {
    check_finds(Mistake::NoLeaseCheck, rule::LEASE);
}

#[test]
fn a_lease_that_is_compared_but_not_held_is_found() {
    check_finds(Mistake::LeaseNotShared, rule::LEASE);
}

#[test]
fn reads_that_do_not_compare_the_version_are_found() {
    check_finds(Mistake::UncheckedReads, rule::QUERY);
}

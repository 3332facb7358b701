//! Tables that come and go through two databases at once.

use super::plan::{Action, Plan, PlannedChange, PlannedItem, PlannedWrite};
use super::recorded_engine::RecordedEngine;
use super::schedule::Schedule;

const SEEDS: u64 = 40;
const CREATE: PlannedChange = PlannedChange::Create { has_stream: true, has_local_index: false };

fn change(server: usize, change: PlannedChange) -> (usize, Plan) {
    (server, Plan::Change("a", change))
}

fn write(server: usize, sk: u64) -> (usize, Plan) {
    let target = PlannedItem { table: "a", pk: 0, sk };
    let action = Action::Put { group: 1, n: 1, expires_at_secs: None };
    (server, Plan::Writes(vec![PlannedWrite { target, action }]))
}

#[test]
fn one_of_two_creations_through_two_databases_succeeds() {
    for seed in 0..SEEDS {
        let recorded = RecordedEngine::new();
        let mut schedule = Schedule::new(seed, recorded.clone(), recorded);
        let created = schedule.play_plans(&[change(0, CREATE), change(1, CREATE)]);
        assert_eq!(created, 1, "seed {seed}");
        schedule.finish();
    }
}

#[test]
fn deletions_creations_and_writes_through_two_databases_agree() {
    for seed in 0..SEEDS {
        let recorded = RecordedEngine::new();
        let mut schedule = Schedule::new(seed, recorded.clone(), recorded);
        schedule.play_plans(&[change(0, CREATE), write(1, 0)]);
        let delete = change(0, PlannedChange::Delete);
        schedule.play_plans(&[delete.clone(), change(1, CREATE), write(0, 1), write(1, 2)]);
        schedule.play_plans(&[delete, change(1, CREATE), change(0, CREATE), write(1, 3)]);
        schedule.finish();
    }
}

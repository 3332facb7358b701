//! Random histories of several databases on one store, each drawn from a seed.
//!
//! - `gate`, `gated_engine`: every call to the engine waits until the schedule lets it go on, and
//!   its answer again.
//! - `recorded_engine`: what was committed, in order. It is what the verdict is spoken on.
//! - `server`: a database with all its tasks, which can die where it stands.
//! - `client`, `plan`, `history`: what clients do, and what they were answered.
//! - `schedule`: who goes on, who goes away, who dies, and how time passes.
//! - `verdict`: whether what is stored, what was answered and what streams say agree.

mod client;
mod creation;
mod gate;
mod gated_engine;
mod history;
mod late_answers;
mod plan;
mod recorded_engine;
mod rng;
mod schedule;
mod server;
mod verdict;

use std::ops::Range;
use std::panic::catch_unwind;

use monotable_storage::testing::contended::ContendedEngine;
use monotable_storage::testing::lossy::LossyEngine;

use gate::Call;
use recorded_engine::RecordedEngine;
use schedule::Schedule;

/// How many seeds are played if nobody says.
const SEEDS: u64 = 50;

#[test]
fn histories_of_several_databases_agree_with_what_was_answered() {
    let fails = |seed: &u64| catch_unwind(|| play(*seed)).is_err();
    let failing: Vec<u64> = seeds().filter(fails).collect();
    assert!(
        failing.is_empty(),
        "seeds that fail, each to be played by MONOTABLE_SEEDS=N..: {failing:?}"
    );
}

#[test]
fn a_seed_gives_the_same_schedule_twice() {
    for seed in 0..4 {
        let (first, second) = (play(seed), play(seed));
        assert!(first.len() > 1000, "seed {seed} makes {} calls only", first.len());
        let differing = first.iter().zip(&second).position(|(first, second)| first != second);
        assert_eq!(differing.map(|at| (at, first[at], second[at])), None, "seed {seed}");
        assert_eq!(first.len(), second.len(), "seed {seed}");
    }
}

/// Plays a history and speaks the verdict on it; gives the calls that were made.
fn play(seed: u64) -> Vec<Call> {
    let recorded = RecordedEngine::new();
    match seed % 4 {
        0 | 1 => Schedule::new(seed, recorded.clone(), recorded).play(),
        2 => Schedule::new(seed, recorded.clone(), ContendedEngine::new(recorded)).play(),
        _ => {
            let lossy = LossyEngine::new(ContendedEngine::new(recorded.clone()));
            Schedule::new(seed, recorded, lossy).play()
        }
    }
}

/// The seeds that are to be played.
fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("MONOTABLE_SEEDS") else { return 0..SEEDS };
    let number = |text: &str| text.parse().expect("MONOTABLE_SEEDS is a number or a range");
    match text.split_once("..") {
        Some((from, "")) => number(from)..number(from) + 1,
        Some((from, to)) => number(from)..number(to),
        None => 0..number(&text),
    }
}

//! Several databases on one store.
//!
//! `simulation` plays random histories: two to four databases, their clients and a store clock, all
//! in one thread, with one call to the engine going on at a time. Which one is drawn from a seed,
//! so a seed that fails fails again.
//! `MONOTABLE_SEEDS=1000` plays the seeds up to that, `MONOTABLE_SEEDS=700..800` those between,
//! `MONOTABLE_SEEDS=700..` that one.

mod simulation;

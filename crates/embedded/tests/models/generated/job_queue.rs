//! A bounded job queue
//!
//! Tables, entities and access patterns of the model `job-queue`, written by `monotable model
//! export --to rust`.

use std::collections::BTreeSet;

use monotable::prelude::*;
use monotable::{Number, if_missing, insert_all, remove_all};

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", entities(JobQueue,))]
pub struct Data;

/// The entity `JobQueue`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(only: pk = "JOBQUEUE", sk = "JOBQUEUE")]
pub struct JobQueue {
    /// The ids of jobs, ten at most
    #[attr(name = "inProgress")]
    pub in_progress: BTreeSet<String>,
}

/// Access pattern: first job.
///
/// Changes nothing if there are jobs
pub fn first_job(db: &Db<Data>, jobs: &BTreeSet<String>) -> job_queue::Patch<Db<Data>> {
    db.patch(JobQueue::only()).in_progress(if_missing(jobs.clone())).or_create()
}

/// Access pattern: add job if there is room.
///
/// Refused before the first job, since the size of nothing is no number
pub fn add_job_if_there_is_room(
    db: &Db<Data>,
    jobs: &BTreeSet<String>,
    max: Number,
) -> job_queue::Patch<Db<Data>> {
    db.patch(JobQueue::only())
        .in_progress(insert_all(jobs.clone()))
        .when(JobQueue::IN_PROGRESS.size().lt(max))
}

/// Access pattern: add job, any number of times.
///
/// Serves the first job as well, and a repeated one while the queue is full
pub fn add_job_any_number_of_times(
    db: &Db<Data>,
    jobs: &BTreeSet<String>,
    max: Number,
    job: &str,
) -> job_queue::Patch<Db<Data>> {
    db.patch(JobQueue::only())
        .in_progress(insert_all(jobs.clone()))
        .when(
            JobQueue::IN_PROGRESS.is_missing()
                | JobQueue::IN_PROGRESS.size().lt(max)
                | JobQueue::IN_PROGRESS.contains(job),
        )
        .or_create()
}

/// Access pattern: finish job.
pub fn finish_job(db: &Db<Data>, jobs: &BTreeSet<String>) -> job_queue::Patch<Db<Data>> {
    db.patch(JobQueue::only()).in_progress(remove_all(jobs.clone())).or_create()
}

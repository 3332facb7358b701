//! `singletons.md`

use std::collections::BTreeSet;

use monotable::assert_cost;
use monotable::db::TransactError;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Board, Job))]
pub struct Jobs;

/// There is one of it: its key has no parts.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Jobs)]
#[key(only: pk = "BOARD", sk = "BOARD")]
pub struct Board {
    pub running: BTreeSet<String>,
}

#[derive(KeyPart, Debug, Clone, Copy, PartialEq)]
pub enum State {
    Waiting,
    Running,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Jobs)]
#[key(by_id: pk = "JOB#{id}", sk = "JOB")]
pub struct Job {
    pub id: String,
    pub state: State,
}

#[derive(Debug, PartialEq)]
pub enum Refused {
    Full,
    NotWaiting,
}

const RUNNING_MAX: i64 = 2;

/// Starts a job, unless as many are running as may.
async fn start(db: &Db<Jobs>, id: &str) -> Result<(), TransactError<Refused>> {
    // An empty set is an attribute that is missing.
    let has_room = Board::RUNNING.is_missing() | Board::RUNNING.size().lt(RUNNING_MAX.into());
    db.transaction()
        .patch(patch(Board::only()).running(insert(id)).when(has_room))
        .or(Refused::Full)
        .patch(patch(Job::by_id(id)).state(State::Running).when(Job::STATE.is(State::Waiting)))
        .or(Refused::NotWaiting)
        .await
}

#[tokio::test]
async fn a_guard_counts_for_everybody() -> Outcome {
    let db = Jobs::open("jobs", Embedded::in_memory());
    db.create_table().await?;
    for id in ["a", "b", "c"] {
        db.create(&Job { id: id.to_owned(), state: State::Waiting }).await?;
    }
    db.create(&Board { running: BTreeSet::new() }).await?;
    start(&db, "a").await?;
    assert_cost!(db, 4.0 WCU, { start(&db, "b").await? });
    match start(&db, "c").await {
        Err(TransactError::Refused(refusal)) => {
            assert_eq!(refusal.error, Some(Refused::Full));
            let board: Option<Board> = refusal.current();
            assert_eq!(board.map(|it| it.running.len()), Some(2));
        }
        other => panic!("{other:?}"),
    }
    db.patch(Board::only()).running(remove("a")).await?;
    start(&db, "c").await?;
    match start(&db, "a").await {
        Err(TransactError::Refused(refusal)) => assert_eq!(refusal.error, Some(Refused::Full)),
        other => panic!("{other:?}"),
    }
    Ok(())
}

//! The tasks that commit: each takes all waiting transactions and turns them into one.
//!
//! A lone transaction is committed at once. Under load, those that arrive while all tasks are busy
//! are committed together, so that one sync of the database serves many.

use std::sync::Arc;
use std::time::Duration;

use monotable_storage::{CommitId, Error, ErrorKind, Result, Settled};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::PostgresOptions;
use crate::commit::{Commit, Ending};
use crate::connection::Connector;
use crate::error::{failed, failed_before_writing, takes_no_writes};
use crate::group::{Decided, decide, lock_and_read};
use crate::joining::Joining;
use crate::lock_ids::LockIds;
use crate::member::Member;
use crate::pool::{Pool, Pooled, Purpose};
use crate::settle::settle;
use crate::timing::within;
use crate::trouble::Trouble;

/// How many transactions may wait before callers do.
const QUEUE_MEMBERS_MAX: usize = 1024;

/// How many transactions are joined at most.
const GROUP_MEMBERS_MAX: usize = 128;

/// How many locks a group takes in the database at most, unless its last member takes more. All
/// sessions of a database share the room for locks: by default there is room for 64 per connection
/// that is allowed, so for 2,560 of a server with 40, which has four groups under way.
const GROUP_LOCKS_MAX: usize = 400;

/// How many rows a counter has at most.
const SLOTS: i16 = 64;

/// The tasks, and the queue that they take from.
pub(crate) struct Committers {
    pub(crate) queue: mpsc::Sender<Member>,
    pub(crate) joining: Arc<Joining<Member>>,
    pub(crate) tasks: Vec<JoinHandle<()>>,
}

/// Starts the tasks. They end when the sender is dropped, once the queue is empty.
pub(crate) fn start(
    pool: &Arc<Pool>,
    lock_ids: LockIds,
    options: &PostgresOptions,
    seed: u64,
) -> Committers {
    let (sender, joining) = Joining::new(QUEUE_MEMBERS_MAX);
    let slots = (0..SLOTS).cycle().skip(usize::try_from(seed % 64).unwrap_or(0));
    let trouble = Arc::new(Trouble::new("transactions are refused"));
    let task = |slot| {
        let committer = Committer {
            pool: pool.clone(),
            connector: pool.connector().clone(),
            trouble: trouble.clone(),
            lock_ids,
            slot,
            answer_timeout: options.answer_timeout,
            answered: [0; 16],
        };
        pool.connector().handle().spawn(committer.run(joining.clone()))
    };
    let tasks = slots.take(options.writers).map(task).collect();
    Committers { queue: sender, joining, tasks }
}

/// One of the tasks.
struct Committer {
    pool: Arc<Pool>,
    connector: Arc<Connector>,
    trouble: Arc<Trouble>,
    lock_ids: LockIds,
    slot: i16,
    /// A round trip that takes longer is abandoned, and its connection with it.
    answer_timeout: Duration,
    /// The token of the last commit that was answered.
    answered: [u8; 16],
}

impl Committer {
    async fn run(mut self, joining: Arc<Joining<Member>>) {
        while let Some(taken) = joining.take_while(has_room()).await {
            let (alone, joined): (Vec<Member>, Vec<Member>) =
                taken.works.into_iter().partition(|member| member.is_alone);
            if !joined.is_empty() {
                self.run_group(joined).await;
            }
            for member in alone {
                self.run_group(vec![member]).await;
            }
        }
    }

    async fn run_group(&mut self, members: Vec<Member>) {
        let connection = match self.pool.take(Purpose::Writes).await {
            Ok(connection) => connection,
            Err(error) => return refuse_all(members, &error),
        };
        let is_blind = members.iter().all(|member| member.wants.is_nothing());
        let reads = if is_blind {
            members.iter().map(|member| member.wants.reads(&Default::default())).collect()
        } else {
            let start = Instant::now();
            let reads = lock_and_read(&connection, &self.lock_ids, &members);
            let reads = within(self.answer_timeout, reads).await;
            self.connector.counts().read(start.elapsed());
            match reads {
                Ok(Ok(reads)) => reads,
                Ok(Err(error)) => {
                    let is_useless = takes_no_writes(&error);
                    let error = failed_before_writing(error);
                    self.trouble.note(&error);
                    refuse_all(members, &error);
                    if !is_useless {
                        self.roll_back(connection).await;
                    }
                    return;
                }
                Err(_) => {
                    let error = no_answer();
                    self.trouble.note(&error);
                    return refuse_all(members, &error);
                }
            }
        };
        let decided = decide(members, reads).await;
        self.commit(connection, decided, is_blind).await;
    }

    async fn commit(&mut self, connection: Pooled, decided: Decided, is_blind: bool) {
        if decided.changes.is_empty() {
            decided.answer(|| Ok(()));
            if is_blind {
                self.pool.rest(connection);
            } else {
                self.roll_back(connection).await;
            }
            return;
        }
        let Ok(token) = random_token() else {
            decided.answer(|| Err(ErrorKind::Unavailable.into()));
            return self.roll_back(connection).await;
        };
        let commit = Commit {
            changes: &decided.changes,
            begins: is_blind,
            token,
            forgotten: self.answered,
            slot: self.slot,
            lock_ids: self.lock_ids,
        };
        let start = Instant::now();
        let ending = within(self.answer_timeout, commit.run(&connection)).await;
        self.connector.counts().commit(decided.writers.len(), start.elapsed());
        match ending.unwrap_or(Ending::Lost) {
            Ending::Known(Settled::Committed, _) => {
                self.pool.rest(connection);
                self.trouble.note_success();
                self.answered = token;
                decided.answer(|| Ok(()));
            }
            Ending::Known(Settled::NotCommitted, cause) => {
                let is_useless = cause.as_ref().is_some_and(takes_no_writes);
                let error = cause.map_or(ErrorKind::Unavailable.into(), failed);
                self.trouble.note(&error);
                decided.answer(|| Err(error.kind().into()));
                if !is_useless {
                    self.pool.rest(connection);
                }
            }
            Ending::Lost => {
                drop(connection);
                let settled = settle(&self.connector, token).await;
                self.connector.counts().lost(settled);
                tracing::warn!(?settled, "the answer to a commit was lost");
                decided.answer(|| outcome(settled, token));
            }
        }
    }

    /// Ends a transaction that writes nothing, and keeps the connection if it is still usable.
    async fn roll_back(&self, connection: Pooled) {
        let rollback = connection.client.execute(&connection.statements.rollback, &[]);
        if matches!(within(self.answer_timeout, rollback).await, Ok(Ok(_))) {
            self.pool.rest(connection);
        }
    }
}

/// Tells, after each member of a group, whether it has room for another one.
fn has_room() -> impl FnMut(&Member) -> bool {
    let (mut members, mut locks) = (GROUP_MEMBERS_MAX, GROUP_LOCKS_MAX);
    move |member| {
        members = members.saturating_sub(1);
        locks = locks.saturating_sub(member.wants.keys().count());
        members > 0 && locks > 0
    }
}

impl Decided {
    /// Answers all callers and releases their keys.
    fn answer(self, outcome: impl Fn() -> Result<()>) {
        self.writers.into_iter().for_each(|writer| writer.answer(outcome()));
    }
}

/// What a caller is told about a commit whose answer was lost. One that did not happen is retried.
fn outcome(settled: Option<Settled>, token: [u8; 16]) -> Result<()> {
    match settled {
        Some(Settled::Committed) => Ok(()),
        Some(Settled::NotCommitted) => Err(ErrorKind::Conflict.into()),
        None => Err(Error::unknown(CommitId(u128::from_be_bytes(token)))),
    }
}

fn refuse_all(members: Vec<Member>, error: &Error) {
    members.into_iter().for_each(|member| member.refuse(error.kind().into()));
}

/// The database is there, but an answer takes too long.
fn no_answer() -> Error {
    Error::with_source(ErrorKind::Unavailable, "the database does not answer in time")
}

fn random_token() -> Result<[u8; 16], getrandom::Error> {
    let mut token = [0; 16];
    getrandom::fill(&mut token)?;
    Ok(token)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use monotable_storage::{KeyLocks, Wants};

    use super::*;

    /// How many members with so many keys each make a group.
    fn members_of_a_group(keys: usize) -> usize {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut has_room = has_room();
        let mut next = 0_u32;
        let member = || {
            let keys: Vec<Vec<u8>> = (0..keys)
                .map(|_| {
                    next += 1;
                    next.to_be_bytes().to_vec()
                })
                .collect();
            let wants = Wants::locked(&keys);
            let guard = runtime.block_on(Arc::clone(&KeyLocks::new()).lock(&wants));
            Member::new(&wants, guard, false).0
        };
        1 + std::iter::repeat_with(member).take_while(|member| has_room(member)).count()
    }

    #[test]
    fn a_group_has_a_bounded_number_of_members_and_of_locks() {
        assert_eq!(members_of_a_group(1), GROUP_MEMBERS_MAX);
        assert_eq!(members_of_a_group(100), GROUP_LOCKS_MAX / 100);
        assert_eq!(members_of_a_group(1000), 1);
    }
}

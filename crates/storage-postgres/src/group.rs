//! Transactions of several callers, run as one transaction of the database.
//!
//! The first round trip locks the keys of all members and reads them. Each caller decides on its
//! own reads. The second round trip writes what they decided, and commits ([`crate::commit`]).
//!
//! Members never conflict with each other: each holds its keys in this process ([`KeyGuard`])
//! before it joins.
//!
//! [`KeyGuard`]: monotable_storage::KeyGuard

use std::time::Duration;

use monotable_storage::{Batch, ErrorKind, KeyGuard, Reads, Result};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::Error;
use tokio_postgres::types::ToSql;

use crate::changes::Changes;
use crate::connection::Connection;
use crate::key_bounds::KeyBounds;
use crate::lock_ids::LockIds;
use crate::member::{Member, OwnedWants};
use crate::queries;

/// A caller that takes longer to decide is left behind and tries again. That only happens if its
/// task is not scheduled: the others would wait for it with their keys locked.
const DECIDE_TIMEOUT: Duration = Duration::from_secs(1);

/// Locks and reads what all members want, in a transaction that is left open.
pub(crate) async fn lock_and_read(
    connection: &Connection,
    lock_ids: &LockIds,
    members: &[Member],
) -> Result<Vec<Reads>, Error> {
    let (client, statements) = (&connection.client, &connection.statements);
    let keys = || members.iter().flat_map(|member| member.wants.keys());
    let (ids, shared) = lock_ids.of_keys(keys());
    let locks: [&(dyn ToSql + Sync); 2] = [&ids, &shared];
    let (_, _, found) = tokio::try_join!(
        biased;
        client.execute(&statements.begin, &[]),
        client.execute(&statements.lock_keys, &locks),
        queries::get_many(connection, keys().map(|(key, _)| key.as_slice())),
    )?;
    let mut reads = Vec::with_capacity(members.len());
    for member in members {
        reads.push(with_ranges(connection, &member.wants, member.wants.reads(&found)).await?);
    }
    Ok(reads)
}

/// Adds ranges and ends of logs. Few transactions read any, so each costs a round trip.
async fn with_ranges(
    connection: &Connection,
    wants: &OwnedWants,
    reads: Reads,
) -> Result<Reads, Error> {
    if wants.ranges.is_empty() && wants.ends.is_empty() {
        return Ok(reads);
    }
    let mut ranges = Vec::with_capacity(wants.ranges.len());
    for wanted in &wants.ranges {
        ranges.push(match KeyBounds::of(&wanted.range) {
            Some(bounds) => {
                let (direction, limit) = (wanted.direction, wanted.limit);
                queries::range_page(connection, &bounds, direction, limit).await?
            }
            None => Vec::new(),
        });
    }
    let mut ends = Vec::with_capacity(wants.ends.len());
    for log in &wants.ends {
        ends.push(queries::log_end(connection, log).await?);
    }
    Ok(reads.with(ranges, ends))
}

/// Members that write something, and what they write together.
#[derive(Default)]
pub(crate) struct Decided {
    pub(crate) changes: Changes,
    pub(crate) writers: Vec<Writer>,
    /// Keys of members that write nothing, held until the database has released them.
    keepers: Vec<KeyGuard>,
}

/// A member whose batch is in the group.
pub(crate) struct Writer {
    outcome: oneshot::Sender<Result<()>>,
    /// Released after the answer.
    _guard: KeyGuard,
}

impl Writer {
    pub(crate) fn answer(self, outcome: Result<()>) {
        // A caller that is gone needs no answer.
        let _ = self.outcome.send(outcome);
    }
}

/// Gives each member its reads, and collects what they decide, in their order.
pub(crate) async fn decide(members: Vec<Member>, reads: Vec<Reads>) -> Decided {
    let mut waiting = Vec::with_capacity(members.len());
    for (member, reads) in members.into_iter().zip(reads) {
        let is_there = member.reads.send(Ok(reads)).is_ok();
        waiting.push((is_there.then_some(member.decision), member.outcome, member.guard));
    }
    let deadline = Instant::now() + DECIDE_TIMEOUT;
    let mut decided = Decided::default();
    for (decision, outcome, guard) in waiting {
        match batch_of(decision, deadline).await {
            Some(batch) => {
                decided.changes.apply(batch);
                decided.writers.push(Writer { outcome, _guard: guard });
            }
            None => {
                // A member that decided too late is told that nothing was written.
                let _ = outcome.send(Err(ErrorKind::Conflict.into()));
                decided.keepers.push(guard);
            }
        }
    }
    decided
}

async fn batch_of(decision: Option<oneshot::Receiver<Batch>>, deadline: Instant) -> Option<Batch> {
    timeout_at(deadline, decision?).await.ok()?.ok()
}

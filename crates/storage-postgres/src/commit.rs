//! The second round trip: everything that a group writes, and its commit.
//!
//! Rows are written in key order, and logs are locked after everything else, in one order too.
//! Deadlocks are therefore rare; if two groups do get into one, the database resolves it.

use bytes::Bytes;
use monotable_storage::{Key, Settled};
use tokio_postgres::Statement;
use tokio_postgres::types::ToSql;

use crate::changes::{Changes, position};
use crate::connection::Connection;
use crate::error::is_fatal;
use crate::lock_ids::LockIds;
use crate::pipeline::{Failed, Step, in_order};
use crate::queries::is_long;

/// The approximate bytes and the most rows of one statement.
const STATEMENT_BYTES: usize = 4 << 20;
const STATEMENT_ROWS: usize = 4096;

/// How a commit of a group ended.
#[derive(Debug)]
pub(crate) enum Ending {
    /// The outcome is known; there is a reason if nothing was written.
    Known(Settled, Option<tokio_postgres::Error>),
    /// The connection was lost.
    Lost,
}

/// What a group writes, and how.
pub(crate) struct Commit<'a> {
    pub(crate) changes: &'a Changes,
    /// Whether the transaction has yet to begin.
    pub(crate) begins: bool,
    pub(crate) token: [u8; 16],
    /// A token that nobody will ask about again.
    pub(crate) forgotten: [u8; 16],
    /// The slot in which this connection adds to counters, separate from those of others.
    pub(crate) slot: i16,
    pub(crate) lock_ids: LockIds,
}

/// A part of a list of rows that goes into one statement.
struct Rows<'a> {
    keys: Vec<&'a [u8]>,
    values: Vec<&'a [u8]>,
}

impl Commit<'_> {
    /// Writes and commits.
    pub(crate) async fn run(&self, connection: &Connection) -> Ending {
        let (client, statements) = (&connection.client, &connection.statements);
        let changes = self.changes;
        let (puts, long_puts) = puts_of(changes);
        let (deletes, long_deletes): (Vec<&[u8]>, Vec<&[u8]>) = changes
            .writes
            .iter()
            .filter(|(_, value)| value.is_none())
            .map(|(key, _)| key.as_slice())
            .partition(|key| !is_long(key));
        let resets: Vec<&[u8]> = changes.resets.iter().map(Vec::as_slice).collect();
        let (counters, deltas): (Vec<&[u8]>, Vec<i64>) =
            changes.additions.iter().map(|(key, delta)| (key.as_slice(), *delta)).unzip();
        let logs = self.lock_ids.of_logs(changes.appends.iter().map(|(log, _)| log));
        let appends = rows_of(changes.appends.iter().map(|(log, value)| (log, value)));
        let (placed_logs, placed_values): (Vec<&[u8]>, Vec<&[u8]>) =
            changes.placed.iter().map(|entry| (entry.log.as_slice(), entry.value.as_ref())).unzip();
        let positions: Vec<i64> =
            changes.placed.iter().map(|entry| position(entry.position)).collect();
        let last_placed = positions.iter().copied().max().unwrap_or_default();
        let (token, forgotten) = (self.token.as_slice(), self.forgotten.as_slice());
        let tokens: [&(dyn ToSql + Sync); 2] = [&token, &forgotten];

        let mut steps = Steps { connection, steps: Vec::new() };
        if self.begins {
            steps.push(&statements.begin, vec![]);
        }
        let mut puts = puts.iter();
        let first_puts = puts.next();
        if first_puts.is_none() {
            steps.push(&statements.write_token, tokens.to_vec());
        }
        for bounds in &changes.removed {
            steps.push(&statements.delete_range, vec![&bounds.from, &bounds.to]);
            steps.push(&statements.delete_long_range, vec![&bounds.from, &bounds.to]);
        }
        steps.push_unless_empty(&statements.delete, &deletes, vec![&deletes]);
        steps.push_unless_empty(&statements.delete_long, &long_deletes, vec![&long_deletes]);
        if let Some(rows) = first_puts {
            let [token, forgotten] = tokens;
            let parameters = vec![token, forgotten, &rows.keys, &rows.values];
            steps.push(&statements.write_token_and_put, parameters);
        }
        for rows in puts {
            steps.push(&statements.put, vec![&rows.keys, &rows.values]);
        }
        for rows in &long_puts {
            steps.push(&statements.put_long, vec![&rows.keys, &rows.values]);
        }
        for (log, through) in &changes.trims {
            steps.push(&statements.trim, vec![log, through]);
        }
        let placed: [&(dyn ToSql + Sync); 3] = [&placed_logs, &positions, &placed_values];
        steps.push_unless_empty(&statements.place, &positions, placed.to_vec());
        steps.push_unless_empty(&statements.advance, &positions, vec![&last_placed]);
        steps.push_unless_empty(&statements.reset, &resets, vec![&resets]);
        steps.push_unless_empty(&statements.add, &counters, vec![&self.slot, &counters, &deltas]);
        // Positions are assigned under these locks, which last until the commit is visible.
        steps.push_unless_empty(&statements.lock_logs, &logs, vec![&logs]);
        for rows in &appends {
            steps.push(&statements.append, vec![&rows.keys, &rows.values]);
        }
        let commit = steps.steps.len();
        steps.steps.push(Box::pin(client.execute(&statements.commit, &[])));
        ending(in_order(steps.steps).await, commit)
    }
}

/// Queries on their way to a connection.
struct Steps<'a> {
    connection: &'a Connection,
    steps: Vec<Step<'a>>,
}

impl<'a> Steps<'a> {
    fn push(&mut self, statement: &'a Statement, parameters: Vec<&'a (dyn ToSql + Sync)>) {
        let client = &self.connection.client;
        self.steps.push(Box::pin(async move { client.execute(statement, &parameters).await }));
    }

    fn push_unless_empty<T>(
        &mut self,
        statement: &'a Statement,
        list: &[T],
        parameters: Vec<&'a (dyn ToSql + Sync)>,
    ) {
        if !list.is_empty() {
            self.push(statement, parameters);
        }
    }
}

/// An error before the commit undoes everything, provided that the session survived it. After any
/// other error the commit may have happened.
fn ending(outcome: Result<(), Failed>, commit: usize) -> Ending {
    match outcome {
        Ok(()) => Ending::Known(Settled::Committed, None),
        Err(Failed { step, error })
            if step < commit && error.as_db_error().is_some_and(|cause| !is_fatal(cause)) =>
        {
            Ending::Known(Settled::NotCommitted, Some(error))
        }
        Err(_) => Ending::Lost,
    }
}

/// The rows to put, in chunks: keys that fit the index, and long ones.
fn puts_of(changes: &Changes) -> (Vec<Rows<'_>>, Vec<Rows<'_>>) {
    let puts = || changes.writes.iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
    let short = rows_of(puts().filter(|(key, _)| !is_long(key)));
    (short, rows_of(puts().filter(|(key, _)| is_long(key))))
}

/// Splits rows into chunks that fit into statements.
fn rows_of<'a>(entries: impl Iterator<Item = (&'a Key, &'a Bytes)>) -> Vec<Rows<'a>> {
    let mut pieces: Vec<Rows<'a>> = Vec::new();
    let mut bytes = 0;
    for (key, value) in entries {
        bytes += key.len() + value.len();
        match pieces.last_mut() {
            Some(rows) if bytes <= STATEMENT_BYTES && rows.keys.len() < STATEMENT_ROWS => {
                rows.keys.push(key);
                rows.values.push(value);
            }
            _ => {
                bytes = key.len() + value.len();
                pieces.push(Rows { keys: vec![key], values: vec![value] });
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_go_in_pieces_of_a_bounded_size_and_in_order() {
        let value = Bytes::from(vec![0; STATEMENT_BYTES / 3]);
        let keys: Vec<Key> = (0..8_u8).map(|number| vec![number]).collect();
        let pieces = rows_of(keys.iter().map(|key| (key, &value)));
        let sizes: Vec<usize> = pieces.iter().map(|rows| rows.keys.len()).collect();
        assert_eq!(sizes, [2, 2, 2, 2]);
        let sent: Vec<&[u8]> = pieces.iter().flat_map(|rows| rows.keys.clone()).collect();
        assert_eq!(sent, keys.iter().map(Vec::as_slice).collect::<Vec<_>>());
    }
}

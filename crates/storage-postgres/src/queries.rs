//! Reads, on any connection and in any transaction.

use std::collections::HashMap;

use bytes::Bytes;
use monotable_storage::{Direction, Key};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};

use crate::connection::Connection;
use crate::key_bounds::KeyBounds;
use crate::statements::{INDEXED_KEY_BYTES_MAX, NAME_BYTES_MAX};

/// Values by key. Absent keys are left out.
pub(crate) type Found = HashMap<Vec<u8>, Bytes>;

/// Whether a key is too long for the index.
pub(crate) fn is_long(key: &[u8]) -> bool {
    key.len() > INDEXED_KEY_BYTES_MAX
}

/// Reads one value.
pub(crate) async fn get(connection: &Connection, key: &[u8]) -> Result<Option<Bytes>, Error> {
    Ok(get_many(connection, [key].into_iter()).await?.remove(key))
}

/// Reads many values in one consistent query.
pub(crate) async fn get_many(
    connection: &Connection,
    keys: impl Iterator<Item = &[u8]>,
) -> Result<Found, Error> {
    let (long, short): (Vec<&[u8]>, Vec<&[u8]>) = keys.partition(|key| is_long(key));
    if long.is_empty() && short.is_empty() {
        return Ok(Found::new());
    }
    let (client, statements) = (&connection.client, &connection.statements);
    let rows = if long.is_empty() {
        client.query(&statements.get_many, &[&short]).await?
    } else {
        client.query(&statements.get_many_long, &[&short, &long]).await?
    };
    rows.iter().map(|row| Ok((row.try_get(0)?, value_at(row, 1)?))).collect()
}

/// Reads the first entries of a range, from either end.
pub(crate) async fn range_page(
    connection: &Connection,
    bounds: &KeyBounds,
    direction: Direction,
    limit: usize,
) -> Result<Vec<(Key, Bytes)>, Error> {
    let (client, statements) = (&connection.client, &connection.statements);
    let (short, long) = match direction {
        Direction::Forward => (&statements.range_forward, &statements.long_forward),
        Direction::Backward => (&statements.range_backward, &statements.long_backward),
    };
    let at_most = limit_of(limit);
    let parameters: [&(dyn ToSql + Sync); 3] = [&bounds.from, &bounds.to, &at_most];
    let (short, long) =
        tokio::try_join!(client.query(short, &parameters), client.query(long, &parameters))?;
    let entry = |row: &Row| Ok((row.try_get(0)?, value_at(row, 1)?));
    let mut entries = short.iter().map(entry).collect::<Result<Vec<(Key, Bytes)>, Error>>()?;
    if !long.is_empty() {
        entries.extend(long.iter().map(entry).collect::<Result<Vec<_>, Error>>()?);
        entries.sort_unstable_by(|(one, _), (other, _)| match direction {
            Direction::Forward => one.cmp(other),
            Direction::Backward => other.cmp(one),
        });
        entries.truncate(limit);
    }
    Ok(entries)
}

/// Reads the first entries of a log between two positions, from either end.
pub(crate) async fn log_page(
    connection: &Connection,
    log: &[u8],
    positions: (i64, i64),
    direction: Direction,
    limit: usize,
) -> Result<Vec<(i64, Bytes)>, Error> {
    let statement = match direction {
        Direction::Forward => &connection.statements.log_forward,
        Direction::Backward => &connection.statements.log_backward,
    };
    let (first, last) = positions;
    let limit = limit_of(limit);
    let rows = connection.client.query(statement, &[&log, &first, &last, &limit]).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, value_at(row, 1)?))).collect()
}

/// The position of a log's last entry, 0 if it has none.
pub(crate) async fn log_end(connection: &Connection, log: &[u8]) -> Result<u64, Error> {
    let row = connection.client.query_opt(&connection.statements.log_end, &[&log]).await?;
    let position = row.map_or(Ok(0), |row| row.try_get::<_, i64>(0))?;
    Ok(position.cast_unsigned())
}

/// The names of all logs that have entries.
pub(crate) async fn logs(connection: &Connection) -> Result<Vec<Key>, Error> {
    let rows = connection.client.query(&connection.statements.logs, &[]).await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

/// Reads the first counters of a range of names.
pub(crate) async fn counters_page(
    connection: &Connection,
    from: &[u8],
    to: &[u8],
    limit: usize,
) -> Result<Vec<(Key, i64)>, Error> {
    let limit = limit_of(limit);
    let statement = &connection.statements.counters;
    let rows = connection.client.query(statement, &[&from, &to, &limit]).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// An upper bound of all names of counters.
pub(crate) fn end_of_names() -> Key {
    vec![u8::MAX; NAME_BYTES_MAX + 1]
}

fn limit_of(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn value_at(row: &Row, column: usize) -> Result<Bytes, Error> {
    Ok(Bytes::copy_from_slice(row.try_get(column)?))
}

//! What became of a commit whose answer was lost.
//!
//! Every commit writes a token. To find out about a commit, the same token is inserted again: if
//! that succeeds, the commit has not happened and never will, since its own token can no longer be
//! inserted. If the token exists, the commit has happened. If the commit is still under way, the
//! database waits for it.
//!
//! A token that can be seen need not be on the synchronous standby: a commit that waits for it can
//! be seen as soon as its session is ended, or the database was started again, and would be lost
//! with the primary. A transaction that only reads does not wait for a standby. So the token is
//! written once more before the commit is said to have happened: the write comes later in the log,
//! and is answered when both are there.

use std::time::Duration;

use monotable_storage::Settled;
use tokio::time::Instant;

use crate::connection::{Connection, Connector};
use crate::timing::{pause, within};

/// How long to try before the caller is told that the outcome is unknown.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long one answer may take. A commit under way is waited for until the lock times out.
const ASK_TIMEOUT: Duration = Duration::from_secs(8);

const BACK_OFF_FIRST: Duration = Duration::from_millis(50);
const BACK_OFF_MAX: Duration = Duration::from_secs(2);

/// Tries to find out, on new connections, until the time is up.
pub(crate) async fn settle(connector: &Connector, token: [u8; 16]) -> Option<Settled> {
    let deadline = Instant::now() + SETTLE_TIMEOUT;
    let mut back_off = BACK_OFF_FIRST;
    loop {
        if let Ok(connection) = connector.connect().await
            && let Ok(Ok(settled)) = within(ASK_TIMEOUT, ask(&connection, token)).await
        {
            return Some(settled);
        }
        if Instant::now() + back_off > deadline {
            return None;
        }
        pause(back_off).await;
        back_off = (back_off * 2).min(BACK_OFF_MAX);
    }
}

async fn ask(connection: &Connection, token: [u8; 16]) -> Result<Settled, tokio_postgres::Error> {
    let token = token.as_slice();
    let (client, statements) = (&connection.client, &connection.statements);
    if client.execute(&statements.settle_token, &[&token]).await? > 0 {
        return Ok(Settled::NotCommitted);
    }
    client.execute(&statements.confirm_token, &[&token]).await?;
    Ok(Settled::Committed)
}

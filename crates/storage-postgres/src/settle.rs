//! What became of a commit whose answer was lost.
//!
//! Every commit writes a token. Who wants to know writes the same token: if that succeeds, the
//! commit has not happened and never will, as its own token can no longer be written. If the
//! token is there, it has happened. A commit that is still under way is waited for by the
//! database.

use std::time::Duration;

use monotable_storage::Settled;
use tokio::time::Instant;

use crate::connection::{Connection, Connector};
use crate::timing::{pause, within};

/// How long it is tried before the caller is told that it is not known.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long one answer may take. A commit that is under way is waited for until the lock times out.
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
    let statement = &connection.statements.settle_token;
    match connection.client.execute(statement, &[&token]).await? {
        0 => Ok(Settled::Committed),
        _ => Ok(Settled::NotCommitted),
    }
}

//! One connection, from its first byte to its close.
//!
//! It begins with [`crate::plain`], which answers the requests that SDKs send. The first one that is of
//! another kind goes to [`crate::full`], and the connection stays there.

use std::sync::Arc;
use std::time::Duration;

use monotable_database::Clock;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::access::Guard;
use crate::activity::Activity;
use crate::authentication::Peer;
use crate::exchange::Exchange;
use crate::full;
use crate::handler::Handler;
use crate::interruption::Interruptions;
use crate::plain::{self, End};
use crate::recorder::Tape;

/// What a connection has besides its socket.
pub(crate) struct Connection<H> {
    pub(crate) exchange: Arc<Exchange<H>>,
    pub(crate) guard: Arc<Guard>,
    pub(crate) peer: Peer,
    pub(crate) tape: Option<Tape>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) activity: Arc<Activity>,
    pub(crate) interruptions: Interruptions,
    stop: watch::Receiver<bool>,
}

impl<H: Handler> Connection<H> {
    pub(crate) fn new(
        exchange: Arc<Exchange<H>>,
        guard: Arc<Guard>,
        peer: Peer,
        tape: Option<Tape>,
        clock: Arc<dyn Clock>,
        stall_timeout: Duration,
        stop: watch::Receiver<bool>,
    ) -> Connection<H> {
        let activity = Arc::new(Activity::default());
        let interruptions =
            Interruptions::new(activity.clone(), clock.clone(), stall_timeout, stop.clone());
        Connection { exchange, guard, peer, tape, clock, activity, interruptions, stop }
    }

    /// Serves until the client closes the connection, stalls, or the server stops. When it stops, requests in
    /// flight are still answered.
    pub(crate) async fn serve(mut self, mut stream: TcpStream) {
        let result = match plain::serve(&mut self, &mut stream).await {
            Ok(End::Closed) => Ok(()),
            // Few connections come here, so the others should not have the room for it.
            Ok(End::HandOver(arrived)) => Box::pin(full::serve(self, stream, arrived)).await,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = result {
            tracing::debug!(%error, "a connection ended early");
        }
    }

    /// Whether the server stops.
    pub(crate) fn is_stopping(&self) -> bool {
        is_stopping(&self.stop)
    }

    /// Tells whether the server stops, apart from the connection.
    pub(crate) fn stop(&self) -> watch::Receiver<bool> {
        self.stop.clone()
    }
}

/// Ends when the connection is broken, so that nobody is left to hear an answer.
///
/// A client that ends its side of the connection may only have nothing more to send, and waits for
/// its answer. If it has closed the connection, that looks the same until something is written to
/// it, and its calls are finished.
pub(crate) async fn broken(stream: &TcpStream) {
    // An error of asking is one of the connection as well.
    let _ = stream.ready(Interest::ERROR).await;
}

/// Whether the server stops. The flag changes once, from its first value, which nobody has marked as seen.
pub(crate) fn is_stopping(stop: &watch::Receiver<bool>) -> bool {
    stop.has_changed().unwrap_or(true)
}

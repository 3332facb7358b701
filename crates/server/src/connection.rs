//! One connection, from its first byte to its close.
//!
//! It begins with [`crate::plain`], which answers the requests that SDKs send. The first one that
//! is of another kind goes to [`crate::full`], and the connection stays there.

use std::error::Error;
use std::sync::Arc;

use monotable_database::Clock;
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::access::Guard;
use crate::activity::{Activity, Quiet};
use crate::exchange::Exchange;
use crate::full;
use crate::handler::Handler;
use crate::interruption::Interruptions;
use crate::limits::Limits;
use crate::monitor::Origin;
use crate::plain::{self, End};
use crate::tls::{Handshake, Tls, shake_hands};
use crate::transport::Transport;

/// What a connection has besides its socket.
pub(crate) struct Connection<H> {
    pub(crate) exchange: Arc<Exchange<H>>,
    pub(crate) guard: Arc<Guard>,
    pub(crate) origin: Origin,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) activity: Arc<Activity>,
    pub(crate) interruptions: Interruptions,
    stop: watch::Receiver<bool>,
}

impl<H: Handler> Connection<H> {
    pub(crate) fn new(
        exchange: Arc<Exchange<H>>,
        guard: Arc<Guard>,
        origin: Origin,
        clock: Arc<dyn Clock>,
        limits: Arc<Limits>,
        stop: watch::Receiver<bool>,
    ) -> Connection<H> {
        let activity = Arc::new(Activity::default());
        let quiet = Quiet::from(limits.as_ref());
        let interruptions =
            Interruptions::new(activity.clone(), clock.clone(), quiet, stop.clone());
        Connection { exchange, guard, origin, clock, limits, activity, interruptions, stop }
    }

    /// Serves until the client closes the connection, stalls, or the server stops. When it stops,
    /// requests in flight are still answered.
    pub(crate) async fn serve(self, stream: TcpStream, tls: Option<Arc<Tls>>) {
        let result = match tls {
            None => self.converse(stream).await,
            // The state of a handshake is large, and so is that of what follows.
            Some(tls) => Box::pin(self.serve_encrypted(stream, tls)).await,
        };
        if let Err(error) = result {
            tracing::debug!(%error, "a connection ended early");
        }
    }

    async fn serve_encrypted(
        mut self,
        stream: TcpStream,
        tls: Arc<Tls>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let handshake = tokio::select! {
            handshake = shake_hands(&tls, stream) => handshake?,
            () = self.clock.sleep(self.limits.handshake_timeout) => {
                tracing::debug!("closing a connection whose handshake takes too long");
                return Ok(());
            }
            // Nothing that could be answered has begun.
            _ = self.interruptions.next() => return Ok(()),
        };
        match handshake {
            Handshake::Done(stream) => self.converse(*stream).await,
            Handshake::Plain => Ok(()),
        }
    }

    async fn converse<S: Transport>(
        mut self,
        mut stream: S,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        match plain::serve(&mut self, &mut stream).await? {
            End::Closed => Ok(()),
            // Few connections come here, so the others should not have the room for it.
            End::HandOver { arrived, hold } => {
                Box::pin(full::serve(self, stream, arrived, hold)).await
            }
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

/// Whether the server stops. The flag changes once, from its first value, which nobody has marked
/// as seen.
pub(crate) fn is_stopping(stop: &watch::Receiver<bool>) -> bool {
    stop.has_changed().unwrap_or(true)
}

//! The server: accepts connections until it is told to stop, then lets requests in flight finish.

use std::future::Future;
use std::io;
use std::mem;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use monotable_database::{Clock, Ids};
use monotable_identity::Keyring;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::access::{Access, Guard};
use crate::admin::{Admin, AdminClock, DatabaseClock};
use crate::authentication::{Authenticator, Peer};
use crate::connection::Connection;
use crate::exchange::Exchange;
use crate::handler::Handler;
use crate::health::HealthProbe;
use crate::health_text::HealthText;
use crate::limits::{ACCEPT_RETRY_DELAY, Limits, REFUSALS_MAX};
use crate::listener::Listener;
use crate::monitor::{Monitor, Monitoring, Origin};
use crate::recorder::{Recorder, Tape};
use crate::refusal;
use crate::request_id::RequestIds;

/// How the server behaves.
#[derive(Debug, Clone)]
pub struct Options {
    /// The region that the health text names.
    pub region: String,
    /// What clients may take.
    pub limits: Limits,
    /// The clock that clients may read, and move if it is a manual one.
    pub clock: DatabaseClock,
    /// What of the web may use the server.
    pub access: Access,
    /// Knows whether writes are taken.
    pub health: HealthProbe,
    /// What is done about calls besides answering them.
    pub monitoring: Monitoring,
    /// The keys that calls must be signed with. Without, everybody may call.
    pub keyring: Option<Arc<Keyring>>,
}

/// Serves a handler over HTTP.
pub struct Server<H> {
    exchange: Arc<Exchange<H>>,
    recorder: Option<Arc<dyn Recorder>>,
    /// How many connections were recorded.
    recorded: u64,
    limits: Limits,
    access: Access,
    clock: Arc<dyn Clock>,
    connection_slots: Arc<Semaphore>,
    refusal_slots: Arc<Semaphore>,
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl<H: Handler> Server<H> {
    /// A server that is not listening yet. Its timeouts go by `clock`, the time of the machine, whatever the
    /// database goes by.
    pub fn new(handler: H, options: Options, clock: Arc<dyn Clock>, ids: &dyn Ids) -> Server<H> {
        let Options { region, limits, access, health, monitoring, keyring, .. } = options;
        let stop = watch::Sender::new(false);
        let admin_clock = AdminClock::new(options.clock, clock.clone());
        let admin = Admin { clock: admin_clock, health, stop: stop.subscribe() };
        let authenticator =
            keyring.map(|keyring| Authenticator::new(keyring, region.clone(), clock.clone()));
        let exchange = Exchange {
            handler,
            health_text: HealthText::new(&region),
            admin,
            request_ids: RequestIds::new(ids.random()),
            monitor: Monitor::new(monitoring, clock.clone()),
            authenticator,
        };
        Server {
            exchange: Arc::new(exchange),
            recorder: None,
            recorded: 0,
            connection_slots: Arc::new(Semaphore::new(limits.connections_max)),
            refusal_slots: Arc::new(Semaphore::new(REFUSALS_MAX)),
            limits,
            access,
            clock,
            stop,
            tasks: JoinSet::new(),
        }
    }

    /// The same server, with every call given to a recorder.
    pub fn recorded_by(mut self, recorder: Arc<dyn Recorder>) -> Server<H> {
        self.recorder = Some(recorder);
        self
    }

    /// Serves until `stop` ends. Then no more connections are accepted, requests in flight are
    /// answered, and those that take longer than [`Limits::drain_timeout`] are cut off.
    pub async fn serve(mut self, listener: Listener, stop: impl Future<Output = ()>) {
        let mut stop = pin!(stop);
        let access = mem::take(&mut self.access);
        let guard = if self.exchange.wants_signatures() {
            Guard::of_signed_calls(access)
        } else {
            Guard::new(access, &listener)
        };
        let guard = Arc::new(guard);
        loop {
            tokio::select! {
                () = stop.as_mut() => break,
                accepted = listener.accept() => self.admit(accepted, &guard).await,
                Some(_) = self.tasks.join_next() => {}
            }
        }
        // Closing the socket first lets clients that come now see that nobody listens.
        drop(listener);
        self.drain().await;
    }

    async fn admit(&mut self, accepted: io::Result<(TcpStream, SocketAddr)>, guard: &Arc<Guard>) {
        match accepted {
            Ok((stream, address)) => {
                let peer = Peer { address, is_encrypted: false };
                self.start(stream, peer, guard.clone());
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept connections");
                self.clock.sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }

    /// Gives a connection its task, or refuses it when there are too many.
    fn start(&mut self, stream: TcpStream, peer: Peer, guard: Arc<Guard>) {
        let clock = self.clock.clone();
        let exchange = self.exchange.clone();
        let connections = &exchange.monitor().metrics().connections;
        if let Ok(slot) = self.connection_slots.clone().try_acquire_owned() {
            connections.accepted.add(1);
            let stop = self.stop.subscribe();
            let stall_timeout = self.limits.stall_timeout;
            let origin = Origin { peer, tape: self.tape() };
            let open = OpenConnection::new(exchange.clone());
            let connection = Connection::new(exchange, guard, origin, clock, stall_timeout, stop);
            self.tasks.spawn(async move {
                connection.serve(stream).await;
                drop((open, slot));
            });
        } else if let Ok(slot) = self.refusal_slots.clone().try_acquire_owned() {
            connections.refused.add(1);
            tracing::warn!(limit = self.limits.connections_max, "too many connections");
            self.tasks.spawn(async move {
                refusal::refuse(stream, clock.as_ref()).await;
                drop(slot);
            });
        } else {
            connections.refused.add(1);
        }
    }

    /// What the next connection is recorded by.
    fn tape(&mut self) -> Option<Tape> {
        let recorder = self.recorder.clone()?;
        self.recorded += 1;
        Some(Tape::new(recorder, self.recorded))
    }

    async fn drain(mut self) {
        self.stop.send_replace(true);
        let drained = async { while self.tasks.join_next().await.is_some() {} };
        tokio::select! {
            () = drained => return,
            () = self.clock.sleep(self.limits.drain_timeout) => {}
        }
        tracing::warn!(connections = self.tasks.len(), "cut off what would not finish");
        self.tasks.shutdown().await;
    }
}

/// Counts a connection as open, until this is dropped, whatever ends it.
struct OpenConnection<H: Handler>(Arc<Exchange<H>>);

impl<H: Handler> OpenConnection<H> {
    fn new(exchange: Arc<Exchange<H>>) -> OpenConnection<H> {
        exchange.monitor().metrics().connections.open.add(1);
        OpenConnection(exchange)
    }
}

impl<H: Handler> Drop for OpenConnection<H> {
    fn drop(&mut self) {
        self.0.monitor().metrics().connections.open.subtract(1);
    }
}

/// Whether the error is about a client that went away before it was accepted.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

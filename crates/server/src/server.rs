//! The server: accepts connections until it is told to stop, then lets requests in flight finish.

use std::future::{Future, pending};
use std::io;
use std::mem;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use monotable_database::{Clock, Ids};
use monotable_identity::Keyring;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

use crate::access::{Access, Guard, Scheme};
use crate::admin::{Admin, AdminClock, DatabaseClock};
use crate::authentication::{Authenticator, Peer};
use crate::capacity::Capacity;
use crate::connection::Connection;
use crate::exchange::Exchange;
use crate::handler::Handler;
use crate::health::HealthProbe;
use crate::health_text::HealthText;
use crate::limits::{ACCEPT_RETRY_DELAY, Limits, REFUSALS_MAX};
use crate::listener::Listener;
use crate::monitor::{Monitor, Monitoring, Origin};
use crate::pages::Pages;
use crate::peers::{PeerSlot, Peers, TooMany};
use crate::recorder::{Recorder, Tape};
use crate::refusal;
use crate::request_id::RequestIds;
use crate::tls::Tls;

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
    /// What people see who come with a browser, if anything.
    pub pages: Option<Arc<dyn Pages>>,
}

/// Serves a handler over HTTP.
pub struct Server<H> {
    exchange: Arc<Exchange<H>>,
    recorder: Option<Arc<dyn Recorder>>,
    /// How many connections were recorded.
    recorded: u64,
    limits: Arc<Limits>,
    access: Access,
    tls: Option<Arc<Tls>>,
    clock: Arc<dyn Clock>,
    peers: Arc<Peers>,
    connection_slots: Arc<Semaphore>,
    refusal_slots: Arc<Semaphore>,
    /// Tells whoever asks that the server stops, or is about to.
    leaving: watch::Sender<bool>,
    /// Tells connections that the server stops.
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl<H: Handler> Server<H> {
    /// A server that is not listening yet. Its timeouts go by `clock`, the time of the machine,
    /// whatever the database goes by.
    pub fn new(handler: H, options: Options, clock: Arc<dyn Clock>, ids: &dyn Ids) -> Server<H> {
        let Options { region, limits, access, health, monitoring, keyring, pages, .. } = options;
        let leaving = watch::Sender::new(false);
        let admin_clock = AdminClock::new(options.clock, clock.clone());
        let admin = Admin { clock: admin_clock, health, leaving: leaving.subscribe() };
        let authenticator =
            keyring.map(|keyring| Authenticator::new(keyring, region.clone(), clock.clone()));
        let exchange = Exchange {
            handler,
            health_text: HealthText::new(&region),
            admin,
            request_ids: RequestIds::new(ids.random()),
            capacity: Capacity::new(&limits, clock.clone()),
            monitor: Monitor::new(monitoring, clock.clone()),
            authenticator,
            pages,
        };
        Server {
            exchange: Arc::new(exchange),
            recorder: None,
            recorded: 0,
            connection_slots: Arc::new(Semaphore::new(limits.connections_max)),
            refusal_slots: Arc::new(Semaphore::new(REFUSALS_MAX)),
            limits: Arc::new(limits),
            access,
            tls: None,
            clock,
            peers: Arc::default(),
            leaving,
            stop: watch::Sender::new(false),
            tasks: JoinSet::new(),
        }
    }

    /// The same server, with every call given to a recorder.
    pub fn recorded_by(mut self, recorder: Arc<dyn Recorder>) -> Server<H> {
        self.recorder = Some(recorder);
        self
    }

    /// The same server, which speaks TLS and nothing else.
    pub fn encrypted_by(mut self, tls: Tls) -> Server<H> {
        self.tls = Some(Arc::new(tls));
        self
    }

    /// Serves until `stop` ends, and then for [`Limits::stop_delay`]. After that no more
    /// connections are accepted, requests in flight are answered, and those that take longer than
    /// [`Limits::drain_timeout`] are cut off.
    pub async fn serve(mut self, listener: Listener, stop: impl Future<Output = ()>) {
        let mut stop = pin!(self.leave_after(stop));
        let access = mem::take(&mut self.access);
        let scheme = if self.tls.is_some() { Scheme::Https } else { Scheme::Http };
        let guard = if self.exchange.wants_signatures() {
            Guard::of_signed_calls(access, scheme)
        } else {
            Guard::new(access, &listener, scheme)
        };
        let guard = Arc::new(guard);
        let mut watches = pin!(self.watches());
        loop {
            tokio::select! {
                () = stop.as_mut() => break,
                accepted = listener.accept() => self.admit(accepted, &guard).await,
                Some(_) = self.tasks.join_next() => {}
                () = watches.as_mut() => {}
            }
        }
        // Closing the socket first lets clients that come now see that nobody listens.
        drop(listener);
        self.drain().await;
    }

    /// Waits until the server is told to stop and those who ask have had time to hear of it.
    fn leave_after<S: Future<Output = ()>>(&self, stop: S) -> impl Future<Output = ()> + use<S, H> {
        let (leaving, clock, delay) =
            (self.leaving.clone(), self.clock.clone(), self.limits.stop_delay);
        async move {
            stop.await;
            if delay.is_zero() {
                leaving.send_replace(true);
                return;
            }
            let over = clock.sleep(delay);
            leaving.send_replace(true);
            over.await;
        }
    }

    /// What is looked after as long as connections are accepted. Never ends.
    fn watches(&self) -> impl Future<Output = ()> + use<H> {
        let exchange = self.exchange.clone();
        let (tls, clock) = (self.tls.clone(), self.clock.clone());
        async move {
            let refresh = async {
                match tls {
                    Some(tls) => tls.keep_fresh(clock).await,
                    None => pending().await,
                }
            };
            tokio::join!(exchange.memory().keep_pace(), refresh);
        }
    }

    async fn admit(&mut self, accepted: io::Result<(TcpStream, SocketAddr)>, guard: &Arc<Guard>) {
        match accepted {
            Ok((stream, address)) => {
                let peer = Peer { address, is_encrypted: self.tls.is_some() };
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
        let Some(slot) = self.slot(peer.address) else {
            connections.refused.add(1);
            return self.refuse(stream);
        };
        connections.accepted.add(1);
        let (limits, tls, stop) = (self.limits.clone(), self.tls.clone(), self.stop.subscribe());
        let origin = Origin { peer, tape: self.tape() };
        let open = OpenConnection::new(exchange.clone());
        let connection = Connection::new(exchange, guard, origin, clock, limits, stop);
        self.tasks.spawn(async move {
            connection.serve(stream, tls).await;
            drop((open, slot));
        });
    }

    /// Tells a client that there are too many, if it can be told in passing.
    fn refuse(&mut self, stream: TcpStream) {
        // An answer that is not encrypted would mean nothing to a client that expects TLS.
        let slot = self.refusal_slots.clone().try_acquire_owned();
        if let Some(slot) = slot.ok().filter(|_| self.tls.is_none()) {
            let clock = self.clock.clone();
            self.tasks.spawn(async move {
                refusal::refuse(stream, clock.as_ref()).await;
                drop(slot);
            });
        }
    }

    /// What a connection counts as; none if there are too many.
    fn slot(&self, peer: SocketAddr) -> Option<(OwnedSemaphorePermit, Option<PeerSlot>)> {
        let Ok(slot) = self.connection_slots.clone().try_acquire_owned() else {
            tracing::warn!(limit = self.limits.connections_max, "too many connections");
            return None;
        };
        let limit = self.limits.connections_per_peer;
        match self.peers.admit(peer.ip(), limit) {
            Ok(peer_slot) => Some((slot, peer_slot)),
            Err(TooMany) => {
                tracing::warn!(%peer, limit, "too many connections of one address");
                None
            }
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

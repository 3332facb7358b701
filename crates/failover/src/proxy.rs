//! The way from a server to the databases, which can be cut.
//!
//! A cut drops nothing that a network would not: bytes stay where they are, connections stay open
//! and silent, and new ones are accepted and get no answer. When it is healed, what was held back
//! arrives late, or all connections that there were are reset.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Result;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::watch;

/// What becomes of connections when the way is healed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Healing {
    /// They go on.
    Late,
    /// They are closed.
    Reset,
}

#[derive(Clone, Copy, Debug, Default)]
struct Gate {
    is_cut: bool,
    resets: u64,
}

/// The ways of one server, one per database.
pub(crate) struct Proxy {
    gates: Vec<watch::Sender<Gate>>,
    ports: Vec<u16>,
}

/// Which ways of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ways {
    All,
    /// The one to this database.
    To(usize),
}

impl Proxy {
    /// Listens once for each target.
    pub(crate) fn start(runtime: &Handle, targets: &[u16]) -> Result<Proxy> {
        let mut proxy = Proxy { gates: Vec::new(), ports: Vec::new() };
        for target in targets {
            let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
            proxy.ports.push(listener.local_addr()?.port());
            let target = SocketAddr::from((Ipv4Addr::LOCALHOST, *target));
            let gate = watch::Sender::new(Gate::default());
            runtime.spawn(accept(listener, target, gate.subscribe()));
            proxy.gates.push(gate);
        }
        Ok(proxy)
    }

    pub(crate) fn ports(&self) -> &[u16] {
        &self.ports
    }

    pub(crate) fn cut(&self, ways: Ways) {
        self.change(ways, |gate| gate.is_cut = true);
    }

    pub(crate) fn heal(&self, ways: Ways, healing: Healing) {
        self.change(ways, |gate| {
            gate.is_cut = false;
            gate.resets += u64::from(healing == Healing::Reset);
        });
    }

    fn change(&self, ways: Ways, change: impl Fn(&mut Gate)) {
        for (number, gate) in self.gates.iter().enumerate() {
            if ways == Ways::All || ways == Ways::To(number) {
                gate.send_modify(&change);
            }
        }
    }
}

async fn accept(listener: TcpListener, target: SocketAddr, gate: watch::Receiver<Gate>) {
    while let Ok((client, _)) = listener.accept().await {
        tokio::spawn(connect(client, target, gate.clone()));
    }
}

async fn connect(client: TcpStream, target: SocketAddr, mut gate: watch::Receiver<Gate>) {
    let resets = gate.borrow().resets;
    if !is_open(&mut gate, resets).await {
        return;
    }
    // Without a database the connection is closed, as a machine without one does it.
    let Ok(database) = TcpStream::connect(target).await else { return };
    let _ = (client.set_nodelay(true), database.set_nodelay(true));
    let (client_in, client_out) = client.into_split();
    let (database_in, database_out) = database.into_split();
    let back = tokio::spawn(copy(database_in, client_out, gate.clone(), resets));
    copy(client_in, database_out, gate, resets).await;
    // Who has nothing more to ask may still wait for an answer.
    let _ = back.await;
}

/// Waits until the way is open; returns whether the connection still is.
async fn is_open(gate: &mut watch::Receiver<Gate>, resets: u64) -> bool {
    let healed = gate.wait_for(|gate| !gate.is_cut || gate.resets != resets).await;
    healed.is_ok_and(|gate| gate.resets == resets)
}

async fn copy(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut gate: watch::Receiver<Gate>,
    resets: u64,
) {
    let mut buffer = vec![0; 16 << 10];
    let mut ends = gate.clone();
    let is_reset = |gate: &Gate| gate.resets != resets;
    loop {
        let count = tokio::select! {
            read = from.read(&mut buffer) => read.unwrap_or(0),
            _ = ends.wait_for(is_reset) => 0,
        };
        if !is_open(&mut gate, resets).await || count == 0 {
            break;
        }
        let bytes = buffer.get(..count).unwrap_or_default();
        if to.write_all(bytes).await.is_err() {
            break;
        }
    }
    // Passes the end on; the other half may have closed already.
    let _ = to.shutdown().await;
}

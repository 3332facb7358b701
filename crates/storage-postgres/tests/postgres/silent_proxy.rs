//! The way to the database, on which connections can fall silent: they stay open, what is sent is
//! acknowledged, and nothing arrives.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::store::{runtime, server};

/// What is swallowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swallowed {
    /// What the database answers.
    Answers,
    /// And what it is asked.
    Everything,
}

/// Connections with smaller numbers are silent.
#[derive(Clone, Copy)]
struct Silence {
    below: u64,
    swallowed: Swallowed,
}

/// A proxy in front of the server of this process.
pub(crate) struct SilentProxy {
    port: u16,
    connections: Arc<AtomicU64>,
    silence: Arc<Mutex<Silence>>,
}

impl SilentProxy {
    pub(crate) fn start() -> SilentProxy {
        let listener = runtime().block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
        let listener = listener.expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let connections = Arc::new(AtomicU64::new(0));
        let silence = Silence { below: 0, swallowed: Swallowed::Answers };
        let silence = Arc::new(Mutex::new(silence));
        runtime().spawn(accept(listener, connections.clone(), silence.clone()));
        SilentProxy { port, connections, silence }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Lets all connections fall silent that there are; new ones are not.
    pub(crate) fn silence(&self, swallowed: Swallowed) {
        let below = self.connections.load(Ordering::SeqCst);
        *self.silence.lock().expect("nobody panicked") = Silence { below, swallowed };
    }

    /// How many connections were opened.
    pub(crate) fn connections(&self) -> u64 {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn accept(listener: TcpListener, count: Arc<AtomicU64>, silence: Arc<Mutex<Silence>>) {
    while let Ok((client, _)) = listener.accept().await {
        let number = count.fetch_add(1, Ordering::SeqCst);
        let target = (Ipv4Addr::LOCALHOST, server().port());
        let database = TcpStream::connect(target).await.expect("the server answers");
        let (client_in, client_out) = client.into_split();
        let (database_in, database_out) = database.into_split();
        let silence_now = move |silence: &Mutex<Silence>| {
            let silence = *silence.lock().expect("nobody panicked");
            (number < silence.below).then_some(silence.swallowed)
        };
        let (asked, answered) = (silence.clone(), silence.clone());
        let swallows_question = move || silence_now(&asked) == Some(Swallowed::Everything);
        let swallows_answer = move || silence_now(&answered).is_some();
        tokio::spawn(copy(client_in, database_out, swallows_question));
        tokio::spawn(copy(database_in, client_out, swallows_answer));
    }
}

async fn copy(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    swallows: impl Fn() -> bool,
) {
    let mut buffer = vec![0; 16 << 10];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        if !swallows() && to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
    // Either side may be gone.
    let _ = to.shutdown().await;
}

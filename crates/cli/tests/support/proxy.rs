//! A proxy that lets a number of requests pass and then holds everything, so that a client can be
//! killed at a chosen point and not at a chosen time.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// The way to a server.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    /// Says when the last request has passed.
    pub(crate) is_full: Receiver<()>,
}

struct Gate {
    server: SocketAddr,
    requests: AtomicUsize,
    requests_max: usize,
    full: Mutex<Sender<()>>,
}

impl Proxy {
    /// A proxy that lets so many requests pass.
    pub(crate) fn start(server: SocketAddr, requests_max: usize) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (full, is_full) = channel();
        let requests = AtomicUsize::new(0);
        let gate = Arc::new(Gate { server, requests, requests_max, full: Mutex::new(full) });
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let gate = gate.clone();
                thread::spawn(move || gate.serve(client));
            }
        });
        Proxy { address, is_full }
    }
}

impl Gate {
    /// Passes requests on until there were enough, and answers back for as long as they come.
    fn serve(&self, mut client: TcpStream) -> Option<()> {
        let mut server = TcpStream::connect(self.server).ok()?;
        let (mut from, mut to) = (server.try_clone().ok()?, client.try_clone().ok()?);
        thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Both);
        });
        let mut buffer = vec![0; 1 << 20];
        loop {
            let length = client.read(&mut buffer).ok().filter(|length| *length > 0)?;
            let chunk = &buffer[..length];
            // A client sends the next request of a connection after the answer, so that each begins
            // a chunk.
            if chunk.starts_with(b"POST ") && !self.is_open() {
                let _ = self.full.lock().unwrap().send(());
                return hold(client);
            }
            server.write_all(chunk).ok()?;
        }
    }

    fn is_open(&self) -> bool {
        self.requests.fetch_add(1, Ordering::SeqCst) < self.requests_max
    }
}

/// Takes what comes and answers nothing, until the client is gone.
fn hold(mut client: TcpStream) -> Option<()> {
    let mut buffer = [0; 1024];
    while client.read(&mut buffer).ok()? > 0 {}
    None
}

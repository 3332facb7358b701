//! A small proxy in front of several servers: each connection goes to the next of them that takes
//! one, as with any load balancer.

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, ensure};

/// A running proxy, which takes no more connections once this is dropped.
#[derive(Debug)]
pub struct RoundRobin {
    address: SocketAddr,
    servers: Arc<RwLock<Vec<SocketAddr>>>,
    is_stopped: Arc<AtomicBool>,
    acceptor: Option<JoinHandle<()>>,
}

impl RoundRobin {
    /// Starts a proxy in front of servers at these addresses, such as `http://127.0.0.1:8000`.
    pub fn start(endpoints: &[&str]) -> Result<RoundRobin> {
        let servers: Vec<SocketAddr> =
            endpoints.iter().map(|endpoint| address_of(endpoint)).collect::<Result<_>>()?;
        ensure!(!servers.is_empty(), "a proxy needs servers");
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let servers = Arc::new(RwLock::new(servers));
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (known, stopped) = (servers.clone(), is_stopped.clone());
        let acceptor = thread::spawn(move || accept(&listener, &known, &stopped));
        Ok(RoundRobin { address, servers, is_stopped, acceptor: Some(acceptor) })
    }

    /// Hands connections to the server at this address from now on, in place of another one.
    pub fn replace(&self, number: usize, endpoint: &str) -> Result<()> {
        let mut servers = self.servers.write().unwrap_or_else(PoisonError::into_inner);
        let server = servers.get_mut(number).context("there is no such server")?;
        *server = address_of(endpoint)?;
        Ok(())
    }

    /// Where the proxy listens.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for RoundRobin {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Release);
        // It waits for a connection, and looks around when there is one.
        let _ = TcpStream::connect(self.address);
        if let Some(acceptor) = self.acceptor.take() {
            // A panic of the thread has been printed.
            let _ = acceptor.join();
        }
    }
}

fn address_of(endpoint: &str) -> Result<SocketAddr> {
    let address = endpoint.strip_prefix("http://").context("only plain HTTP is passed on")?;
    address.parse().with_context(|| format!("{endpoint} is not an address"))
}

fn accept(listener: &TcpListener, servers: &RwLock<Vec<SocketAddr>>, is_stopped: &AtomicBool) {
    let turn = AtomicUsize::new(0);
    for client in listener.incoming() {
        if is_stopped.load(Ordering::Acquire) {
            return;
        }
        let Ok(client) = client else { continue };
        let servers = servers.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(server) = next_server(&servers, &turn) {
            // A client whose connection cannot be served finds it closed.
            let _ = pass_on(client, server);
        }
    }
}

/// A connection to the server whose turn it is, or to the first after it that is there.
fn next_server(servers: &[SocketAddr], turn: &AtomicUsize) -> Option<TcpStream> {
    let first = turn.fetch_add(1, Ordering::Relaxed) % servers.len().max(1);
    let (before, after) = servers.split_at_checked(first)?;
    after.iter().chain(before).find_map(|server| TcpStream::connect(server).ok())
}

fn pass_on(client: TcpStream, server: TcpStream) -> io::Result<()> {
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_client, to_server) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || copy(from_client, to_server));
    thread::spawn(move || copy(server, client));
    Ok(())
}

/// Copies until one side ends, and tells the other one.
fn copy(mut from: TcpStream, mut to: TcpStream) {
    // Either side may go away at any time.
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    /// A server that tells its name to whoever connects, and ends after this many.
    fn server(name: u8, connections: usize) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for client in listener.incoming().take(connections) {
                client.unwrap().write_all(&[name]).unwrap();
            }
        });
        endpoint
    }

    fn ask(proxy: &RoundRobin) -> u8 {
        let mut answer = [0];
        TcpStream::connect(proxy.address).unwrap().read_exact(&mut answer).unwrap();
        answer[0]
    }

    #[test]
    fn connections_go_to_all_servers_in_turn() {
        let (first, second) = (server(1, 2), server(2, 2));
        let proxy = RoundRobin::start(&[&first, &second]).unwrap();
        assert_eq!([(); 4].map(|()| ask(&proxy)), [1, 2, 1, 2]);
    }

    #[test]
    fn a_server_that_takes_the_place_of_another_has_its_turns() {
        let (first, second, third) = (server(1, 1), server(2, 2), server(3, 1));
        let proxy = RoundRobin::start(&[&first, &second]).unwrap();
        assert_eq!([ask(&proxy), ask(&proxy)], [1, 2]);
        proxy.replace(0, &third).unwrap();
        assert_eq!([ask(&proxy), ask(&proxy)], [3, 2]);
        assert!(proxy.replace(2, &third).is_err());
    }

    #[test]
    fn a_server_that_is_not_there_is_passed_over() {
        let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let there = server(7, 3);
        let proxy = RoundRobin::start(&[&format!("http://{gone}"), &there]).unwrap();
        assert_eq!([(); 3].map(|()| ask(&proxy)), [7, 7, 7]);
    }
}

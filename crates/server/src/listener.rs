//! Where the server listens: an address that only this machine reaches, if nobody has to prove who
//! they are.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream, lookup_host};

use crate::error::BindError;

/// A bound address. Clients can connect from here on; they are answered once it is served.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    host: String,
    address: SocketAddr,
}

impl Listener {
    /// Listens on a port of a host, given as an address or a name. Port 0 is any free one.
    ///
    /// The host must be loopback: whoever reaches the server may use it.
    pub async fn bind(host: &str, port: u16) -> Result<Listener, BindError> {
        let addresses = resolve(host, port).await?;
        if !addresses.iter().all(|address| address.ip().is_loopback()) {
            return Err(BindError::NotLoopback { host: host.to_owned() });
        }
        Listener::listen(host, port, &addresses).await
    }

    /// Listens on a port of a host that others may reach: the server knows who they are, or
    /// everybody is meant to use it.
    pub async fn bind_public(host: &str, port: u16) -> Result<Listener, BindError> {
        let addresses = resolve(host, port).await?;
        Listener::listen(host, port, &addresses).await
    }

    async fn listen(
        host: &str,
        port: u16,
        addresses: &[SocketAddr],
    ) -> Result<Listener, BindError> {
        let listen = async {
            let socket = TcpListener::bind(addresses).await?;
            let address = socket.local_addr()?;
            Ok(Listener { socket, host: host.to_owned(), address })
        };
        listen.await.map_err(|error| BindError::refused(host, port, error))
    }

    /// The address, with the port that it really has.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The host as it was given.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Waits for the next client; says where it comes from, too.
    pub(crate) async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        let (stream, peer) = self.socket.accept().await?;
        // Answers are written whole, so waiting for more to send would only delay them. A client
        // that is gone already makes this fail, and is found out on the first read.
        let _ = stream.set_nodelay(true);
        Ok((stream, peer))
    }
}

async fn resolve(host: &str, port: u16) -> Result<Vec<SocketAddr>, BindError> {
    let unknown = |source| BindError::UnknownHost { host: host.to_owned(), source };
    let addresses: Vec<SocketAddr> = lookup_host((host, port)).await.map_err(unknown)?.collect();
    if addresses.is_empty() {
        return Err(unknown(io::Error::from(io::ErrorKind::NotFound)));
    }
    Ok(addresses)
}

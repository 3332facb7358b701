//! A connection that blocks, encrypted or not.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use super::guarded_server::GuardedServer;

/// Room for an answer.
const ANSWER_BYTES: usize = 16 * 1024;

/// A connection to a server.
pub(super) struct Wire {
    stream: Box<dyn Stream>,
    arrived: Vec<u8>,
}

trait Stream: Read + Write + Send {}

impl<S: Read + Write + Send> Stream for S {}

impl Wire {
    /// Connects, and shakes hands if the server encrypts.
    pub(super) fn connect(server: &GuardedServer) -> Result<Wire> {
        let plain = TcpStream::connect(server.address)?;
        plain.set_nodelay(true)?;
        let stream: Box<dyn Stream> = if server.guard.encrypts() {
            let name = ServerName::IpAddress(server.address.ip().into());
            let client = ClientConnection::new(Arc::new(trusting(server)?), name)?;
            Box::new(StreamOwned::new(client, plain))
        } else {
            Box::new(plain)
        };
        Ok(Wire { stream, arrived: Vec::with_capacity(ANSWER_BYTES) })
    }

    /// Sends a request and reads its answer, which must be a good one.
    pub(super) fn call(&mut self, request: &[u8]) -> Result<()> {
        self.stream.write_all(request)?;
        self.arrived.clear();
        let mut piece = [0; ANSWER_BYTES];
        loop {
            let count = self.stream.read(&mut piece)?;
            ensure!(count > 0, "the server has closed the connection");
            self.arrived.extend_from_slice(piece.get(..count).unwrap_or_default());
            if is_whole(&self.arrived)? {
                let is_good = self.arrived.starts_with(b"HTTP/1.1 200 ");
                ensure!(is_good, "answered with {}", String::from_utf8_lossy(&self.arrived));
                return Ok(());
            }
        }
    }
}

/// Whether an answer has arrived to its end.
fn is_whole(arrived: &[u8]) -> Result<bool> {
    let Some(end) = arrived.windows(4).position(|bytes| bytes == b"\r\n\r\n") else {
        return Ok(false);
    };
    let head = String::from_utf8_lossy(arrived.get(..end).unwrap_or_default());
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.context("an answer without a length")?.trim().parse()?;
    Ok(arrived.len() >= end + 4 + length)
}

/// A client that trusts the server's own certificate and no other.
fn trusting(server: &GuardedServer) -> Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(server.certificate())? {
        roots.add(certificate?)?;
    }
    Ok(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
}

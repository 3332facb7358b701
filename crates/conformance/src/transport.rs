//! The bytes of a connection: as they are, or encrypted.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use anyhow::{Context, Result};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

/// What is under a connection.
#[derive(Debug)]
pub(crate) enum Transport {
    Plain(TcpStream),
    Encrypted(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Transport {
    /// Encrypts a connection to a host, whose certificate must be of whom `tls` trusts. That is
    /// seen when the first bytes are sent.
    pub(crate) fn encrypt(
        stream: TcpStream,
        host: &str,
        tls: &Arc<ClientConfig>,
    ) -> Result<Transport> {
        let name = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let name = ServerName::try_from(name).with_context(|| format!("{host} is no host"))?;
        let connection = ClientConnection::new(tls.clone(), name)?;
        Ok(Transport::Encrypted(Box::new(StreamOwned::new(connection, stream))))
    }

    pub(crate) fn socket(&self) -> &TcpStream {
        match self {
            Transport::Plain(stream) => stream,
            Transport::Encrypted(stream) => stream.get_ref(),
        }
    }
}

impl Read for Transport {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Transport::Plain(stream) => stream.read(buffer),
            Transport::Encrypted(stream) => stream.read(buffer),
        }
    }
}

impl Write for Transport {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Transport::Plain(stream) => stream.write(bytes),
            Transport::Encrypted(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Transport::Plain(stream) => stream.flush(),
            Transport::Encrypted(stream) => stream.flush(),
        }
    }
}

//! Why the server does not start to listen, or cannot be told what it was told.

use std::io;

/// Why an address cannot be listened on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// Others could reach the address, and anybody who reaches the server may use it.
    #[error(
        "{host} can be reached from other machines, and a server without credentials lets \
         everybody who reaches it read and change everything"
    )]
    NotLoopback {
        /// The host as given.
        host: String,
    },
    /// The name of the host means nothing here.
    #[error("the host {host} cannot be resolved: {source}")]
    UnknownHost {
        /// The host as given.
        host: String,
        /// What the resolver said.
        source: io::Error,
    },
    /// Another process listens there.
    #[error("port {port} of {host} is in use")]
    InUse {
        /// The host as given.
        host: String,
        /// The port as given.
        port: u16,
    },
    /// The operating system keeps the port for others.
    #[error("no permission to listen on port {port} of {host}")]
    NoPermission {
        /// The host as given.
        host: String,
        /// The port as given.
        port: u16,
    },
    /// The operating system refused for another reason.
    #[error("cannot listen on port {port} of {host}: {source}")]
    Io {
        /// The host as given.
        host: String,
        /// The port as given.
        port: u16,
        /// The refusal.
        source: io::Error,
    },
}

/// Why a text does not say who may use the server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccessError {
    /// It is not what browsers send as an origin.
    #[error(
        "an origin has a scheme, a host and perhaps a port, and no path, such as \
         http://localhost:3000; * stands for every origin"
    )]
    NotAnOrigin,
    /// It is what pages without an origin send.
    #[error("every page can make itself one of the origin null; if all may come in, say *")]
    NullOrigin,
    /// It is not a name, nor an address.
    #[error(
        "a host is a name or an address, without scheme and port, such as host.docker.internal"
    )]
    NotAHost,
}

impl BindError {
    /// What the refusal of an address means.
    pub(crate) fn refused(host: &str, port: u16, source: io::Error) -> BindError {
        let host = host.to_owned();
        match source.kind() {
            io::ErrorKind::AddrInUse => BindError::InUse { host, port },
            io::ErrorKind::PermissionDenied => BindError::NoPermission { host, port },
            _ => BindError::Io { host, port, source },
        }
    }
}

//! Why the server does not start to listen.

use std::io;

/// Why an address cannot be listened on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// Others could reach the address, and anybody who reaches the server may use it.
    #[error("{host} can be reached from other machines, and authentication is not available yet")]
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

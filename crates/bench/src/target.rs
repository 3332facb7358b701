//! Whom the load goes to.

use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;

/// The port of `http` addresses that name none, and that of `https`.
const HTTP_PORT: u16 = 80;
const HTTPS_PORT: u16 = 443;

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// DynamoDB's, in JSON over HTTP.
    Http,
    /// That of Redis and Valkey.
    Resp,
}

/// A server that listens.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its name in messages.
    pub title: String,
    /// What requests say that they are for.
    pub host: String,
    /// Where it listens.
    pub address: SocketAddr,
    /// How it is spoken to.
    pub protocol: Protocol,
    /// Who sees to it that the server knows the client and nobody else reads along.
    pub guard: Guard,
    /// Its process, if it runs on this machine and is known: then its processor time and memory are
    /// too.
    pub process: Option<u32>,
}

/// Makes a request one of somebody whom the server knows: the same bytes, with the headers of a
/// signature.
pub type Sign = dyn Fn(&[u8]) -> Vec<u8> + Send + Sync;

/// What is done to requests on their way.
#[derive(Clone, Default)]
pub struct Guard {
    /// Signs requests. Without it they carry a signature that nobody verifies.
    pub signer: Option<Arc<Sign>>,
    /// Encrypts connections, and knows whom to trust.
    pub encryption: Option<Encryption>,
}

/// How connections are encrypted.
#[derive(Debug, Clone)]
pub struct Encryption {
    /// Whom the client trusts.
    pub config: Arc<ClientConfig>,
    /// The name that the certificate must have.
    pub name: ServerName<'static>,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_signed = self.signer.is_some();
        let is_encrypted = self.encryption.is_some();
        f.debug_struct("Guard").field("signs", &is_signed).field("encrypts", &is_encrypted).finish()
    }
}

impl Target {
    /// A server of this machine that was started to be measured.
    pub fn started(title: impl Into<String>, address: SocketAddr, process: u32) -> Target {
        let host = address.to_string();
        let protocol = Protocol::Http;
        let guard = Guard::default();
        Target { title: title.into(), host, address, protocol, guard, process: Some(process) }
    }

    /// The same server, which is spoken to in another way.
    pub fn speaking(self, protocol: Protocol) -> Target {
        Target { protocol, ..self }
    }

    /// The server at an address such as `http://127.0.0.1:8000`.
    pub fn at(title: impl Into<String>, url: &str) -> Result<Target> {
        if url.starts_with("https://") {
            bail!("{url} needs TLS, and nobody said whom to trust");
        }
        Target::guarded(title, url, None, None)
    }

    /// The server at an address such as `https://127.0.0.1:8000`, for a client that trusts whom
    /// this configuration trusts and signs as this one does.
    pub fn guarded(
        title: impl Into<String>,
        url: &str,
        config: Option<Arc<ClientConfig>>,
        signer: Option<Arc<Sign>>,
    ) -> Result<Target> {
        let (host, default_port) = read_host(url)?;
        let (name, port) = split_port(host, default_port)?;
        let mut addresses =
            (name, port).to_socket_addrs().with_context(|| format!("{name} has no address"))?;
        let address = addresses.next().with_context(|| format!("{name} has no address"))?;
        let is_encrypted = default_port == HTTPS_PORT;
        let encryption = config.filter(|_| is_encrypted).map(|config| {
            let name = ServerName::try_from(name.to_owned())
                .with_context(|| format!("{name} can have no certificate"))?;
            anyhow::Ok(Encryption { config, name })
        });
        let guard = Guard { signer, encryption: encryption.transpose()? };
        let (title, host, protocol) = (title.into(), host.to_owned(), Protocol::Http);
        Ok(Target { title, host, address, protocol, guard, process: None })
    }
}

/// The host, with its port if there is one, and the port if there is none.
fn read_host(url: &str) -> Result<(&str, u16)> {
    let plain = url.strip_prefix("http://").map(|rest| (rest, HTTP_PORT));
    let encrypted = url.strip_prefix("https://").map(|rest| (rest, HTTPS_PORT));
    let Some((rest, port)) = plain.or(encrypted) else {
        bail!("{url} is not an address such as http://127.0.0.1:8000");
    };
    let host = rest.split('/').next().unwrap_or_default();
    if host.is_empty() || host.contains(['@', ' ']) {
        bail!("{url} is not an address such as http://127.0.0.1:8000");
    }
    Ok((host, port))
}

/// The name and the port. The address of IPv6 stands in brackets, since it has colons of its own.
fn split_port(host: &str, default_port: u16) -> Result<(&str, u16)> {
    let port = |text: &str| text.parse().with_context(|| format!("{text:?} is no port"));
    if let Some((name, rest)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let number = rest.strip_prefix(':').map_or(Ok(default_port), port)?;
        return Ok((name, number));
    }
    match host.rsplit_once(':') {
        Some((name, number)) => Ok((name, port(number)?)),
        None => Ok((host, default_port)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_host_and_a_port() {
        for (url, host, address) in [
            ("http://127.0.0.1:8000", "127.0.0.1:8000", "127.0.0.1:8000"),
            ("http://127.0.0.1:8000/", "127.0.0.1:8000", "127.0.0.1:8000"),
            ("http://127.0.0.1", "127.0.0.1", "127.0.0.1:80"),
            ("http://[::1]:4567", "[::1]:4567", "[::1]:4567"),
        ] {
            let target = Target::at("a", url).unwrap();
            assert_eq!(
                (target.host.as_str(), target.address.to_string().as_str()),
                (host, address)
            );
        }
    }

    #[test]
    fn what_is_no_http_address_is_refused() {
        for url in ["127.0.0.1:8000", "http://", "http://127.0.0.1:port", "ftp://a"] {
            assert!(Target::at("a", url).is_err(), "{url}");
        }
        let error = Target::at("a", "https://dynamodb.us-east-1.amazonaws.com").unwrap_err();
        assert!(error.to_string().contains("needs TLS"), "{error}");
    }
}

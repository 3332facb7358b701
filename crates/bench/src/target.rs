//! Whom the load goes to.

use std::net::{SocketAddr, ToSocketAddrs};

use anyhow::{Context, Result, bail};

/// The port of `http` addresses that name none.
const HTTP_PORT: u16 = 80;

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
    /// Its process, if it runs on this machine and is known: then its processor time and memory are
    /// too.
    pub process: Option<u32>,
}

impl Target {
    /// A server of this machine that was started to be measured.
    pub fn started(title: impl Into<String>, address: SocketAddr, process: u32) -> Target {
        let host = address.to_string();
        let protocol = Protocol::Http;
        Target { title: title.into(), host, address, protocol, process: Some(process) }
    }

    /// The same server, which is spoken to in another way.
    pub fn speaking(self, protocol: Protocol) -> Target {
        Target { protocol, ..self }
    }

    /// The server at an address such as `http://127.0.0.1:8000`.
    pub fn at(title: impl Into<String>, url: &str) -> Result<Target> {
        let host = read_host(url)?;
        let (name, port) = split_port(host)?;
        let mut addresses =
            (name, port).to_socket_addrs().with_context(|| format!("{name} has no address"))?;
        let address = addresses.next().with_context(|| format!("{name} has no address"))?;
        let (title, host, protocol) = (title.into(), host.to_owned(), Protocol::Http);
        Ok(Target { title, host, address, protocol, process: None })
    }
}

/// The host, with its port if there is one.
fn read_host(url: &str) -> Result<&str> {
    let Some(rest) = url.strip_prefix("http://") else {
        if url.starts_with("https://") {
            bail!("{url} needs TLS and a signature, which this load generator does not make");
        }
        bail!("{url} is no address such as http://127.0.0.1:8000");
    };
    let host = rest.split('/').next().unwrap_or_default();
    if host.is_empty() || host.contains(['@', ' ']) {
        bail!("{url} is no address such as http://127.0.0.1:8000");
    }
    Ok(host)
}

/// The name and the port. The address of IPv6 stands in brackets, since it has colons of its own.
fn split_port(host: &str) -> Result<(&str, u16)> {
    let port = |text: &str| text.parse().with_context(|| format!("{text:?} is no port"));
    if let Some((name, rest)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let number = rest.strip_prefix(':').map_or(Ok(HTTP_PORT), port)?;
        return Ok((name, number));
    }
    match host.rsplit_once(':') {
        Some((name, number)) => Ok((name, port(number)?)),
        None => Ok((host, HTTP_PORT)),
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

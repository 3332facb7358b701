//! Names and addresses by which the server is reached.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use crate::error::AccessError;

/// The longest name that the Domain Name System has.
const NAME_BYTES_MAX: usize = 253;

/// The digits of 65535.
const PORT_DIGITS_MAX: usize = 5;

/// A name or an address that the server answers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedHost(Kind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// In lower case, without the dot that may end it.
    Name(String),
    /// An IPv4 address is never one that is mapped into IPv6.
    Address(IpAddr),
}

impl AllowedHost {
    /// The host in the value of a `Host` header, whatever its port: only the name tells whom the
    /// sender means.
    pub(super) fn of_authority(authority: &[u8]) -> Option<AllowedHost> {
        let authority = str::from_utf8(authority).ok()?;
        if let Some(bracketed) = authority.strip_prefix('[') {
            let (address, port) = bracketed.split_once(']')?;
            let is_valid = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
            let address: Ipv6Addr = address.parse().ok().filter(|_| is_valid)?;
            return Some(AllowedHost::from(IpAddr::from(address)));
        }
        let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
        host.parse().ok().filter(|_| is_port(port))
    }

    /// Whether it is an address that only this machine reaches.
    pub(super) fn is_loopback(&self) -> bool {
        matches!(self.0, Kind::Address(address) if address.is_loopback())
    }
}

fn is_port(text: &str) -> bool {
    text.len() <= PORT_DIGITS_MAX && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl From<IpAddr> for AllowedHost {
    fn from(address: IpAddr) -> AllowedHost {
        AllowedHost(Kind::Address(address.to_canonical()))
    }
}

impl FromStr for AllowedHost {
    type Err = AccessError;

    fn from_str(text: &str) -> Result<AllowedHost, AccessError> {
        if let Ok(address) = text.parse::<IpAddr>() {
            return Ok(AllowedHost::from(address));
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        let is_valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > NAME_BYTES_MAX || !name.chars().all(is_valid) {
            return Err(AccessError::NotAHost);
        }
        Ok(AllowedHost(Kind::Name(name.to_ascii_lowercase())))
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Name(name) => f.write_str(name),
            Kind::Address(address) => write!(f, "{address}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_or_an_address_without_a_port() {
        for (text, expected) in [
            ("Host.Docker.Internal", "host.docker.internal"),
            ("db_1.example.", "db_1.example"),
            ("192.0.2.1", "192.0.2.1"),
            ("0:0::1", "::1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
        ] {
            assert_eq!(text.parse::<AllowedHost>().unwrap().to_string(), expected);
        }
        let long = "a".repeat(NAME_BYTES_MAX + 1);
        for text in ["", ".", "db:8000", "http://db", "*", "a b", "d\u{f6}b", "[::1]", &long] {
            assert!(text.parse::<AllowedHost>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_port_of_an_authority_is_left_out() {
        for (authority, expected) in [
            ("db:8000", Some("db")),
            ("db:", Some("db")),
            ("192.0.2.1:80", Some("192.0.2.1")),
            ("[::1]", Some("::1")),
            ("[::1]:8000", Some("::1")),
            ("[::ffff:127.0.0.1]:1", Some("127.0.0.1")),
            ("::1", None),
            ("[::1]8000", None),
            ("[127.0.0.1]", None),
            ("[::1", None),
            ("db:8000:1", None),
            ("db:123456", None),
            ("db:-1", None),
            ("", None),
        ] {
            let host = AllowedHost::of_authority(authority.as_bytes());
            assert_eq!(host.map(|host| host.to_string()).as_deref(), expected, "{authority}");
        }
    }
}

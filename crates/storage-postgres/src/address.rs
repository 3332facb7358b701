//! Addresses of stores: PostgreSQL connection URIs with a few parameters of our own.
//!
//! | parameter | means |
//! |---|---|
//! | `sslmode` | `disable`, `prefer` (the default), `require`, `verify-ca`, `verify-full` |
//! | `sslrootcert` | a PEM file with the authorities that the server's certificate must come from |
//! | `sslcert`, `sslkey` | PEM files with a certificate of our own and its key |
//! | `schema` | the schema of the database that holds the store |
//!
//! All other parameters are passed to the driver unchanged.

use std::path::PathBuf;

use crate::OpenError;

/// The scheme of an address.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// How much a connection is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SslMode {
    /// Never encrypted.
    Disable,
    /// Encrypted if the server supports it.
    Prefer,
    /// Encrypted, but the server is not verified.
    Require,
    /// The server has a certificate from a trusted authority.
    VerifyCa,
    /// The same, and the certificate is for the host that was asked for.
    VerifyFull,
}

/// What an address says about encryption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Security {
    pub(crate) mode: SslMode,
    pub(crate) authorities: Option<PathBuf>,
    pub(crate) certificate: Option<PathBuf>,
    pub(crate) key: Option<PathBuf>,
}

/// An address, split into its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// What the driver reads.
    pub(crate) uri: String,
    pub(crate) schema: Option<String>,
    pub(crate) security: Security,
}

impl Address {
    /// Splits an address into its parts.
    pub(crate) fn parse(address: &str) -> Result<Address, OpenError> {
        if !SCHEMES.iter().any(|scheme| address.starts_with(scheme)) {
            return Err(OpenError::Scheme);
        }
        // A password may contain characters that otherwise end the host.
        let host = address.find('@').unwrap_or(0);
        let query = address.get(host..).and_then(|rest| rest.find('?')).map(|at| host + at);
        let (uri, query) = match query.and_then(|at| address.split_at_checked(at)) {
            Some((uri, query)) => (uri, query.trim_start_matches('?')),
            None => (address, ""),
        };
        let mut parsed = Address { uri: uri.to_owned(), schema: None, security: Security::new() };
        let mut others = Vec::new();
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            if !parsed.take(name, &decode(value))? {
                others.push(parameter);
            }
        }
        if !others.is_empty() {
            parsed.uri.push('?');
            parsed.uri.push_str(&others.join("&"));
        }
        Ok(parsed)
    }

    /// Returns whether a parameter for the driver has this name.
    pub(crate) fn names(&self, parameter: &str) -> bool {
        let (_, query) = self.uri.rsplit_once('?').unwrap_or_default();
        query.split('&').any(|given| given.split('=').next() == Some(parameter))
    }

    /// Takes a parameter if it is one of ours, and returns whether it was.
    fn take(&mut self, name: &str, value: &str) -> Result<bool, OpenError> {
        let security = &mut self.security;
        match name {
            "schema" => self.schema = Some(value.to_owned()),
            "sslmode" => security.mode = SslMode::parse(value)?,
            "sslrootcert" => security.authorities = Some(value.into()),
            "sslcert" => security.certificate = Some(value.into()),
            "sslkey" => security.key = Some(value.into()),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Security {
    fn new() -> Security {
        Security { mode: SslMode::Prefer, authorities: None, certificate: None, key: None }
    }
}

impl SslMode {
    fn parse(value: &str) -> Result<SslMode, OpenError> {
        Ok(match value {
            "disable" => SslMode::Disable,
            "prefer" => SslMode::Prefer,
            "require" => SslMode::Require,
            "verify-ca" => SslMode::VerifyCa,
            "verify-full" => SslMode::VerifyFull,
            _ => return Err(OpenError::SslMode(value.to_owned())),
        })
    }
}

/// Decodes a value of a URI. Whatever is not an escape stands for itself.
fn decode(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = after.split_first_chunk::<2>().filter(|_| *first == b'%');
        let escaped = escaped.and_then(|(digits, after)| Some((hex(digits)?, after)));
        let (byte, after) = escaped.unwrap_or((*first, after));
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digits: &[u8; 2]) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok()?;
    u8::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_parameters_are_taken_out_and_others_stay() {
        let parsed = Address::parse(
            "postgres://u:p%3Fw@a,b/db?sslmode=verify-full&connect_timeout=3&sslrootcert=%2Fca.pem\
             &schema=tenant_7&target_session_attrs=read-write",
        );
        let parsed = parsed.unwrap();
        let uri = "postgres://u:p%3Fw@a,b/db?connect_timeout=3&target_session_attrs=read-write";
        assert_eq!(parsed.uri, uri);
        assert_eq!(parsed.schema.as_deref(), Some("tenant_7"));
        assert_eq!(parsed.security.mode, SslMode::VerifyFull);
        assert_eq!(parsed.security.authorities, Some("/ca.pem".into()));
    }

    #[test]
    fn an_address_without_parameters_stays_as_it_is() {
        for address in ["postgres://a/db", "postgresql://u@a:1/db", "postgres://u:a?b@c/db"] {
            let parsed = Address::parse(address).unwrap();
            assert_eq!((parsed.uri.as_str(), parsed.schema), (address, None));
            assert_eq!(parsed.security, Security::new());
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        assert!(matches!(Address::parse("./data"), Err(OpenError::Scheme)));
        assert!(matches!(Address::parse("mysql://a/db"), Err(OpenError::Scheme)));
        let mode = Address::parse("postgres://a/db?sslmode=allow");
        assert!(matches!(mode, Err(OpenError::SslMode(mode)) if mode == "allow"));
    }

    #[test]
    fn broken_escapes_stand_for_themselves() {
        assert_eq!(decode("a%20b%2"), "a b%2");
        assert_eq!(decode("100%zz"), "100%zz");
    }
}

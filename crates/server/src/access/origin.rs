//! Origins of pages.

use std::fmt;
use std::str::FromStr;

use crate::error::AccessError;

/// Ports that browsers leave out of the origins of these schemes.
const USUAL_PORTS: [(&str, &str); 2] = [("http://", ":80"), ("https://", ":443")];

/// An origin whose pages may use the server, as browsers send it, or every origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedOrigin(Kind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Every,
    Named(String),
}

impl AllowedOrigin {
    /// Whether this is every origin there is.
    pub fn is_every(&self) -> bool {
        self.0 == Kind::Every
    }

    /// Whether a page of this origin is meant.
    pub(super) fn covers(&self, origin: &[u8]) -> bool {
        match &self.0 {
            Kind::Every => true,
            Kind::Named(named) => origin.eq_ignore_ascii_case(named.as_bytes()),
        }
    }
}

impl FromStr for AllowedOrigin {
    type Err = AccessError;

    fn from_str(text: &str) -> Result<AllowedOrigin, AccessError> {
        if text == "*" {
            return Ok(AllowedOrigin(Kind::Every));
        }
        if text.eq_ignore_ascii_case("null") {
            return Err(AccessError::NullOrigin);
        }
        let (scheme, host) = text.split_once("://").ok_or(AccessError::NotAnOrigin)?;
        if !is_scheme(scheme) || !is_host_and_port(host) {
            return Err(AccessError::NotAnOrigin);
        }
        Ok(AllowedOrigin(Kind::Named(as_sent(text))))
    }
}

/// Extensions and editors have schemes of their own, so any will do.
fn is_scheme(text: &str) -> bool {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_valid)
}

fn is_host_and_port(text: &str) -> bool {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    !text.is_empty() && text.chars().all(is_valid)
}

/// The origin in the form in which browsers send it.
fn as_sent(text: &str) -> String {
    let text = text.to_ascii_lowercase();
    let usual = USUAL_PORTS.iter().find(|(scheme, _)| text.starts_with(scheme));
    match usual.and_then(|(_, port)| text.strip_suffix(port)) {
        Some(without_port) => without_port.to_owned(),
        None => text,
    }
}

impl fmt::Display for AllowedOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Kind::Every => "*",
            Kind::Named(named) => named,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_kept_as_browsers_send_it() {
        for (text, expected) in [
            ("http://localhost:3000", "http://localhost:3000"),
            ("HTTP://LocalHost:3000", "http://localhost:3000"),
            ("http://app.example:80", "http://app.example"),
            ("https://app.example:443", "https://app.example"),
            ("https://app.example:80", "https://app.example:80"),
            ("http://[::1]:3000", "http://[::1]:3000"),
            ("vscode-webview://abc123", "vscode-webview://abc123"),
            ("*", "*"),
        ] {
            assert_eq!(text.parse::<AllowedOrigin>().unwrap().to_string(), expected);
        }
    }

    #[test]
    fn what_is_no_origin_is_refused() {
        for text in [
            "",
            "localhost:3000",
            "http://",
            "://host",
            "http://localhost:3000/",
            "http://localhost:3000/app",
            "http://*.example",
            "http://user@host",
            "http://a b",
            "3000://host",
        ] {
            assert!(
                matches!(text.parse::<AllowedOrigin>(), Err(AccessError::NotAnOrigin)),
                "{text}"
            );
        }
        assert!(matches!("null".parse::<AllowedOrigin>(), Err(AccessError::NullOrigin)));
    }

    #[test]
    fn an_origin_covers_itself_and_no_other() {
        let origin: AllowedOrigin = "http://localhost:3000".parse().unwrap();
        assert!(origin.covers(b"http://localhost:3000") && origin.covers(b"http://LOCALHOST:3000"));
        for other in ["http://localhost:30000", "http://localhost", "https://localhost:3000", ""] {
            assert!(!origin.covers(other.as_bytes()), "{other}");
        }
    }
}

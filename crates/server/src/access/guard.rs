//! Decides whether a request may be answered at all.

use hyper::HeaderMap;
use hyper::header::{HOST, HeaderName, HeaderValue, ORIGIN};
use hyper::http::request::Parts;

use super::denial::Denial;
use super::{Access, AllowedHost, AllowedOrigin};
use crate::admin;
use crate::listener::Listener;

/// What browsers say about where a request was made. Pages cannot change it.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Keeps out what a page that nobody named makes a browser send.
#[derive(Debug)]
pub(crate) struct Guard {
    origins: Vec<AllowedOrigin>,
    /// All names but loopback addresses, of which there are too many to list. None means any name.
    hosts: Option<Vec<AllowedHost>>,
    scheme: Scheme,
}

/// How the pages that the server itself has are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    Http,
    Https,
}

/// What a page may do with the answer to its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Grant {
    /// No page asked, or the server's own, which needs nothing.
    Nothing,
    /// Pages of this origin may read it.
    Origin(HeaderValue),
    /// All pages may read it.
    Everyone,
    /// No page asked, and what asked does not know a name of the server: it may be told how the
    /// server is, in a word. Load balancers go by the addresses of machines.
    Status,
}

impl Guard {
    /// What keeps a server where every call is signed. It answers to any name: a page that has its
    /// name point here gets nowhere, as it has no key to sign with, and the name that was used is
    /// signed.
    pub(crate) fn of_signed_calls(access: Access, scheme: Scheme) -> Guard {
        Guard { origins: access.origins, hosts: None, scheme }
    }

    /// What keeps a server that listens there.
    pub(crate) fn new(access: Access, listener: &Listener, scheme: Scheme) -> Guard {
        let Access { origins, mut hosts } = access;
        hosts.push(AllowedHost::from(listener.address().ip()));
        hosts.extend(["localhost", listener.host()].iter().filter_map(|name| name.parse().ok()));
        Guard { origins, hosts: Some(hosts), scheme }
    }

    /// Whether the value of a `Host` header is a name of the server.
    pub(crate) fn knows(&self, authority: &[u8]) -> bool {
        let Some(hosts) = &self.hosts else { return true };
        let host = AllowedHost::of_authority(authority);
        host.is_some_and(|host| host.is_loopback() || hosts.contains(&host))
    }

    /// Lets a request in, and says what the page that made it may do with the answer.
    pub(crate) fn admit(&self, head: &Parts) -> Result<Grant, Denial> {
        let host = only(&head.headers, &HOST).map_err(|_| Denial::RepeatedHost)?;
        let named = head.uri.authority().map(|authority| authority.as_str().as_bytes());
        // A browser always says whom it means, so a request that does not say it comes from
        // elsewhere.
        for authority in named.into_iter().chain(host.map(HeaderValue::as_bytes)) {
            if !self.knows(authority) {
                if admin::is_open_to_all(head.uri.path()) && is_of_no_page(&head.headers) {
                    return Ok(Grant::Status);
                }
                return Err(Denial::Host { authority: authority.to_vec() });
            }
        }
        self.admit_page(&head.headers, named.or(host.map(HeaderValue::as_bytes)))
    }

    fn admit_page(&self, headers: &HeaderMap, authority: Option<&[u8]>) -> Result<Grant, Denial> {
        let denied = |origin: &HeaderValue| Denial::Origin { origin: origin.as_bytes().to_vec() };
        let Some(origin) = only(headers, &ORIGIN).map_err(denied)? else {
            let is_admitted = !is_from_another_origin(headers) || self.admits_every_page();
            return is_admitted.then_some(Grant::Nothing).ok_or(Denial::CrossSite);
        };
        let is_own = authority
            .is_some_and(|authority| is_origin_of(origin.as_bytes(), self.scheme, authority));
        if is_own && !is_from_another_origin(headers) {
            return Ok(Grant::Nothing);
        }
        self.grant(origin).ok_or_else(|| denied(origin))
    }

    fn grant(&self, origin: &HeaderValue) -> Option<Grant> {
        if self.admits_every_page() {
            return Some(Grant::Everyone);
        }
        let is_named = self.origins.iter().any(|named| named.covers(origin.as_bytes()));
        is_named.then(|| Grant::Origin(origin.clone()))
    }

    fn admits_every_page(&self) -> bool {
        self.origins.iter().any(AllowedOrigin::is_every)
    }
}

/// The value of a header that comes once if at all; an error with the first value if it comes more
/// often.
fn only<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a HeaderValue>, &'a HeaderValue> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(first), Some(_)) => Err(first),
        (first, _) => Ok(first),
    }
}

/// Whether nothing says that a browser sends the request.
fn is_of_no_page(headers: &HeaderMap) -> bool {
    !headers.contains_key(ORIGIN) && !headers.contains_key(SEC_FETCH_SITE)
}

/// Whether the browser says that a page of another origin is behind the request. `none` means that
/// no page is, but a person: an address that was typed, a bookmark.
fn is_from_another_origin(headers: &HeaderMap) -> bool {
    let sites = headers.get_all(SEC_FETCH_SITE);
    sites.iter().any(|site| !matches!(site.as_bytes(), b"same-origin" | b"none"))
}

/// Whether a page of this origin came from the server at this name and port.
fn is_origin_of(origin: &[u8], scheme: Scheme, authority: &[u8]) -> bool {
    let host = match scheme {
        Scheme::Http => origin.strip_prefix(b"http://"),
        Scheme::Https => origin.strip_prefix(b"https://"),
    };
    host.is_some_and(|host| host.eq_ignore_ascii_case(authority))
}

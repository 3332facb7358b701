//! Headers as hyper has them.

use hyper::HeaderMap;
use hyper::http::request::Parts;
use monotable_sigv4::Headers;

/// The headers of a request. HTTP/2 has no `Host`, but an authority that is signed in its place.
pub(crate) struct HeaderMapWithHost<'m> {
    map: &'m HeaderMap,
    authority: Option<&'m str>,
}

impl<'m> From<&'m Parts> for HeaderMapWithHost<'m> {
    fn from(head: &'m Parts) -> HeaderMapWithHost<'m> {
        let authority = head.uri.authority().map(|authority| authority.as_str());
        HeaderMapWithHost { map: &head.headers, authority }
    }
}

impl Headers for HeaderMapWithHost<'_> {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        let mut sent = self.map.get_all(name).iter().map(|value| value.as_bytes()).peekable();
        let is_host = name.eq_ignore_ascii_case("host") && sent.peek().is_none();
        sent.chain(self.authority.filter(|_| is_host).map(str::as_bytes))
    }
}

//! A request as far as signatures are about it.

/// The headers of a request, in whatever form they are at hand.
pub trait Headers {
    /// The values of a header in the order in which they were sent. Names have any case.
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a;

    /// The first value of a header, if it is text.
    fn text<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.values(name).next().and_then(|value| str::from_utf8(value).ok())
    }
}

/// Names and values, in the order in which they are sent.
impl<N: AsRef<str>, V: AsRef<[u8]>> Headers for [(N, V)] {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        let named = self.iter().filter(|(found, _)| found.as_ref().eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_ref())
    }
}

/// What a signature is about.
#[derive(Debug)]
pub struct Request<'a, H: ?Sized> {
    /// The method, such as `POST`.
    pub method: &'a str,
    /// The path as it is sent.
    pub path: &'a str,
    /// The query as it is sent, without its question mark; empty if there is none.
    pub query: &'a str,
    /// The headers.
    pub headers: &'a H,
    /// The body as it is sent.
    pub body: &'a [u8],
}

impl<H: ?Sized> Clone for Request<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: ?Sized> Copy for Request<'_, H> {}

//! Headers as they stand in the bytes of a request.

use monotable_sigv4::Headers;

/// Headers in the order in which they were sent.
pub(crate) struct HeaderList<'h, 'a>(pub(crate) &'h [httparse::Header<'a>]);

impl Headers for HeaderList<'_, '_> {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        let is_named = move |header: &&httparse::Header<'_>| header.name.eq_ignore_ascii_case(name);
        self.0.iter().filter(is_named).map(|header| header.value)
    }
}

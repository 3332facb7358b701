//! Pages for people, on the port of the API.
//!
//! A browser that asks for `/` says that it takes HTML, which no SDK and no health check does. What
//! it gets are files that come from [`Pages`]; where these come from is not known here. They are
//! served with a policy that lets them talk to this server and to nothing else, run no script and
//! apply no style but their own, and stand in nobody's frame.

mod answer;
mod read_only;

use std::fmt;

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header::ACCEPT;

pub(crate) use answer::{answer_file, answer_question};
pub(crate) use read_only::is_refused;

use crate::call_headers::text;

/// Pages for people.
pub trait Pages: fmt::Debug + Send + Sync + 'static {
    /// The page at `/`.
    fn first_page(&self) -> PageFile;

    /// The file at a path below `/_monotable/console/`.
    fn file(&self, path: &str) -> Option<PageFile>;

    /// Answers a question of the pages that is no call of the API, JSON for JSON, or says why it
    /// has no answer. None if there is no such question.
    fn ask(&self, question: &str, body: &str) -> Option<Result<String, String>>;

    /// Whether the pages may not change anything.
    fn is_read_only(&self) -> bool;
}

/// A file of the pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFile {
    /// The value of `Content-Type`.
    pub media_type: &'static str,
    /// The bytes.
    pub bytes: Bytes,
    /// The same bytes, compressed.
    pub gzip: Bytes,
    /// How long browsers may keep it.
    pub freshness: Freshness,
}

/// How long browsers may keep a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It is asked for each time.
    Asked,
    /// What is at this path never changes.
    Eternal,
}

/// Whether whoever asks wants a page, as browsers do, and not DynamoDB's health text.
pub(crate) fn wants_page(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(ACCEPT).iter().filter_map(|value| text(value.as_bytes()));
    accepted.any(|value| {
        let kinds = value.split(',').filter_map(|part| part.split(';').next());
        kinds.map(str::trim).any(|kind| kind.eq_ignore_ascii_case("text/html"))
    })
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn browsers_want_a_page_and_health_checks_do_not() {
        for (accept, expected) in [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
            ("TEXT/HTML;q=0.9", true),
            ("*/*", false),
            ("application/json", false),
            ("text/htmlx", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static(accept));
            assert_eq!(wants_page(&headers), expected, "{accept}");
        }
        assert!(!wants_page(&HeaderMap::new()));
    }
}

//! Files and answers as they leave.

use bytes::Bytes;
use hyper::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap,
    HeaderName, HeaderValue, IF_NONE_MATCH, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Response, StatusCode};
use monotable_database::off_worker;
use tokio::sync::Semaphore;

use super::{Freshness, PageFile, Pages};
use crate::response::{self, AnswerBody};

/// What pages may load, and whom they may talk to: only what this server has, and this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// Keeps pages of other origins from getting hold of the window or of the files.
const COOP: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const CORP: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// A year, which is what browsers take for ever.
const ETERNAL: &str = "public, max-age=31536000, immutable";

/// A question may take a while however short it is, so it is never answered on a worker.
const QUESTION_BYTES: usize = off_worker::WORKER_BYTES_MAX + 1;

/// Questions are for people, who ask one at a time: many of them must not take what calls need.
static TURNS: Semaphore = Semaphore::const_new(2);

/// The answer to whoever asks for a file.
pub(crate) fn answer_file(
    file: PageFile,
    headers: &HeaderMap,
    accepts_gzip: bool,
) -> Response<AnswerBody> {
    let tag = format!("\"{:08x}\"", crc32fast::hash(&file.bytes));
    let is_known =
        headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let body = match (is_known, accepts_gzip) {
        (true, _) => Bytes::new(),
        (false, true) => file.gzip,
        (false, false) => file.bytes,
    };
    let mut response = response::ok_with(body);
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else if accepts_gzip {
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    let headers = response.headers_mut();
    response::insert(headers, ETAG.as_str(), tag.as_bytes());
    let kept = match file.freshness {
        Freshness::Asked => "no-cache",
        Freshness::Eternal => ETERNAL,
    };
    for (name, value) in [
        (CONTENT_TYPE, file.media_type),
        (CACHE_CONTROL, kept),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (COOP, "same-origin"),
        (CORP, "same-origin"),
        (VARY, "Accept, Accept-Encoding"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The answer to a question of the pages; none if there is no such question.
pub(crate) async fn answer_question(
    pages: &dyn Pages,
    question: &str,
    body: &[u8],
) -> Option<Result<String, String>> {
    let Ok(body) = str::from_utf8(body) else {
        return Some(Err("the question is not UTF-8".to_owned()));
    };
    let _turn = TURNS.acquire().await;
    off_worker::run(QUESTION_BYTES, || pages.ask(question, body))
}

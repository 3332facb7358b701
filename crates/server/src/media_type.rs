//! The two media types of the API.

use crate::call_headers::text;

const AMAZON_JSON: &str = "application/x-amz-json-1.0";
const PLAIN_JSON: &str = "application/json";

/// How a client names JSON; the answer names it in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MediaType {
    /// `application/x-amz-json-1.0`
    AmazonJson,
    /// `application/json`
    PlainJson,
}

impl MediaType {
    /// What the `Content-Type` of a request says, or none if it is not one that the API takes. A
    /// request without a body needs none.
    pub(crate) fn of(content_type: Option<&[u8]>, body: &[u8]) -> Option<MediaType> {
        // What every SDK sends need not be taken apart.
        if content_type.is_some_and(|sent| sent == AMAZON_JSON.as_bytes()) {
            return Some(MediaType::AmazonJson);
        }
        let named = content_type.and_then(MediaType::named);
        named.or_else(|| body.is_empty().then_some(MediaType::PlainJson))
    }

    /// What a `Content-Type` says, or none if that is neither.
    pub(crate) fn named(content_type: &[u8]) -> Option<MediaType> {
        let name = text(content_type)?.split(';').next()?.trim();
        if name.eq_ignore_ascii_case(AMAZON_JSON) {
            return Some(MediaType::AmazonJson);
        }
        name.eq_ignore_ascii_case(PLAIN_JSON).then_some(MediaType::PlainJson)
    }

    /// The value of the answer's `Content-Type` header.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            MediaType::AmazonJson => AMAZON_JSON,
            MediaType::PlainJson => PLAIN_JSON,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn media_type(sent: Option<&'static str>, body: &[u8]) -> Option<MediaType> {
        MediaType::of(sent.map(str::as_bytes), body)
    }

    #[test]
    fn a_body_needs_one_of_two_media_types() {
        let table: &[(Option<&'static str>, Option<MediaType>)] = &[
            (Some("application/x-amz-json-1.0"), Some(MediaType::AmazonJson)),
            (Some("application/x-amz-json-1.0; charset=utf-8"), Some(MediaType::AmazonJson)),
            (Some("application/json"), Some(MediaType::PlainJson)),
            (Some(" application/json ;charset=utf-8"), Some(MediaType::PlainJson)),
            (Some("Application/JSON"), Some(MediaType::PlainJson)),
            (Some("application/x-amz-json-1.1"), None),
            (Some("application/jsonasdf"), None),
            (Some("text/plain"), None),
            (Some(""), None),
            (None, None),
        ];
        for (sent, expected) in table {
            assert_eq!(media_type(*sent, b"{}"), *expected, "{sent:?}");
        }
    }

    #[test]
    fn an_empty_body_needs_no_media_type() {
        assert_eq!(media_type(None, b""), Some(MediaType::PlainJson));
        assert_eq!(media_type(Some("text/plain"), b""), Some(MediaType::PlainJson));
        assert_eq!(media_type(Some(AMAZON_JSON), b""), Some(MediaType::AmazonJson));
    }
}

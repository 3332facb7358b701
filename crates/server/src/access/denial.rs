//! Why a request is not let in, and what its sender is told.

use bytes::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;

use super::{AllowedHost, AllowedOrigin};
use crate::media_type::MediaType;
use crate::response::{self, AnswerBody};

/// What SDKs are to take a denial for.
const ERROR_TYPE: &str = "com.amazon.coral.service#AccessDeniedException";

/// Why a request is not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Denial {
    /// It means a server of another name.
    Host { authority: Vec<u8> },
    /// It does not say clearly which server it means.
    RepeatedHost,
    /// A page of an origin that was not named made it.
    Origin { origin: Vec<u8> },
    /// A page made it, of which the browser says only that it is of another origin.
    CrossSite,
    /// A page of the server made it, which may not change anything.
    ReadOnlyPage,
}

impl Denial {
    /// The HTTP status of the answer.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Denial::Host { .. } => StatusCode::MISDIRECTED_REQUEST,
            Denial::RepeatedHost => StatusCode::BAD_REQUEST,
            Denial::Origin { .. } | Denial::CrossSite | Denial::ReadOnlyPage => {
                StatusCode::FORBIDDEN
            }
        }
    }

    /// Why, and what to do about it.
    pub(crate) fn reason(&self) -> String {
        match self {
            Denial::Host { authority } => {
                // Only what can be a name is shown: the text may be typed into a terminal.
                let host = AllowedHost::of_authority(authority);
                let name = host.map_or("NAME".to_owned(), |host| host.to_string());
                format!(
                    "the Host of this request is no name of this server; if it should be one, \
                     start the server with monotable serve --allow-host {name}"
                )
            }
            Denial::RepeatedHost => "this request has more than one Host".to_owned(),
            Denial::Origin { origin } => {
                let origin = str::from_utf8(origin).ok().and_then(|text| text.parse().ok());
                let name =
                    origin.map_or("ORIGIN".to_owned(), |name: AllowedOrigin| name.to_string());
                format!(
                    "web pages of this origin may not use this server; if they should, \
                     start the server with monotable serve --allow-origin {name}"
                )
            }
            Denial::CrossSite => {
                "web pages of other origins may not use this server; if one should, \
                 start the server with monotable serve --allow-origin ORIGIN"
                    .to_owned()
            }
            Denial::ReadOnlyPage => "the console of this server is read-only; if it should change \
                 things, start the server with monotable serve --console on"
                .to_owned(),
        }
    }

    /// The answer, as an error that SDKs can read.
    pub(crate) fn answer(&self) -> Response<AnswerBody> {
        let body = json!({ "__type": ERROR_TYPE, "Message": self.reason() });
        let mut response = response::ok_with(Bytes::from(body.to_string()));
        *response.status_mut() = self.status();
        let media_type = HeaderValue::from_static(MediaType::AmazonJson.as_str());
        response.headers_mut().insert(CONTENT_TYPE, media_type);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_repeated_if_it_can_be_one() {
        for (authority, expected) in
            [("evil.example:80", "--allow-host evil.example"), ("a;b", "--allow-host NAME")]
        {
            let reason = Denial::Host { authority: authority.into() }.reason();
            assert!(reason.ends_with(expected), "{reason}");
        }
        for (origin, expected) in [
            ("http://localhost:3000", "--allow-origin http://localhost:3000"),
            ("null", "--allow-origin ORIGIN"),
            ("http://a;b", "--allow-origin ORIGIN"),
        ] {
            let reason = Denial::Origin { origin: origin.into() }.reason();
            assert!(reason.ends_with(expected), "{reason}");
        }
    }
}

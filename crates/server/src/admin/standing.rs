//! What whoever asks for something under `/_monotable/` may see of it.
//!
//! Administrators see everything: keys with `admin = true`, and without credentials the programs of
//! the same machine. Whoever shows the token for metrics sees those. Load balancers and what starts
//! servers have neither a key nor a token, so everybody may ask whether the server lives and
//! whether it is ready, and is answered in a word.

use hyper::header::{AUTHORIZATION, HeaderMap};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use monotable_identity::{AuthenticationError, Caller};
use monotable_sigv4::Secret;

use super::{PREFIX, denied};
use crate::response::AnswerBody;

/// What may be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Everything that the path has.
    Administrator,
    /// A word: a reason may name what the data lies on.
    Stranger,
}

/// What is known of whoever sends a request.
#[derive(Debug)]
pub(crate) enum Sender {
    /// Nobody has to sign, and this is a program on the same machine.
    Local,
    /// Nobody has to sign, and this is another machine.
    Remote,
    /// Who signed it.
    Signed(Caller),
    /// Somebody should have signed it.
    Unknown(AuthenticationError),
}

/// Why a request to an administrator's path is not let in.
#[derive(Debug)]
enum Refused<'a> {
    /// Another machine asks a server that knows nobody.
    Remote { is_of_metrics: bool },
    /// The key is not an administrator's.
    Key,
    /// It is not signed, or not rightly.
    Unknown(&'a AuthenticationError),
    /// It shows another token than that for metrics.
    Token,
}

/// Whether everybody may use a path: load balancers and whoever starts servers ask there.
pub(crate) fn is_open_to_all(path: &str) -> bool {
    matches!(path.strip_prefix(PREFIX), Some("health" | "ready"))
}

/// What the sender of a request may see, or the answer that says why it is nothing. The questions
/// of the console's pages are for everybody who may call.
pub(crate) fn standing(
    head: &Parts,
    sender: &Sender,
    is_question: bool,
    metrics_token: Option<&Secret>,
) -> Result<Standing, Response<AnswerBody>> {
    let is_of_metrics = is_of_metrics(head);
    let shown = bearer(&head.headers).filter(|_| is_of_metrics);
    let refused = match (sender, shown.zip(metrics_token)) {
        (_, Some((shown, token))) if token.matches(shown) => return Ok(Standing::Administrator),
        (_, Some(_)) => Refused::Token,
        (Sender::Local, None) => return Ok(Standing::Administrator),
        (Sender::Signed(caller), None) if caller.is_admin() || is_question => {
            return Ok(Standing::Administrator);
        }
        (Sender::Signed(_), None) => Refused::Key,
        (Sender::Remote, None) => Refused::Remote { is_of_metrics },
        (Sender::Unknown(error), None) => Refused::Unknown(error),
    };
    if is_open_to_all(head.uri.path()) {
        return Ok(Standing::Stranger);
    }
    Err(denied(StatusCode::FORBIDDEN, refused.reason()))
}

impl Refused<'_> {
    /// Why, and what to do about it.
    fn reason(&self) -> String {
        match self {
            Refused::Remote { is_of_metrics } => {
                let more = if *is_of_metrics { " or --metrics-token-file FILE" } else { "" };
                format!(
                    "other machines may not use this on a server without credentials; start it \
                     with monotable serve --credentials FILE{more}"
                )
            }
            Refused::Key => {
                "this key may not be used here; it needs admin = true in the credentials file"
                    .to_owned()
            }
            Refused::Unknown(error) => {
                format!("{error}; sign this request with a key that has admin = true")
            }
            Refused::Token => {
                "this is not the token in the file of --metrics-token-file".to_owned()
            }
        }
    }
}

/// Whether a request reads the metrics.
fn is_of_metrics(head: &Parts) -> bool {
    head.method == Method::GET && head.uri.path().strip_prefix(PREFIX) == Some("metrics")
}

/// The token that a request shows.
fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().filter(|_| values.next().is_none())?.as_bytes();
    let (scheme, token) = value.split_at_checked(b"Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| token.trim_ascii())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hyper::Request;
    use monotable_identity::{Principal, Source};

    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn head(method: &str, path: &str, authorization: Option<&str>) -> Parts {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(value) = authorization {
            request = request.header(AUTHORIZATION, value);
        }
        request.body(()).unwrap().into_parts().0
    }

    fn signed(is_admin: bool) -> Sender {
        let principal = Principal {
            account: "000000000000".to_owned(),
            user: "alice".to_owned(),
            access_key_id: "ALICE".to_owned(),
            policies: Vec::new(),
            is_admin,
        };
        let source =
            Source { address: "192.0.2.1".parse().unwrap(), is_encrypted: false, user_agent: None };
        Sender::Signed(Caller::new(Arc::new(principal), source))
    }

    fn unknown() -> Sender {
        Sender::Unknown(AuthenticationError::UnknownKey)
    }

    fn asked(path: &str, sender: &Sender) -> Result<Standing, u16> {
        let head = head("GET", path, None);
        standing(&head, sender, false, None).map_err(|answer| answer.status().as_u16())
    }

    #[test]
    fn everybody_is_told_in_a_word_whether_the_server_lives_and_is_ready() {
        for path in ["/_monotable/health", "/_monotable/ready"] {
            for stranger in [Sender::Remote, unknown(), signed(false)] {
                assert_eq!(asked(path, &stranger), Ok(Standing::Stranger), "{path} {stranger:?}");
            }
            for known in [Sender::Local, signed(true)] {
                assert_eq!(asked(path, &known), Ok(Standing::Administrator), "{path} {known:?}");
            }
        }
    }

    #[test]
    fn everything_else_is_for_administrators() {
        for path in ["metrics", "clock", "faults", "models", "insights", "reset", "ready/", "x"] {
            let path = format!("/_monotable/{path}");
            for stranger in [Sender::Remote, unknown(), signed(false)] {
                assert_eq!(asked(&path, &stranger), Err(403), "{path} {stranger:?}");
            }
            for known in [Sender::Local, signed(true)] {
                assert_eq!(asked(&path, &known), Ok(Standing::Administrator), "{path} {known:?}");
            }
        }
    }

    #[test]
    fn the_token_is_for_reading_metrics_and_nothing_else() {
        let token = Secret::new(TOKEN.to_owned());
        let seen = |method: &str, path: &str, shown: &str, sender: &Sender| {
            let head = head(method, path, Some(shown));
            standing(&head, sender, false, Some(&token)).is_ok()
        };
        let metrics = "/_monotable/metrics";
        let right = format!("Bearer {TOKEN}");
        for sender in [Sender::Remote, Sender::Local, unknown(), signed(false)] {
            assert!(seen("GET", metrics, &right, &sender), "{sender:?}");
            assert!(seen("GET", metrics, &format!("bearer  {TOKEN} "), &sender), "{sender:?}");
            let others = ["Bearer 0123456789abcdeX", "Bearer ", "Bearer 0123456789abcdef0"];
            for other in others {
                assert!(!seen("GET", metrics, other, &sender), "{other} {sender:?}");
            }
        }
        for sender in [Sender::Remote, unknown(), signed(false)] {
            assert!(!seen("POST", metrics, &right, &sender), "{sender:?}");
            assert!(!seen("GET", "/_monotable/clock", &right, &sender), "{sender:?}");
            assert!(!seen("GET", metrics, TOKEN, &sender), "{sender:?}");
        }
        let without = standing(&head("GET", metrics, Some(&right)), &Sender::Remote, false, None);
        assert!(without.is_err());
    }

    #[test]
    fn whoever_may_call_may_ask_what_the_pages_ask() {
        let head = head("POST", "/_monotable/console/x", None);
        for (sender, is_let_in) in [(signed(false), true), (Sender::Remote, false)] {
            assert_eq!(standing(&head, &sender, true, None).is_ok(), is_let_in, "{sender:?}");
        }
    }
}

//! One request and its answer.
//!
//! The order of the checks is DynamoDB's, and clients can see it: a body that is too large is refused
//! before anything else, then browsers, administrators and health checks are answered, and only what is left is a
//! call. The checks after that (JSON, then the operation's name, then the members) are the handler's.

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Request, Response};

use crate::activity::Activity;
use crate::admin::{self, AdminClock};
use crate::cors;
use crate::handler::{Answer, Handler};
use crate::health::Health;
use crate::media_type::MediaType;
use crate::panic_guard::catch_panic;
use crate::recorder::Tape;
use crate::request::read_body;
use crate::request_id::{RequestId, RequestIds};
use crate::response::{self, AnswerBody, X_AMZN_REQUEST_ID};

/// The header that names the operation of a call.
const X_AMZ_TARGET: &str = "x-amz-target";

/// Makes answers of requests.
pub(crate) struct Exchange<H> {
    handler: H,
    health: Health,
    clock: AdminClock,
    request_ids: RequestIds,
}

impl<H: Handler> Exchange<H> {
    pub(crate) fn new(
        handler: H,
        health: Health,
        clock: AdminClock,
        request_ids: RequestIds,
    ) -> Exchange<H> {
        Exchange { handler, health, clock, request_ids }
    }

    /// Answers one request.
    pub(crate) async fn answer(
        &self,
        request: Request<Incoming>,
        activity: &Activity,
        tape: Option<&Tape>,
    ) -> Response<AnswerBody> {
        let request_id = self.request_ids.next();
        let (head, body) = request.into_parts();
        let mut response = match read_body(&head, body).await {
            Ok(body) => {
                let _working = activity.work();
                self.route(&head, &body, request_id, tape).await
            }
            Err(error) => {
                tracing::debug!(%request_id, %error, "refused a request");
                response::of_body_error(&error)
            }
        };
        let headers = response.headers_mut();
        cors::allow_origin(&head.headers, headers);
        headers.insert(X_AMZN_REQUEST_ID, request_id.header_value());
        response
    }

    /// Finds who answers, by the first check that applies.
    async fn route(
        &self,
        head: &Parts,
        body: &Bytes,
        request_id: RequestId,
        tape: Option<&Tape>,
    ) -> Response<AnswerBody> {
        if let Some(response) = cors::preflight(head) {
            return response;
        }
        if admin::owns(head.uri.path()) {
            return admin::answer(&self.clock, &self.handler, head, body).await;
        }
        if head.method == Method::GET {
            return self.health.answer();
        }
        let media_type = MediaType::of(&head.headers, body).filter(|_| head.method == Method::POST);
        let Some(media_type) = media_type else { return response::unknown_operation() };
        let target = target(&head.headers);
        let answer = self.call(target, body, request_id).await;
        if let Some(tape) = tape {
            tape.record(target, body, &answer);
        }
        response::of_call(answer, media_type, &head.headers)
    }

    async fn call(&self, target: &str, body: &[u8], request_id: RequestId) -> Answer {
        let answer = match catch_panic(self.handler.call(target, body)).await {
            Ok(answer) => answer,
            Err(panicked) => self.handler.failed(&panicked),
        };
        if answer.status >= 500 {
            tracing::error!(%request_id, target, status = answer.status, "a call failed");
        }
        answer
    }
}

/// The name of the operation; empty where DynamoDB sees none.
fn target(headers: &HeaderMap) -> &str {
    headers.get(X_AMZ_TARGET).and_then(|value| value.to_str().ok()).unwrap_or("")
}

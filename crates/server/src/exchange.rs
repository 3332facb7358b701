//! One request and its answer.
//!
//! The order of the checks is DynamoDB's, and clients can see it: a body that is too large is refused
//! before anything else, then browsers, administrators and health checks are answered, and only what is left is a
//! call. The checks after that (JSON, then the operation's name, then the members) are the handler's.

use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response};

use crate::activity::Activity;
use crate::admin::{self, AdminClock};
use crate::answer_mark::AnswerMark;
use crate::call::{Call, CallAnswer};
use crate::call_headers::CallHeaders;
use crate::cors;
use crate::handler::{Answer, Handler};
use crate::health::Health;
use crate::panic_guard::catch_panic;
use crate::recorder::Tape;
use crate::request::read_body;
use crate::request_id::{RequestId, RequestIds};
use crate::response::{self, AnswerBody};

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

    /// An id for the next request.
    pub(crate) fn next_request_id(&self) -> RequestId {
        self.request_ids.next()
    }

    /// Answers one request of any kind.
    pub(crate) async fn answer(
        &self,
        request: Request<Incoming>,
        activity: &Activity,
        tape: Option<&Tape>,
    ) -> Response<AnswerBody> {
        let (head, body) = request.into_parts();
        let headers = CallHeaders::from(&head.headers);
        let request_id = self.next_request_id();
        let mut response = match read_body(&head, &headers, body).await {
            Ok(body) => {
                let _working = activity.work();
                self.route(&head, &headers, &body, request_id, tape).await
            }
            Err(error) => {
                tracing::debug!(%request_id, %error, "refused a request");
                response::of_body_error(&error)
            }
        };
        let mark = AnswerMark { request_id, is_from_page: headers.is_from_page };
        mark.for_each_header(|name, value| response::insert(response.headers_mut(), name, value));
        response
    }

    /// Finds who answers, by the first check that applies.
    async fn route(
        &self,
        head: &Parts,
        headers: &CallHeaders<'_>,
        body: &[u8],
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
        match Call::new(headers, body).filter(|_| head.method == Method::POST) {
            Some(call) => self.call(&call, request_id, tape).await.into(),
            None => response::unknown_operation(),
        }
    }

    /// Answers a request that is known to be a call.
    pub(crate) async fn call(
        &self,
        call: &Call<'_>,
        request_id: RequestId,
        tape: Option<&Tape>,
    ) -> CallAnswer {
        let answer = self.handle(call, request_id).await;
        if let Some(tape) = tape {
            tape.record(call.target, call.body, &answer);
        }
        CallAnswer::new(answer, call)
    }

    async fn handle(&self, call: &Call<'_>, request_id: RequestId) -> Answer {
        let target = call.target;
        let answer = match catch_panic(self.handler.call(target, call.body)).await {
            Ok(answer) => answer,
            Err(panicked) => self.handler.failed(&panicked),
        };
        if answer.status >= 500 {
            tracing::error!(%request_id, target, status = answer.status, "a call failed");
        }
        answer
    }
}

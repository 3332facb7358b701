//! One request and its answer.
//!
//! The order of the checks is DynamoDB's, and clients can see it: a body that is too large is
//! refused before anything else, then whoever may not use the server, then browsers, administrators
//! and health checks are answered, and only what is left is a call. The checks after that (JSON,
//! then the operation's name, then the members) are the handler's.

use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use monotable_api::observation;
use monotable_database::off_worker;

use crate::access::{Denial, Grant, Guard};
use crate::activity::Activity;
use crate::admin::{self, Admin};
use crate::call::{Call, CallAnswer};
use crate::call_headers::CallHeaders;
use crate::cors;
use crate::handler::{Answer, Handler};
use crate::health_text::HealthText;
use crate::monitor::{AuditedCaller, Monitor, Origin, WatchedCall};
use crate::panic_guard::catch_panic;
use crate::request::read_body;
use crate::request_id::{RequestId, RequestIds, X_AMZN_REQUEST_ID};
use crate::response::{self, AnswerBody};

/// How much of a path is recorded.
const ACTION_CHARS_MAX: usize = 200;

/// Makes answers of requests.
pub(crate) struct Exchange<H> {
    handler: H,
    health_text: HealthText,
    admin: Admin,
    request_ids: RequestIds,
    monitor: Monitor,
}

impl<H: Handler> Exchange<H> {
    pub(crate) fn new(
        handler: H,
        health_text: HealthText,
        admin: Admin,
        request_ids: RequestIds,
        monitor: Monitor,
    ) -> Exchange<H> {
        Exchange { handler, health_text, admin, request_ids, monitor }
    }

    /// Watches over calls.
    pub(crate) fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// An id for the next request.
    pub(crate) fn next_request_id(&self) -> RequestId {
        self.request_ids.next()
    }

    /// Answers one request of any kind.
    pub(crate) async fn answer(
        &self,
        request: Request<Incoming>,
        guard: &Guard,
        activity: &Activity,
        origin: &Origin,
    ) -> Response<AnswerBody> {
        let (head, body) = request.into_parts();
        let headers = CallHeaders::from(&head.headers);
        let request_id = self.next_request_id();
        let admission = guard.admit(&head);
        let mut response = match read_body(&head, &headers, body).await {
            Ok(body) => {
                let _working = activity.work();
                match &admission {
                    Ok(grant) => {
                        self.route(&head, &headers, grant, &body, request_id, origin).await
                    }
                    Err(denial) => deny(&head, denial, request_id),
                }
            }
            Err(error) => {
                tracing::debug!(%request_id, %error, "refused a request");
                response::of_body_error(&error)
            }
        };
        self.audit(&head, &admission, response.status(), request_id, origin);
        if let Ok(grant) = &admission {
            cors::mark(response.headers_mut(), grant);
        }
        response::insert(response.headers_mut(), X_AMZN_REQUEST_ID, &request_id.characters());
        response
    }

    /// Finds who answers, by the first check that applies.
    async fn route(
        &self,
        head: &Parts,
        headers: &CallHeaders<'_>,
        grant: &Grant,
        body: &[u8],
        request_id: RequestId,
        origin: &Origin,
    ) -> Response<AnswerBody> {
        if let Some(response) = cors::preflight(head, grant) {
            return response;
        }
        if admin::owns(head.uri.path()) {
            return admin::answer(&self.admin, &self.monitor, &self.handler, head, body).await;
        }
        if head.method == Method::GET {
            return self.health_text.answer();
        }
        match Call::new(headers, body).filter(|_| head.method == Method::POST) {
            Some(call) => self.call(&call, request_id, origin).await.into(),
            None => response::unknown_operation(),
        }
    }

    /// Answers a request that is known to be a call.
    pub(crate) async fn call(
        &self,
        call: &Call<'_>,
        request_id: RequestId,
        origin: &Origin,
    ) -> CallAnswer {
        let watch = self.monitor.watch(WatchedCall {
            request_id,
            target: call.target,
            body: call.body,
            trace_parent: call.trace_parent,
            peer: origin.peer,
            caller: AuditedCaller::default(),
        });
        let (answer, observation) = observation::observe(self.handle(call, request_id)).await;
        if let Some(tape) = &origin.tape {
            tape.record(call.target, call.body, &answer);
        }
        // Compressing takes longer than everything else.
        let answer_bytes = if call.accepts_gzip { answer.body.len() } else { 0 };
        let answer = off_worker::run(answer_bytes, || CallAnswer::new(answer, call));
        watch.answered(&observation, answer.status.as_u16(), answer.body.len());
        answer
    }

    /// Keeps a record of what is no call: requests that are not let in, and changes of the server.
    fn audit(
        &self,
        head: &Parts,
        admission: &Result<Grant, Denial>,
        status: StatusCode,
        request_id: RequestId,
        origin: &Origin,
    ) {
        let is_change = admin::owns(head.uri.path()) && head.method != Method::GET;
        if admission.is_ok() && !is_change {
            return;
        }
        let watched = WatchedCall {
            request_id,
            target: "",
            body: &[],
            trace_parent: None,
            peer: origin.peer,
            caller: AuditedCaller::default(),
        };
        self.monitor.audit_request(action(head), status.as_u16(), &watched);
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

/// What a request is called that is no call. A path may be long.
fn action(head: &Parts) -> String {
    let path: String = head.uri.path().chars().take(ACTION_CHARS_MAX).collect();
    format!("monotable:{} {path}", head.method)
}

/// The answer to a request that is not let in.
fn deny(head: &Parts, denial: &Denial, request_id: RequestId) -> Response<AnswerBody> {
    let reason = denial.reason();
    tracing::info!(%request_id, reason, "refused a request");
    if admin::owns(head.uri.path()) {
        return admin::denied(denial.status(), reason);
    }
    denial.answer()
}

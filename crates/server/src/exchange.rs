//! One request and its answer.
//!
//! The order of the checks is DynamoDB's, and clients can see it: a body that is too large is
//! refused before anything else, then whoever may not use the server, then browsers, administrators
//! and health checks are answered, and only what is left is a call. The checks after that (JSON,
//! then the operation's name, then the members) are the handler's.

use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response};
use monotable_database::{Clock, off_worker};

use crate::access::{Denial, Grant, Guard};
use crate::activity::Activity;
use crate::admin::{self, Admin};
use crate::admission::{Admission, Admitted};
use crate::call::{Call, CallAnswer};
use crate::call_headers::CallHeaders;
use crate::cors;
use crate::handler::{Answer, Handler};
use crate::health_text::HealthText;
use crate::memory::{Hold, Memory, NoRoom, SMALL_BYTES};
use crate::panic_guard::catch_panic;
use crate::recorder::Tape;
use crate::request::{BodyError, RequestBody, read_body};
use crate::request_id::{RequestId, RequestIds, X_AMZN_REQUEST_ID};
use crate::response::{self, AnswerBody};

/// Makes answers of requests.
pub(crate) struct Exchange<H> {
    handler: H,
    health_text: HealthText,
    admin: Admin,
    request_ids: RequestIds,
    capacity: Capacity,
}

/// What all requests share.
pub(crate) struct Capacity {
    pub(crate) memory: Memory,
    pub(crate) admission: Admission,
    pub(crate) queue_timeout: Duration,
    pub(crate) clock: Arc<dyn Clock>,
}

impl<H: Handler> Exchange<H> {
    pub(crate) fn new(
        handler: H,
        health_text: HealthText,
        admin: Admin,
        request_ids: RequestIds,
        capacity: Capacity,
    ) -> Exchange<H> {
        Exchange { handler, health_text, admin, request_ids, capacity }
    }

    /// The memory that requests and answers take.
    pub(crate) fn memory(&self) -> &Memory {
        &self.capacity.memory
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
        activity: &Arc<Activity>,
        tape: Option<&Tape>,
    ) -> Response<AnswerBody> {
        let (head, body) = request.into_parts();
        let under_way = activity.under_way();
        let headers = CallHeaders::from(&head.headers);
        let request_id = self.next_request_id();
        let admission = guard.admit(&head);
        let room = self.memory().body_room(activity);
        let mut response = match read_body(&head, &headers, body, room).await {
            Ok(RequestBody { bytes, hold: _hold }) => {
                let _working = activity.work();
                let request = WholeRequest { head: &head, headers: &headers, body: &bytes };
                match &admission {
                    Ok(grant) => self.route(&request, grant, request_id, tape, activity).await,
                    Err(denial) => deny(&head, denial, request_id),
                }
            }
            Err(error) => {
                tracing::debug!(%request_id, %error, "refused a request");
                self.refuse(&error)
            }
        };
        if let Ok(grant) = &admission {
            cors::mark(response.headers_mut(), grant);
        }
        response::insert(response.headers_mut(), X_AMZN_REQUEST_ID, &request_id.characters());
        response.body_mut().keep_until_sent(under_way);
        response
    }

    /// The answer to a request whose body was not taken.
    fn refuse(&self, error: &BodyError) -> Response<AnswerBody> {
        match error {
            BodyError::NoRoom(NoRoom) => response::last(response::of_busy(self.handler.busy())),
            BodyError::TooLarge | BodyError::Broken(_) => response::of_body_error(error),
        }
    }

    /// Finds who answers, by the first check that applies.
    async fn route(
        &self,
        request: &WholeRequest<'_>,
        grant: &Grant,
        request_id: RequestId,
        tape: Option<&Tape>,
        activity: &Arc<Activity>,
    ) -> Response<AnswerBody> {
        let WholeRequest { head, headers, body } = request;
        if let Some(response) = cors::preflight(head, grant) {
            return response;
        }
        if admin::owns(head.uri.path()) {
            return admin::answer(&self.admin, &self.handler, head, body).await;
        }
        if head.method == Method::GET {
            return self.health_text.answer();
        }
        match Call::new(headers, body).filter(|_| head.method == Method::POST) {
            Some(call) => {
                let mut answer = self.call(&call, request_id, tape, activity).await;
                // Of many requests on one connection small answers count too.
                if !activity.is_alone() && answer.hold.is_none() {
                    let hold = self.memory().work(activity);
                    answer.hold = Some(kept_for(hold, answer.body.len()));
                }
                answer.into()
            }
            None => response::unknown_operation(),
        }
    }

    /// Answers a request that is known to be a call.
    pub(crate) async fn call(
        &self,
        call: &Call<'_>,
        request_id: RequestId,
        tape: Option<&Tape>,
        activity: &Arc<Activity>,
    ) -> CallAnswer {
        let (answer, hold) = match self.admit(call, activity).await {
            Ok((_admitted, hold)) => (self.handle(call, request_id).await, hold),
            Err(NoRoom) => {
                tracing::warn!(%request_id, target = call.target, "too busy for a request");
                (self.handler.busy(), None)
            }
        };
        if let Some(tape) = tape {
            tape.record(call.target, call.body, &answer);
        }
        // Compressing takes longer than everything else.
        let answer_bytes = if call.accepts_gzip { answer.body.len() } else { 0 };
        let mut answer = off_worker::run(answer_bytes, || CallAnswer::new(answer, call));
        if answer.body.len() > SMALL_BYTES {
            let hold = hold.unwrap_or_else(|| self.memory().work(activity));
            answer.hold = Some(kept_for(hold, answer.body.len()));
        }
        answer
    }

    /// Waits until a call may be worked on and there is memory for it.
    #[inline]
    async fn admit(
        &self,
        call: &Call<'_>,
        activity: &Arc<Activity>,
    ) -> Result<(Admitted<'_>, Option<Hold>), NoRoom> {
        let Capacity { memory, admission, .. } = &self.capacity;
        if memory.is_in_debt() {
            memory.until_paid().await?;
        }
        let room_bytes = self.handler.room_bytes(call.target, call.body.len());
        let mut hold = None;
        if room_bytes > 0 {
            memory.grow(hold.insert(memory.work(activity)), room_bytes).await?;
        }
        match admission.try_enter() {
            Some(admitted) => Ok((admitted, hold)),
            None => Ok((self.enter().await?, hold)),
        }
    }

    #[cold]
    async fn enter(&self) -> Result<Admitted<'_>, NoRoom> {
        let Capacity { admission, queue_timeout, clock, .. } = &self.capacity;
        tokio::select! {
            admitted = admission.enter() => Ok(admitted),
            () = clock.sleep(*queue_timeout) => Err(NoRoom),
        }
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

/// A request that has arrived whole.
struct WholeRequest<'a> {
    head: &'a Parts,
    headers: &'a CallHeaders<'a>,
    body: &'a [u8],
}

/// What holds the memory of an answer until the client has taken it.
fn kept_for(mut hold: Hold, answer_bytes: usize) -> Hold {
    hold.settle(answer_bytes);
    hold.set_owed(true);
    hold
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

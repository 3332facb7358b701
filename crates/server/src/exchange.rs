//! One request and its answer.
//!
//! The order of the checks is DynamoDB's, and clients can see it: a body that is too large is
//! refused before anything else, then whoever may not use the server, then browsers, administrators
//! and health checks are answered, and only what is left is a call. Whoever calls must have signed
//! it, if there are credentials. The checks after that (JSON, then the operation's name, then the
//! members) are the handler's. DynamoDB looks at the JSON and the operation's name before the
//! signature; here nothing is read for a stranger.

use std::pin::pin;
use std::sync::{Arc, OnceLock};

use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use monotable_api::observation::{self, Observation};
use monotable_database::off_worker;
use monotable_identity::{AuthenticationError, Caller};
use monotable_sigv4::{self as sigv4, Headers};

use crate::access::{Denial, Grant, Guard};
use crate::activity::Activity;
use crate::admin::{self, Admin, Sender, Standing};
use crate::authentication::{Authenticator, Peer};
use crate::call::{Call, CallAnswer};
use crate::call_headers::{CallHeaders, text};
use crate::capacity::Capacity;
use crate::cors;
use crate::handler::{Answer, Handler};
use crate::health_text::HealthText;
use crate::memory::{Hold, Memory, NoRoom, SMALL_BYTES};
use crate::monitor::{Monitor, Origin, WatchedCall};
use crate::pages::{self, Pages};
use crate::panic_guard::catch_panic;
use crate::request::{BodyError, read_body};
use crate::request_id::{RequestId, RequestIds, X_AMZN_REQUEST_ID};
use crate::response::{self, AnswerBody};
use crate::sent_request::SentRequest;

/// How much of a path an audit log keeps.
const ACTION_CHARS_MAX: usize = 200;

/// Makes answers of requests.
pub(crate) struct Exchange<H> {
    pub(crate) handler: H,
    pub(crate) health_text: HealthText,
    pub(crate) admin: Admin,
    pub(crate) request_ids: RequestIds,
    pub(crate) capacity: Capacity,
    pub(crate) monitor: Monitor,
    /// None if nobody has to prove who they are.
    pub(crate) authenticator: Option<Authenticator>,
    /// None if there is nothing for people to see.
    pub(crate) pages: Option<Arc<dyn Pages>>,
}

/// A connection, as far as its requests need to know.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) origin: &'a Origin,
    pub(crate) activity: &'a Arc<Activity>,
}

impl<H: Handler> Exchange<H> {
    /// Watches over calls.
    pub(crate) fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// The memory that requests and answers take.
    pub(crate) fn memory(&self) -> &Memory {
        &self.capacity.memory
    }

    /// Whether calls must be signed.
    pub(crate) fn wants_signatures(&self) -> bool {
        self.authenticator.is_some()
    }

    /// Finds out who sends a request; anyone, if nobody has to prove it.
    pub(crate) fn identify<S: Headers>(
        &self,
        request: &sigv4::Request<'_, S>,
        peer: Peer,
    ) -> Result<Caller, AuthenticationError> {
        match &self.authenticator {
            Some(authenticator) => authenticator.identify(request, peer),
            None => Ok(Caller::anyone()),
        }
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
        line: Line<'_>,
    ) -> Response<AnswerBody> {
        let (head, body) = request.into_parts();
        let under_way = line.activity.under_way();
        let mut headers = CallHeaders::from(&head.headers);
        headers.host = headers.host.or(head.uri.authority().map(|it| it.as_str().as_bytes()));
        let request_id = self.next_request_id();
        let admission = guard.admit(&head);
        // Who turns out to have sent it, as far as that is known before there is an answer.
        let sender = OnceLock::new();
        let answer = async {
            let room = self.memory().body_room(line.activity);
            let body = read_body(&head, body, room).await?;
            let _working = line.activity.work();
            match &admission {
                Ok(grant) => {
                    let sent = SentRequest::new(&head, &headers, body);
                    self.route(sent, grant, request_id, line, &sender).await
                }
                Err(denial) => Ok(deny(&head, denial, request_id)),
            }
        };
        let answered = answer.await;
        let caller = sender.into_inner().unwrap_or(Caller::anyone());
        let mut response = answered.unwrap_or_else(|error| {
            tracing::debug!(%request_id, %error, "refused a request");
            let response = self.refuse_body(&error);
            if admission.is_ok() && is_call(&head, &headers) {
                self.watch_refused(&caller, &headers, response.status(), request_id, line.origin);
            }
            response
        });
        self.audit(&head, &admission, response.status(), request_id, (line.origin, &caller));
        if let Ok(grant) = &admission {
            cors::mark(response.headers_mut(), grant);
        }
        response::insert(response.headers_mut(), X_AMZN_REQUEST_ID, &request_id.characters());
        response.body_mut().keep_until_sent(under_way);
        response
    }

    /// The answer to a request whose body was not taken.
    fn refuse_body(&self, error: &BodyError) -> Response<AnswerBody> {
        match error {
            BodyError::NoRoom(NoRoom) => response::last(response::of_busy(self.handler.busy())),
            BodyError::TooLarge | BodyError::Broken(_) => response::of_body_error(error),
        }
    }

    /// Finds who answers, by the first check that applies.
    async fn route(
        &self,
        sent: SentRequest<'_>,
        grant: &Grant,
        request_id: RequestId,
        line: Line<'_>,
        sender: &OnceLock<Caller>,
    ) -> Result<Response<AnswerBody>, BodyError> {
        let head = sent.head;
        if let Some(response) = cors::preflight(head, grant) {
            return Ok(response);
        }
        if *grant == Grant::Nothing && self.is_refused_to_page(&sent) {
            return Ok(deny(head, &Denial::ReadOnlyPage, request_id));
        }
        if let Some(response) = self.page(&sent) {
            return Ok(response);
        }
        if admin::owns(head.uri.path()) {
            let standing = match self.standing(&sent, grant, line.origin.peer, sender) {
                Ok(standing) => standing,
                Err(denied) => {
                    tracing::info!(%request_id, "refused a request to an administrator's path");
                    return Ok(denied);
                }
            };
            let (body, _hold) = sent.inflated().await?;
            if let Some(question) = self.question(head) {
                let Question { pages, name } = question;
                return Ok(admin::answer_question(pages, name, head, &body).await);
            }
            let asked = (&*body, standing);
            return Ok(admin::answer(&self.admin, &self.monitor, &self.handler, head, asked).await);
        }
        if head.method == Method::GET {
            return Ok(self.health_text.answer(head.uri.path()));
        }
        if head.method != Method::POST || Call::new(sent.headers, sent.bytes()).is_none() {
            return Ok(response::unknown_operation());
        }
        self.answer_call(sent, request_id, line, sender).await
    }

    /// The file that a browser asks for, if there are pages.
    fn page(&self, sent: &SentRequest<'_>) -> Option<Response<AnswerBody>> {
        let (pages, head) = (self.pages.as_deref()?, sent.head);
        if head.method != Method::GET {
            return None;
        }
        let file = match head.uri.path() {
            "/" if pages::wants_page(&head.headers) => pages.first_page(),
            path => pages.file(admin::console_path(path)?)?,
        };
        Some(pages::answer_file(file, &head.headers, sent.headers.accepts_gzip))
    }

    /// The question that a page asks, if there are pages.
    fn question<'a>(&'a self, head: &'a Parts) -> Option<Question<'a>> {
        let (pages, name) = (self.pages.as_deref()?, admin::console_path(head.uri.path())?);
        (head.method == Method::POST).then_some(Question { pages, name })
    }

    /// Whether the server's own pages try to change something although they may not.
    fn is_refused_to_page(&self, sent: &SentRequest<'_>) -> bool {
        let head = sent.head;
        let is_read_only = self.pages.as_deref().is_some_and(|pages| pages.is_read_only());
        if !is_read_only || head.method == Method::GET || self.question(head).is_some() {
            return false;
        }
        pages::is_refused(&head.headers, sent.headers.target(), sent.bytes())
    }

    /// Answers a request that is a call, if whoever sends it may be told anything.
    async fn answer_call(
        &self,
        sent: SentRequest<'_>,
        request_id: RequestId,
        line: Line<'_>,
        sender: &OnceLock<Caller>,
    ) -> Result<Response<AnswerBody>, BodyError> {
        // The signature is about the body as it was sent, and whoever cannot sign has nothing
        // inflated.
        let caller = self.identify(&sent.signed(), line.origin.peer);
        let headers = sent.headers;
        let (body, _hold) = match &caller {
            Ok(caller) => sent.inflated().await.inspect_err(|_| note(sender, caller))?,
            Err(_) => sent.into_sent(),
        };
        let Some(call) = Call::new(headers, &body) else {
            return Ok(response::unknown_operation());
        };
        let mut answer = match &caller {
            Ok(caller) => self.call(caller, &call, request_id, line).await,
            Err(error) => self.refuse(error, &call, request_id, line.origin),
        };
        // Of many requests on one connection small answers count too.
        if !line.activity.is_alone() && answer.hold.is_none() {
            let hold = self.memory().work(line.activity);
            answer.hold = Some(kept_for(hold, answer.body.len()));
        }
        Ok(answer.into())
    }

    /// What the sender of a request to an administrator's path may see, or why it is nothing.
    fn standing(
        &self,
        sent: &SentRequest<'_>,
        grant: &Grant,
        peer: Peer,
        known: &OnceLock<Caller>,
    ) -> Result<Standing, Response<AnswerBody>> {
        let sender = match &self.authenticator {
            None if peer.is_local() && *grant != Grant::Status => Sender::Local,
            None => Sender::Remote,
            Some(authenticator) => match authenticator.identify(&sent.signed(), peer) {
                Ok(caller) => {
                    note(known, &caller);
                    Sender::Signed(caller)
                }
                Err(error) => Sender::Unknown(error),
            },
        };
        let is_question = self.question(sent.head).is_some();
        admin::standing(sent.head, &sender, is_question, self.monitor.metrics_token())
    }

    /// Answers a call whose sender could not be authenticated.
    pub(crate) fn refuse(
        &self,
        error: &AuthenticationError,
        call: &Call<'_>,
        request_id: RequestId,
        origin: &Origin,
    ) -> CallAnswer {
        tracing::debug!(%request_id, %error, "refused a call");
        let anyone = Caller::anyone();
        let watch = self.monitor.watch(watched(&anyone, call, request_id, origin));
        let (answer, observation) = observation::observe_now(|| self.handler.refuse(error));
        let answer = CallAnswer::new(answer, call);
        watch.answered(&observation, answer.status.as_u16(), answer.body.len());
        answer
    }

    /// Answers a request that is known to be a call.
    pub(crate) async fn call(
        &self,
        caller: &Caller,
        call: &Call<'_>,
        request_id: RequestId,
        line: Line<'_>,
    ) -> CallAnswer {
        let watch = self.monitor.watch(watched(caller, call, request_id, line.origin));
        let room_bytes = self.handler.room_bytes(call.target, call.body.len());
        // Pinned where it is made, as below: whoever takes the state of a call copies it.
        let work = pin!(async {
            if !self.monitor.permits_calls() {
                return (self.handler.busy(), None);
            }
            match self.capacity.admit(room_bytes, line.activity).await {
                Ok((_admitted, hold)) => (self.handle(caller, call, request_id).await, hold),
                Err(NoRoom) => {
                    tracing::warn!(%request_id, target = call.target, "too busy for a request");
                    (self.handler.busy(), None)
                }
            }
        });
        let ((answer, hold), observation) = observation::observe(work).await;
        if let Some(tape) = &line.origin.tape {
            tape.record(call.target, call.body, &answer);
        }
        // Compressing takes longer than everything else.
        let answer_bytes = if call.accepts_gzip { answer.body.len() } else { 0 };
        let mut answer = off_worker::run(answer_bytes, || CallAnswer::new(answer, call));
        watch.answered(&observation, answer.status.as_u16(), answer.body.len());
        if answer.body.len() > SMALL_BYTES {
            let hold = hold.unwrap_or_else(|| self.memory().work(line.activity));
            answer.hold = Some(kept_for(hold, answer.body.len()));
        }
        answer
    }

    /// Watches over a call whose body was not taken.
    fn watch_refused(
        &self,
        caller: &Caller,
        headers: &CallHeaders<'_>,
        status: StatusCode,
        request_id: RequestId,
        origin: &Origin,
    ) {
        let Some(call) = Call::new(headers, b"") else { return };
        let watch = self.monitor.watch(watched(caller, &call, request_id, origin));
        watch.answered(&Observation::default(), status.as_u16(), 0);
    }

    /// Keeps a record of what is no call: requests that are not let in, those to administrators'
    /// paths that are refused, and changes of the server.
    fn audit(
        &self,
        head: &Parts,
        admission: &Result<Grant, Denial>,
        status: StatusCode,
        request_id: RequestId,
        (origin, caller): (&Origin, &Caller),
    ) {
        let is_change = head.method != Method::GET && self.question(head).is_none();
        let is_told = is_change || status == StatusCode::FORBIDDEN;
        if admission.is_ok() && !(admin::owns(head.uri.path()) && is_told) {
            return;
        }
        let watched = WatchedCall {
            request_id,
            target: "",
            body: &[],
            trace_parent: None,
            peer: origin.peer.address,
            caller,
        };
        self.monitor.audit_request(action(head), status.as_u16(), &watched);
    }

    async fn handle(&self, caller: &Caller, call: &Call<'_>, request_id: RequestId) -> Answer {
        let target = call.target;
        let host = call.host.filter(|_| self.handler.asks_for_host(target)).and_then(text);
        let at_host = host.map(|host| caller.clone().at_host(host));
        let caller = at_host.as_ref().unwrap_or(caller);
        let call = pin!(self.handler.call(caller, target, call.body));
        let answer = match catch_panic(call).await {
            Ok(answer) => answer,
            Err(panicked) => self.handler.failed(&panicked),
        };
        if answer.status >= 500 {
            self.monitor.log_failure(request_id, target, answer.status);
        }
        answer
    }
}

/// A question of a page.
struct Question<'a> {
    pages: &'a dyn Pages,
    name: &'a str,
}

/// A call for those who watch over it.
fn watched<'a>(
    caller: &'a Caller,
    call: &Call<'a>,
    request_id: RequestId,
    origin: &Origin,
) -> WatchedCall<'a> {
    WatchedCall {
        request_id,
        target: call.target,
        body: call.body,
        trace_parent: call.trace_parent,
        peer: origin.peer.address,
        caller,
    }
}

/// Remembers who sent a request.
fn note(sender: &OnceLock<Caller>, caller: &Caller) {
    sender.get_or_init(|| caller.clone());
}

/// Whether a request is a call by its head.
fn is_call(head: &Parts, headers: &CallHeaders<'_>) -> bool {
    head.method == Method::POST
        && !admin::owns(head.uri.path())
        && Call::new(headers, b"").is_some()
}

/// What a request is called that is no call. A path may be long.
fn action(head: &Parts) -> String {
    let path: String = head.uri.path().chars().take(ACTION_CHARS_MAX).collect();
    format!("monotable:{} {path}", head.method)
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

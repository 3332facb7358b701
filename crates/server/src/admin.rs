//! What DynamoDB does not have: everything under `/_monotable/`.
//!
//! Answers are JSON, but for the metrics. A refusal is `{"error":"…"}` with a status that says
//! whose fault it is.

mod clock;
mod faults;
mod health;
mod insights;
mod metrics;
mod models;
mod ready;
mod reset;
mod snapshots;
mod standing;

use std::borrow::Cow;

use bytes::Bytes;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use monotable_database::off_worker;
use monotable_sigv4::query_parameter;
use serde_json::{Map, Value, json};
use tokio::sync::watch;

pub(crate) use clock::AdminClock;
pub use clock::DatabaseClock;
pub(crate) use ready::Readiness;
pub(crate) use standing::{Sender, Standing, is_open_to_all, standing};

use crate::connection::is_stopping;
use crate::handler::Handler;
use crate::health::HealthProbe;
use crate::media_type::MediaType;
use crate::monitor::Monitor;
use crate::pages::{self, Pages};
use crate::response::{self, AnswerBody};

/// Where everything that DynamoDB does not have begins.
const PREFIX: &str = "/_monotable/";

/// Planning a model takes as long as a large call, however short the model is.
const MODEL_WORK_BYTES: usize = usize::MAX;

/// What is there besides the API.
pub(crate) struct Admin {
    pub(crate) clock: AdminClock,
    pub(crate) health: HealthProbe,
    /// Tells when the server is about to stop.
    pub(crate) leaving: watch::Receiver<bool>,
}

impl Admin {
    /// Whether the server takes reads and writes.
    fn readiness(&self) -> Readiness {
        Readiness::new(is_stopping(&self.leaving), self.health.health())
    }
}

/// Why a request is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    status: StatusCode,
    reason: String,
}

impl Refusal {
    /// The request makes no sense.
    fn invalid(reason: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, reason: reason.into() }
    }

    /// The server cannot do what was asked for.
    fn failed(reason: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::INTERNAL_SERVER_ERROR, reason: reason.into() }
    }

    /// There is no such thing.
    fn not_found(reason: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::NOT_FOUND, reason: reason.into() }
    }

    /// The request makes sense, but not here and now.
    fn conflict(reason: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::CONFLICT, reason: reason.into() }
    }
}

/// Whether a path is answered here.
pub(crate) fn owns(path: &str) -> bool {
    path.starts_with(PREFIX)
}

/// What follows the beginning that all paths of the console have.
pub(crate) fn console_path(path: &str) -> Option<&str> {
    path.strip_prefix(PREFIX)?.strip_prefix("console/")
}

/// Answers a request to a path that is [owned](owns).
pub(crate) async fn answer<H: Handler>(
    admin: &Admin,
    monitor: &Monitor,
    handler: &H,
    head: &Parts,
    (body, standing): (&[u8], Standing),
) -> Response<AnswerBody> {
    let Admin { clock, health, .. } = admin;
    let path = head.uri.path().strip_prefix(PREFIX).unwrap_or_default();
    match (path, &head.method) {
        ("health", &Method::GET) => answer_openly(health::report(&health.health()), standing),
        ("health", _) => wrong_method("GET"),
        ("ready", &Method::GET) => answer_openly(ready::report(&admin.readiness()), standing),
        ("ready", _) => wrong_method("GET"),
        ("metrics", &Method::GET) => metrics::answer(admin, monitor, handler).await,
        ("metrics", _) => wrong_method("GET"),
        ("clock", &Method::GET) => ok(&clock.report()),
        ("clock", &Method::PUT) => {
            let result = require_json(head).and_then(|()| clock.set(body));
            moved(clock, result, handler).await
        }
        ("clock", _) => wrong_method("GET, PUT"),
        ("clock/advance", &Method::POST) => {
            let result = require_json(head).and_then(|()| clock.advance(body));
            moved(clock, result, handler).await
        }
        ("clock/advance", _) => wrong_method("POST"),
        ("faults", &Method::GET) => ok(&faults::report(handler)),
        ("faults", &Method::PUT) => {
            let result = require_json(head).and_then(|()| faults::set(handler, body));
            faulted(handler, result)
        }
        ("faults", &Method::DELETE) => {
            let result = require_json(head).map(|()| faults::clear(handler));
            faulted(handler, result)
        }
        ("faults", _) => wrong_method("GET, PUT, DELETE"),
        ("models", &Method::GET) => answered(models::report(handler, head)),
        ("models", &Method::PUT) => {
            let load = || models::load(handler, body, clock.now_millis());
            modelled(
                handler,
                require_json(head).and_then(|()| off_worker::run(MODEL_WORK_BYTES, load)),
            )
        }
        ("models", &Method::DELETE) => {
            modelled(handler, require_json(head).and_then(|()| models::unload(handler, head)))
        }
        ("models", _) => wrong_method("GET, PUT, DELETE"),
        ("insights", &Method::GET) => ok(&insights::report(handler, clock.now_millis())),
        ("insights", _) => wrong_method("GET"),
        ("reset", &Method::POST) => match require_json(head) {
            Ok(()) => answered(reset::run(handler, body).await),
            Err(refusal) => refused(&refusal),
        },
        ("reset", _) => wrong_method("POST"),
        (path, method) if snapshots::owns(path) => {
            snapshots::answer(handler, (path, method), head, body).await
        }
        (_, _) => response::unknown_operation(),
    }
}

/// Answers a question of the console's pages.
pub(crate) async fn answer_question(
    pages: &dyn Pages,
    question: &str,
    head: &Parts,
    body: &[u8],
) -> Response<AnswerBody> {
    if let Err(refusal) = require_json(head) {
        return refused(&refusal);
    }
    match pages::answer_question(pages, question, body).await {
        Some(Ok(answer)) => json_answer(StatusCode::OK, answer),
        Some(Err(reason)) => refused(&Refusal::invalid(reason)),
        None => response::unknown_operation(),
    }
}

/// The value of `?name=…`.
fn name_of(head: &Parts) -> Option<Cow<'_, str>> {
    query_parameter(head.uri.query().unwrap_or_default(), "name")
}

/// The members of a body.
fn members(body: &[u8]) -> Result<Map<String, Value>, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::invalid(format!("the body is no JSON object: {error}")))
}

/// Refuses a body that is not said to be JSON. Browsers send bodies of a few other types for any
/// page, and without a type, but ask the server before they send this one.
fn require_json(head: &Parts) -> Result<(), Refusal> {
    let mut types = head.headers.get_all(CONTENT_TYPE).iter();
    let is_json =
        |value: &HeaderValue| MediaType::named(value.as_bytes()) == Some(MediaType::PlainJson);
    if types.next().is_some_and(is_json) && types.next().is_none() {
        return Ok(());
    }
    let reason = "send this with the header Content-Type: application/json".to_owned();
    Err(Refusal { status: StatusCode::UNSUPPORTED_MEDIA_TYPE, reason })
}

/// The answer to a move of the clock, once the work that has become due is done.
async fn moved<H: Handler>(
    clock: &AdminClock,
    moved: Result<(), Refusal>,
    handler: &H,
) -> Response<AnswerBody> {
    match moved {
        Ok(()) => {
            handler.catch_up().await;
            ok(&clock.report())
        }
        Err(refusal) => refused(&refusal),
    }
}

/// The answer to a change of the faults.
fn faulted<H: Handler>(handler: &H, changed: Result<(), Refusal>) -> Response<AnswerBody> {
    match changed {
        Ok(()) => ok(&faults::report(handler)),
        Err(refusal) => refused(&refusal),
    }
}

/// The answer to a change of the models.
fn modelled<H: Handler>(handler: &H, changed: Result<(), Refusal>) -> Response<AnswerBody> {
    answered(changed.map(|()| models::list(handler)))
}

/// The answer to whoever may not use the server.
pub(crate) fn denied(status: StatusCode, reason: String) -> Response<AnswerBody> {
    refused(&Refusal { status, reason })
}

/// A report, or why there is none.
fn answered(report: Result<Value, Refusal>) -> Response<AnswerBody> {
    match report {
        Ok(report) => ok(&report),
        Err(refusal) => refused(&refusal),
    }
}

fn ok(report: &Value) -> Response<AnswerBody> {
    answer_with(StatusCode::OK, report)
}

/// The answer about the server itself, without its reason for whoever may see but a word.
fn answer_openly(
    (status, mut report): (StatusCode, Value),
    standing: Standing,
) -> Response<AnswerBody> {
    if standing == Standing::Stranger {
        report.as_object_mut().and_then(|members| members.remove("reason"));
    }
    answer_with(status, &report)
}

fn answer_with(status: StatusCode, body: &Value) -> Response<AnswerBody> {
    json_answer(status, body.to_string())
}

fn json_answer(status: StatusCode, text: String) -> Response<AnswerBody> {
    let mut response = response::ok_with(Bytes::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn refused(refusal: &Refusal) -> Response<AnswerBody> {
    answer_with(refusal.status, &json!({ "error": refusal.reason }))
}

fn wrong_method(allowed: &'static str) -> Response<AnswerBody> {
    let status = StatusCode::METHOD_NOT_ALLOWED;
    let mut response = refused(&Refusal { status, reason: format!("this path takes {allowed}") });
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}

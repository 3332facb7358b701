//! `/_monotable/snapshots`: all tables as they were at one moment, for those who test applications.

use hyper::http::request::Parts;
use hyper::{Method, Response};
use monotable_database::{Rewind, SAVED_BYTES_MAX, SAVED_COUNT_MAX, SavedTables};
use serde_json::{Value, json};

use super::clock::rfc_3339;
use super::reset::refusal;
use super::{Refusal, answered, members, name_of, require_json, wrong_method};
use crate::handler::Handler;
use crate::response::AnswerBody;

const LIST: &str = "snapshots";
const RESTORE: &str = "snapshots/restore";

/// The longest name.
const NAME_CHARACTERS_MAX: usize = 64;

/// Whether a path is answered here.
pub(super) fn owns(path: &str) -> bool {
    path == LIST || path == RESTORE
}

/// Answers a request to a path that is [owned](owns).
pub(super) async fn answer<H: Handler>(
    handler: &H,
    (path, method): (&str, &Method),
    head: &Parts,
    body: &[u8],
) -> Response<AnswerBody> {
    let is_list = path == LIST;
    match *method {
        Method::GET if is_list => answered(Ok(report(handler))),
        Method::POST if is_list => answered(take(handler, head, body).await),
        Method::DELETE if is_list => answered(delete(handler, head)),
        Method::POST => answered(restore(handler, head, body).await),
        _ if is_list => wrong_method("GET, POST, DELETE"),
        _ => wrong_method("POST"),
    }
}

/// What is kept, and how much may be.
fn report<H: Handler>(handler: &H) -> Value {
    let saved = handler.saved_tables();
    json!({
        "snapshots": saved.iter().map(|saved| snapshot(saved)).collect::<Vec<_>>(),
        "bytesMax": SAVED_BYTES_MAX,
        "snapshotsMax": SAVED_COUNT_MAX,
    })
}

fn snapshot(saved: &SavedTables) -> Value {
    json!({
        "name": saved.name(),
        "time": rfc_3339(saved.taken_millis()),
        "tables": saved.table_count(),
        "items": saved.item_count(),
        "bytes": saved.size_bytes(),
    })
}

/// Keeps all tables as they are under the name of `{"name":"…"}`.
async fn take<H: Handler>(handler: &H, head: &Parts, body: &[u8]) -> Result<Value, Refusal> {
    let name = named(head, body)?;
    handler.save_tables(&name).await.map_err(|error| refusal(&error))?;
    Ok(report(handler))
}

/// Makes all tables what is kept under the name of `{"name":"…"}`.
async fn restore<H: Handler>(handler: &H, head: &Parts, body: &[u8]) -> Result<Value, Refusal> {
    let name = named(head, body)?;
    handler.rewind(Rewind::Restore(name.clone())).await.map_err(|error| refusal(&error))?;
    tracing::warn!("all tables were taken back to the snapshot {name}, as an administrator asked");
    Ok(report(handler))
}

/// Forgets what is kept under the name of `?name=…`.
fn delete<H: Handler>(handler: &H, head: &Parts) -> Result<Value, Refusal> {
    require_json(head)?;
    let name = name_of(head).ok_or_else(|| Refusal::invalid("say which snapshot: ?name=base"))?;
    if !handler.forget_saved(&name) {
        return Err(Refusal::not_found("there is no snapshot of that name"));
    }
    Ok(report(handler))
}

fn named(head: &Parts, body: &[u8]) -> Result<String, Refusal> {
    require_json(head)?;
    let members = members(body)?;
    let name = members.get("name").and_then(Value::as_str).unwrap_or_default();
    if !is_name(name) {
        return Err(Refusal::invalid(
            r#"say which snapshot: {"name":"base"}, of up to 64 letters, digits and _ - ."#,
        ));
    }
    Ok(name.to_owned())
}

fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    (1..=NAME_CHARACTERS_MAX).contains(&name.len()) && name.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_plain() {
        for (name, expected) in [
            ("base", true),
            ("v1.2_b-3", true),
            ("", false),
            ("a b", false),
            ("a/b", false),
            ("\u{e4}", false),
        ] {
            assert_eq!(is_name(name), expected, "{name:?}");
        }
        assert!(is_name(&"a".repeat(64)) && !is_name(&"a".repeat(65)));
    }
}

//! What those are told who keep records of calls, and who trace them.

use std::io::Write;
use std::sync::{Arc, Mutex};

use crate::support::{TestServer, call, call_with, chunked_call_with};
use flate2::Compression;
use flate2::write::GzEncoder;
use monotable_server::{
    AuditOutcome, AuditedCall, Auditor, BODY_BYTES_MAX, Monitoring, Span, SpanSink, Tracer,
};
use serde_json::{Value, json};

#[derive(Debug)]
pub(crate) struct Collected<T>(Mutex<Vec<T>>);

impl<T: Clone> Collected<T> {
    fn new() -> Arc<Collected<T>> {
        Arc::new(Collected(Mutex::default()))
    }

    pub(crate) fn all(&self) -> Vec<T> {
        self.0.lock().unwrap().clone()
    }
}

impl Auditor for Collected<AuditedCall> {
    fn audit(&self, call: AuditedCall) {
        self.0.lock().unwrap().push(call);
    }

    fn keeps_keys(&self) -> bool {
        false
    }
}

impl SpanSink for Collected<Span> {
    fn take(&self, span: Span) {
        self.0.lock().unwrap().push(span);
    }
}

pub(crate) fn audited() -> (Monitoring, Arc<Collected<AuditedCall>>) {
    let auditor = Collected::<AuditedCall>::new();
    (Monitoring { auditor: Some(auditor.clone()), ..Monitoring::default() }, auditor)
}

fn traced(part: f64) -> (Monitoring, Arc<Collected<Span>>) {
    let sink = Collected::<Span>::new();
    let tracer = Some(Tracer::new(part, sink.clone()));
    (Monitoring { tracer, ..Monitoring::default() }, sink)
}

fn table() -> Value {
    json!({
        "TableName": "orders",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "S" }],
        "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
    })
}

#[test]
fn every_call_is_audited_whichever_way_it_comes_and_whatever_becomes_of_it() {
    let (monitoring, auditor) = audited();
    let server = TestServer::of_api(monitoring);
    server.dynamodb("CreateTable", &table());
    let target = "DynamoDB_20120810.PutItem";
    let item = json!({ "TableName": "orders", "Item": { "id": { "S": "1" } } }).to_string();
    let reply = server.call(target, item.as_bytes());
    server.send(chunked_call_with(target, item.as_bytes(), ""));
    server.send(chunked_call_with(target, b"{\"TableName\":\"nowhere\",\"Item\":{}}", ""));
    let calls = auditor.all();
    let told: Vec<_> = calls
        .iter()
        .map(|call| {
            let tables: Vec<&str> = call.tables.iter().map(|table| table.name.as_str()).collect();
            (call.action.as_str(), tables, call.outcome, call.status, call.error)
        })
        .collect();
    let allowed = (AuditOutcome::Allowed, Some(200), None);
    let of = |action: &'static str| (action, vec!["orders"], allowed.0, allowed.1, allowed.2);
    assert_eq!(
        told[..3],
        [of("dynamodb:CreateTable"), of("dynamodb:PutItem"), of("dynamodb:PutItem"),]
    );
    let (_, _, outcome, status, error) = &told[3];
    assert_eq!((*outcome, *status), (AuditOutcome::Refused, Some(400)));
    assert!(error.is_some(), "{error:?}");
    assert_eq!(calls[1].request_id, reply.header("x-amzn-requestid").unwrap());
    assert!(calls.iter().all(|call| call.source.is_some_and(|it| it.ip().is_loopback())));
    // What a call got to know about its tables need not be read from its body.
    assert!(calls[1].body.is_none() && calls[3].body.is_some());
}

#[test]
fn requests_that_are_not_let_in_and_changes_of_the_server_are_audited() {
    let (monitoring, auditor) = audited();
    let server = TestServer::with_monitoring(monitoring);
    server.get("/_monotable/clock");
    server.send("GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n");
    server.send(
        "PUT /_monotable/clock HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: 17\r\n\r\n{\"epochMillis\":1}",
    );
    let told: Vec<_> =
        auditor.all().into_iter().map(|call| (call.action, call.outcome, call.status)).collect();
    assert_eq!(
        told,
        [
            ("monotable:GET /".to_owned(), AuditOutcome::Refused, Some(421)),
            ("monotable:PUT /_monotable/clock".to_owned(), AuditOutcome::Allowed, Some(200)),
        ]
    );
}

#[test]
fn a_call_whose_body_is_not_taken_is_audited() {
    let (monitoring, auditor) = audited();
    let server = TestServer::with_monitoring(monitoring);
    let target = "DynamoDB_20120810.PutItem";
    let too_large = vec![b' '; BODY_BYTES_MAX + 1];
    assert_eq!(server.send(call_with(target, &too_large, "")).status, 413);
    let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
    bomb.write_all(&too_large).unwrap();
    let bomb = call_with(target, &bomb.finish().unwrap(), "Content-Encoding: gzip\r\n");
    assert_eq!(server.send(bomb).status, 413);
    let told: Vec<_> =
        auditor.all().into_iter().map(|call| (call.action, call.outcome, call.status)).collect();
    let refused = ("dynamodb:PutItem".to_owned(), AuditOutcome::Refused, Some(413));
    assert_eq!(told, [refused.clone(), refused]);
}

#[test]
fn a_call_whose_client_is_gone_is_audited_as_abandoned() {
    let (monitoring, auditor) = audited();
    let server = TestServer::with_monitoring(monitoring);
    let mut client = server.connect();
    client.send([call("Echo", b"{}"), call("Wait", b"{\"TableName\":\"orders\"}")].concat());
    server.until_waiting();
    // Closing a socket with an answer that was not read resets it.
    drop(client);
    server.until_given_up();
    while auditor.all().len() < 2 {
        std::thread::yield_now();
    }
    let last = &auditor.all()[1];
    assert_eq!((last.outcome, last.status, last.error), (AuditOutcome::Abandoned, None, None));
    assert_eq!(last.body.as_deref(), Some(&b"{\"TableName\":\"orders\"}"[..]));
}

#[test]
fn a_span_is_part_of_the_trace_that_the_client_names() {
    let (monitoring, sink) = traced(0.0);
    let server = TestServer::of_api(monitoring);
    let body = table().to_string();
    for (flags, way) in [("01", false), ("00", false), ("01", true)] {
        let parent = format!(
            "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-{flags}\r\n"
        );
        let target = "DynamoDB_20120810.CreateTable";
        let send = if way { chunked_call_with } else { call_with };
        server.send(send(target, body.as_bytes(), &parent));
    }
    let spans = sink.all();
    assert_eq!(spans.len(), 2);
    for span in &spans {
        assert_eq!(span.trace_id, 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736);
        assert_eq!(span.parent_span_id, Some(0x00f0_67aa_0ba9_02b7));
        assert_eq!(span.operation, "CreateTable");
    }
    assert_eq!((spans[0].status, spans[0].tables.as_slice()), (200, &["orders".to_owned()][..]));
    assert_eq!((spans[1].status, spans[1].error), (400, Some("ResourceInUseException")));
    assert_ne!(spans[0].span_id, spans[1].span_id);
}

#[test]
fn such_a_part_of_the_calls_is_traced_as_was_asked_for() {
    for (part, expected) in [(0.0, 0..=0), (0.25, 20..=90), (1.0, 200..=200)] {
        let (monitoring, sink) = traced(part);
        let server = TestServer::with_monitoring(monitoring);
        let mut client = server.connect();
        (0..200).for_each(|_| drop(client.call("Echo", b"{}")));
        let spans = sink.all();
        assert!(expected.contains(&spans.len()), "{part}: {}", spans.len());
        assert!(spans.iter().all(|span| span.parent_span_id.is_none() && span.trace_id != 0));
    }
}

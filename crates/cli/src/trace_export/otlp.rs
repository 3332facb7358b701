//! Spans in the JSON form of OpenTelemetry's protocol. The names of attributes are those of its
//! semantic conventions, where they have one.

use monotable_server::Span;
use serde_json::{Value, json};

/// The kind of a span that answers somebody else's call.
const KIND_SERVER: u32 = 2;
/// The status of a span that failed.
const STATUS_ERROR: u32 = 2;

/// The request that brings spans to a collector.
pub(super) fn request(spans: &[Span]) -> Value {
    let resource = [
        attribute("service.name", "monotable"),
        attribute("service.version", env!("CARGO_PKG_VERSION")),
    ];
    let spans: Vec<Value> = spans.iter().map(span).collect();
    json!({
        "resourceSpans": [{
            "resource": { "attributes": resource },
            "scopeSpans": [{ "scope": { "name": "monotable" }, "spans": spans }],
        }],
    })
}

fn span(span: &Span) -> Value {
    let start_nanos = u128::from(span.start_millis) * 1_000_000;
    let mut json = json!({
        "traceId": format!("{:032x}", span.trace_id),
        "spanId": format!("{:016x}", span.span_id),
        "name": format!("DynamoDB.{}", span.operation),
        "kind": KIND_SERVER,
        // Numbers of 64 bits are texts in this form.
        "startTimeUnixNano": start_nanos.to_string(),
        "endTimeUnixNano": (start_nanos + span.duration.as_nanos()).to_string(),
        "attributes": attributes(span),
    });
    if let Some(members) = json.as_object_mut() {
        let parent = span.parent_span_id.map(|id| format!("{id:016x}").into());
        members.extend(parent.map(|id: Value| ("parentSpanId".to_owned(), id)));
        // By convention, a server that refuses a wrong call has not failed.
        let failure = (span.status >= 500).then(|| json!({ "code": STATUS_ERROR }));
        members.extend(failure.map(|status| ("status".to_owned(), status)));
    }
    json
}

fn attributes(span: &Span) -> Vec<Value> {
    let units = if span.writes { "monotable.write_units" } else { "monotable.read_units" };
    let mut attributes = vec![
        attribute("rpc.system", "aws-api"),
        attribute("rpc.service", "DynamoDB"),
        attribute("rpc.method", span.operation),
        attribute("aws.request_id", &span.request_id),
        json!({ "key": "http.response.status_code",
                "value": { "intValue": span.status.to_string() } }),
        json!({ "key": units, "value": { "doubleValue": span.units } }),
    ];
    if !span.tables.is_empty() {
        let names = span.tables.iter().map(|name| json!({ "stringValue": name }));
        let names: Vec<Value> = names.collect();
        attributes.push(json!({ "key": "aws.dynamodb.table_names",
                                "value": { "arrayValue": { "values": names } } }));
    }
    attributes.extend(span.error.map(|name| attribute("error.type", name)));
    attributes.extend(span.items.map(
        |items| json!({ "key": "monotable.items", "value": { "intValue": items.to_string() } }),
    ));
    attributes
}

fn attribute(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_span_has_ids_times_and_attributes_as_the_protocol_wants_them() {
        let span = Span {
            trace_id: 0xab,
            span_id: 0xcd,
            parent_span_id: Some(0xef),
            operation: "PutItem",
            start_millis: 1_000,
            duration: Duration::from_micros(1_500),
            request_id: "ID".to_owned(),
            tables: vec!["orders".to_owned()],
            status: 500,
            error: Some("InternalServerError"),
            units: 2.5,
            writes: true,
            items: Some(3),
        };
        let request = request(&[span]);
        let span = &request["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
        assert_eq!(span["traceId"], "000000000000000000000000000000ab");
        assert_eq!(span["spanId"], "00000000000000cd");
        assert_eq!(span["parentSpanId"], "00000000000000ef");
        assert_eq!(span["name"], "DynamoDB.PutItem");
        assert_eq!(span["startTimeUnixNano"], "1000000000");
        assert_eq!(span["endTimeUnixNano"], "1001500000");
        assert_eq!(span["status"]["code"], 2);
        let text = span["attributes"].to_string();
        for part in ["orders", "monotable.write_units", "2.5", "InternalServerError"] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }
}

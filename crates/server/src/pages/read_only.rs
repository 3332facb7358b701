//! What pages that may not change anything may still send.
//!
//! Browsers say of every request that a page made it, and pages cannot keep them from that. So the
//! server holds its own pages to what it was started with; whoever has an SDK is not concerned.

use hyper::HeaderMap;
use hyper::header::{HeaderName, ORIGIN};
use serde_json::Value;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// How the names of operations begin that change nothing.
const READS: [&str; 7] = ["Get", "BatchGet", "TransactGet", "Query", "Scan", "Search", "List"];
const DESCRIPTIONS: &str = "Describe";

/// Whether a call must not be made by a page that may not change anything.
pub(crate) fn is_refused(headers: &HeaderMap, target: &str, body: &[u8]) -> bool {
    is_of_page(headers) && !is_read(target, body)
}

/// Whether a browser says that a page made a request.
pub(super) fn is_of_page(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN)
        || headers.get(SEC_FETCH_SITE).is_some_and(|site| site.as_bytes() != b"none")
}

fn is_read(target: &str, body: &[u8]) -> bool {
    let operation = target.rsplit_once('.').map_or(target, |(_, operation)| operation);
    if operation == "ExecuteStatement" {
        return is_selection(body);
    }
    operation.starts_with(DESCRIPTIONS) || READS.iter().any(|read| operation.starts_with(read))
}

/// Whether a statement reads.
fn is_selection(body: &[u8]) -> bool {
    const SELECT: &str = "select";
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let statement = body.get("Statement").and_then(Value::as_str).unwrap_or_default();
    let verb = statement.trim_start().get(..SELECT.len());
    verb.is_some_and(|verb| verb.eq_ignore_ascii_case(SELECT))
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn is_refused_for(headers: &[(HeaderName, &'static str)], target: &str, body: &str) -> bool {
        let headers = headers.iter();
        let headers = headers.map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
        is_refused(&headers.collect(), target, body.as_bytes())
    }

    #[test]
    fn pages_read_and_do_not_write() {
        let page = [(ORIGIN, "http://127.0.0.1:8000")];
        for (operation, body, expected) in [
            ("Scan", "{}", false),
            ("Query", "{}", false),
            ("GetItem", "{}", false),
            ("BatchGetItem", "{}", false),
            ("TransactGetItems", "{}", false),
            ("ListTables", "{}", false),
            ("DescribeTable", "{}", false),
            ("PutItem", "{}", true),
            ("BatchWriteItem", "{}", true),
            ("DeleteTable", "{}", true),
            ("UpdateTimeToLive", "{}", true),
            ("ExecuteStatement", r#"{"Statement": " SELECT * FROM t"}"#, false),
            ("ExecuteStatement", r#"{"Statement": "DELETE FROM t WHERE pk = 'a'"}"#, true),
            ("ExecuteStatement", "{", true),
            ("ExecuteTransaction", "{}", true),
            ("BatchExecuteStatement", "{}", true),
            ("", "{}", true),
        ] {
            let target = format!("DynamoDB_20120810.{operation}");
            assert_eq!(is_refused_for(&page, &target, body), expected, "{operation} {body}");
        }
        assert!(!is_refused_for(&page, "DynamoDBStreams_20120810.GetRecords", "{}"));
    }

    #[test]
    fn whoever_is_no_page_is_not_concerned() {
        assert!(!is_refused_for(&[], "DynamoDB_20120810.PutItem", "{}"));
        assert!(!is_refused_for(&[(SEC_FETCH_SITE, "none")], "DynamoDB_20120810.PutItem", "{}"));
        let page = [(SEC_FETCH_SITE, "same-origin")];
        assert!(is_refused_for(&page, "DynamoDB_20120810.PutItem", "{}"));
    }
}

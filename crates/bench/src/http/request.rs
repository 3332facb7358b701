//! Requests as bytes.

/// What some servers of this protocol insist on, though they do not verify it.
const AUTHORIZATION: &str = "AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/\
     aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0";

/// The operations of streams, which are a service of their own.
const STREAM_OPERATIONS: [&str; 4] =
    ["ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"];

/// The bytes of a request that calls an operation with a body.
pub fn frame(host: &str, operation: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let is_stream = STREAM_OPERATIONS.contains(&operation);
    let service = if is_stream { "DynamoDBStreams_20120810" } else { "DynamoDB_20120810" };
    format!(
        "POST / HTTP/1.1\r\n\
         Host: {host}\r\n\
         Content-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: {service}.{operation}\r\n\
         X-Amz-Date: 20260101T000000Z\r\n\
         Authorization: {AUTHORIZATION}\r\n\
         Content-Length: {length}\r\n\
         \r\n\
         {body}"
    )
    .into_bytes()
}

/// The bytes of a request that moves the clock of the server.
pub fn frame_clock(host: &str, epoch_millis: u64) -> Vec<u8> {
    let body = format!("{{\"epochMillis\":{epoch_millis}}}");
    let length = body.len();
    format!(
        "PUT /_monotable/clock HTTP/1.1\r\n\
         Host: {host}\r\n\
         Content-Type: application/json\r\n\
         Content-Length: {length}\r\n\
         \r\n\
         {body}"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_announces_the_length_of_its_body() {
        let bytes = frame("127.0.0.1:8000", "GetItem", "{\"é\":1}");
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n"), "{head}");
        assert!(head.contains("\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n"), "{head}");
        let streams = String::from_utf8(frame("host", "GetRecords", "{}")).unwrap();
        assert!(streams.contains("\r\nX-Amz-Target: DynamoDBStreams_20120810.GetRecords\r\n"));
        assert!(head.ends_with(&format!("\r\nContent-Length: {}", body.len())), "{head}");
    }
}

//! The bytes that are sent, signed beforehand.

use anyhow::Result;
use monotable_bench::clock;
use monotable_sigv4::{Request, Secret, SecretKey, Signer, Timestamp};
use serde_json::{Value, json};

use super::guarded_server::{ACCESS_KEY_ID, GuardedServer, SECRET, USER};
use super::wire::Wire;

/// How many items there are, and requests for them.
const ITEMS: usize = 1000;
/// What fills an item up to a kilobyte.
const FILLING: usize = 900;

/// Everything that is sent to one server.
pub(super) struct Requests {
    writes: Vec<Vec<u8>>,
    gets: Vec<Vec<u8>>,
}

impl Requests {
    /// Makes the requests for a server. Signatures are of now, and count for a quarter of an hour.
    pub(super) fn new(server: &GuardedServer) -> Requests {
        let frame = Frame::new(server);
        let create = json!({
            "TableName": "things",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "BillingMode": "PAY_PER_REQUEST",
        });
        let key = |number: usize| json!({"S": format!("{USER}#{number:06}")});
        let put = |number| {
            let filling = json!({"S": "x".repeat(FILLING)});
            json!({"TableName": "things", "Item": {"pk": key(number), "filling": filling}})
        };
        let get = |number| json!({"TableName": "things", "Key": {"pk": key(number)}});
        let mut writes = vec![frame.request("CreateTable", &create)];
        writes.extend((0..ITEMS).map(|number| frame.request("PutItem", &put(number))));
        let gets = (0..ITEMS).map(|number| frame.request("GetItem", &get(number))).collect();
        Requests { writes, gets }
    }

    /// Makes the table and its items.
    pub(super) fn load(&self, server: &GuardedServer) -> Result<()> {
        let mut wire = Wire::connect(server)?;
        self.writes.iter().try_for_each(|write| wire.call(write))
    }

    /// The reads, without end, from another one for each connection on.
    pub(super) fn gets_from(&self, number: usize) -> impl Iterator<Item = &[u8]> {
        let start = number * ITEMS / 16 % ITEMS;
        self.gets.iter().map(Vec::as_slice).cycle().skip(start)
    }
}

/// What all requests to a server share.
struct Frame {
    host: String,
    key: Option<SecretKey>,
    timestamp: Timestamp,
}

impl Frame {
    fn new(server: &GuardedServer) -> Frame {
        let key = server.guard.signs().then(|| SecretKey::new(Secret::new(SECRET.to_owned())));
        let timestamp = Timestamp::from_epoch_secs(clock::epoch_seconds());
        Frame { host: server.address.to_string(), key, timestamp }
    }

    /// One request, whole.
    fn request(&self, operation: &str, body: &Value) -> Vec<u8> {
        let body = body.to_string();
        let target = format!("DynamoDB_20120810.{operation}");
        let date = self.timestamp.to_string();
        let headers = [
            ("host", self.host.as_str()),
            ("content-type", "application/x-amz-json-1.0"),
            ("x-amz-date", date.as_str()),
            ("x-amz-target", target.as_str()),
        ];
        let mut head = "POST / HTTP/1.1\r\n".to_owned();
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(key) = &self.key {
            let request = Request {
                method: "POST",
                path: "/",
                query: "",
                headers: headers.as_slice(),
                body: body.as_bytes(),
            };
            let signer = Signer {
                access_key_id: ACCESS_KEY_ID,
                key,
                session_token: None,
                region: "us-east-1",
                service: "dynamodb",
            };
            let signed = "content-type;host;x-amz-date;x-amz-target";
            let authorization = signer.authorization(&request, signed, self.timestamp);
            head += &format!("authorization: {authorization}\r\n");
        }
        head += &format!("content-length: {}\r\n\r\n{body}", body.len());
        head.into_bytes()
    }
}

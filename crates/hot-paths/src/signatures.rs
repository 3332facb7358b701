//! What a signed request costs before anything is done for it.

use anyhow::{Result, ensure};
use monotable_sigv4::{Expected, Presented, Request, Secret, SecretKey, Signer, Timestamp};

use crate::repeat;

const ACCESS_KEY_ID: &str = "AKIAIOSFODNN7EXAMPLE";
const SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const REGION: &str = "us-east-1";
const SERVICE: &str = "dynamodb";
const SIGNED: &str = "content-type;host;x-amz-date;x-amz-target";
const BODY: &[u8] =
    br#"{"TableName":"orders","Key":{"pk":{"S":"STORE#00000007"},"sk":{"S":"ORDER#00000042"}}}"#;

/// Reads and verifies the signature of a GetItem, with the headers that boto3 sends.
pub(crate) fn verify(iterations: u64) -> Result<()> {
    let now = Timestamp::from_epoch_secs(1_440_938_160);
    let date = now.to_string();
    let headers = [
        ("Host", "127.0.0.1:8000"),
        ("X-Amz-Target", "DynamoDB_20120810.GetItem"),
        ("Content-Type", "application/x-amz-json-1.0"),
        ("User-Agent", "Boto3/1.40.0 md/Botocore#1.40.0 ua/2.1 os/linux md/arch#x86_64"),
        ("X-Amz-Date", &date),
        ("amz-sdk-invocation-id", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"),
        ("amz-sdk-request", "attempt=1"),
        ("Content-Length", "87"),
    ];
    let key = SecretKey::new(Secret::new(SECRET.to_owned()));
    let request =
        Request { method: "POST", path: "/", query: "", headers: &headers[..], body: BODY };
    let signer = Signer {
        access_key_id: ACCESS_KEY_ID,
        key: &key,
        session_token: None,
        region: REGION,
        service: SERVICE,
    };
    let authorization = signer.authorization(&request, SIGNED, now);
    let headers = [&headers[..], &[("Authorization", &authorization)]].concat();
    let request = Request { headers: &headers[..], ..request };
    let expected = Expected { region: REGION, service: SERVICE, now, signed: &["x-amz-target"] };
    repeat::calls(iterations, |_| {
        let presented = Presented::read(&request, &expected)?;
        ensure!(presented.access_key_id() == ACCESS_KEY_ID, "another key");
        Ok(presented.verify(&key, &request)?)
    })
}

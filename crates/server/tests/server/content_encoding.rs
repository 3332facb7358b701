//! gzip, both ways.

use std::io::{Read, Write};

use crate::support::{LARGE_BYTES, Reply, TestServer, call_with};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use monotable_server::BODY_BYTES_MAX;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn send_gzip(server: &TestServer, bytes: &[u8]) -> Reply {
    server.send(call_with("Echo", bytes, "Content-Encoding: gzip\r\n"))
}

#[test]
fn a_compressed_request_is_understood() {
    let server = TestServer::start();
    assert_eq!(send_gzip(&server, &gzip(b"{\"a\":1}")).text(), "{\"a\":1}");
    let two_members = [gzip(b"{\"a\":"), gzip(b"1}")].concat();
    assert_eq!(send_gzip(&server, &two_members).text(), "{\"a\":1}");
}

#[test]
fn a_small_request_that_inflates_beyond_the_limit_is_too_large() {
    let server = TestServer::start();
    let bomb = gzip(&vec![b' '; BODY_BYTES_MAX + 1]);
    assert!(bomb.len() < 100_000);
    assert_eq!(send_gzip(&server, &bomb).status, 413);
}

#[test]
fn a_large_answer_is_compressed_for_those_who_ask() {
    let server = TestServer::start();
    let reply = server.send(call_with("Large", b"{}", "Accept-Encoding: deflate, gzip\r\n"));
    assert_eq!(reply.header("content-encoding"), Some("gzip"));
    let mut inflated = Vec::new();
    GzDecoder::new(reply.body.as_slice()).read_to_end(&mut inflated).unwrap();
    assert_eq!(inflated, vec![b'x'; LARGE_BYTES]);
    // SDKs compare the checksum before they inflate.
    let checksum = crc32fast::hash(&reply.body).to_string();
    assert_eq!(reply.header("x-amz-crc32"), Some(checksum.as_str()));
}

#[test]
fn an_answer_is_left_alone_if_it_is_small_or_nobody_asked() {
    let server = TestServer::start();
    for request in [
        call_with("Echo", b"{}", "Accept-Encoding: gzip\r\n"),
        call_with("Large", b"{}", ""),
        call_with("Large", b"{}", "Accept-Encoding: identity\r\n"),
        call_with("Large", b"{}", "Accept-Encoding: gzip;q=0\r\n"),
    ] {
        assert_eq!(server.send(request).header("content-encoding"), None);
    }
}

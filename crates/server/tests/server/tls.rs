//! The same server over TLS.

use std::fs;
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::support::{LARGE_BYTES, Reply, TestServer, call, call_with, chunked_call_with};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper_util::rt::{TokioExecutor, TokioIo};
use monotable_database::ManualClock;
use monotable_server::{SelfSigned, Tls, TlsFiles, self_signed};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tokio_rustls::TlsConnector;

type Stream = BufReader<StreamOwned<ClientConnection, TcpStream>>;

/// A certificate for this machine in a directory.
fn certificate(directory: &Path) -> SelfSigned {
    let names = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    self_signed(directory, &names).unwrap()
}

fn start(files: TlsFiles) -> (TestServer, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(0));
    (TestServer::encrypted(Tls::load(files).unwrap(), clock.clone()), clock)
}

/// What a client that trusts an authority goes by, and has to show.
fn trusting(
    authority: &Path,
    shown: Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>,
) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(authority).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots);
    match shown {
        Some((chain, key)) => builder.with_client_auth_cert(chain, key).unwrap(),
        None => builder.with_no_client_auth(),
    }
}

fn connect(server: &TestServer, config: ClientConfig) -> Stream {
    let name = ServerName::try_from("localhost").unwrap();
    let client = ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    BufReader::new(StreamOwned::new(client, stream))
}

fn send(stream: &mut Stream, request: &[u8]) -> Reply {
    stream.get_mut().write_all(request).unwrap();
    Reply::read(stream)
}

#[test]
fn calls_of_every_size_and_kind_are_answered() {
    let directory = tempfile::tempdir().unwrap();
    let made = certificate(directory.path());
    let (server, _) = start(made.files);
    let mut client = connect(&server, trusting(&made.authority, None));
    assert_eq!(send(&mut client, &call("Echo", b"{}")).text(), "{}");
    assert_eq!(send(&mut client, &call("Large", b"{}")).body.len(), LARGE_BYTES);
    for body_bytes in [20_000, 700_000, 3_000_000] {
        let body = vec![b'7'; body_bytes];
        assert_eq!(send(&mut client, &call("Echo", &body)).body, body);
    }
    let own_page = call_with("Echo", b"{}", "Origin: https://localhost\r\n");
    let mut client = connect(&server, trusting(&made.authority, None));
    assert_eq!(send(&mut client, &own_page).status, 200);
    assert_eq!(send(&mut client, &chunked_call_with("Large", b"{}", "")).body.len(), LARGE_BYTES);
    let other_page = call_with("Echo", b"{}", "Origin: http://localhost\r\n");
    assert_eq!(send(&mut client, &other_page).status, 403);
}

#[test]
fn a_call_is_given_up_when_its_connection_is_reset() {
    let directory = tempfile::tempdir().unwrap();
    let made = certificate(directory.path());
    let (server, _) = start(made.files);
    for request in [call("Wait", b"{}"), chunked_call_with("Wait", b"{}", "")] {
        let mut client = connect(&server, trusting(&made.authority, None));
        client.get_mut().write_all(&[call("Echo", b"{}"), request].concat()).unwrap();
        server.until_waiting();
        // Closing a socket with an answer that was not read resets it.
        drop(client.into_inner().into_parts().1);
        server.until_given_up();
    }
}

#[tokio::test]
async fn http_2_is_negotiated() {
    let directory = tempfile::tempdir().unwrap();
    let made = certificate(directory.path());
    let (server, _) = start(made.files);
    for (offered, negotiated) in
        [(vec!["h2", "http/1.1"], Some("h2")), (vec!["http/1.1"], Some("http/1.1")), (vec![], None)]
    {
        let mut config = trusting(&made.authority, None);
        config.alpn_protocols = offered.iter().map(|name| name.as_bytes().to_vec()).collect();
        let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
        let protocol = stream.get_ref().1.alpn_protocol().map(<[u8]>::to_vec);
        assert_eq!(protocol.as_deref(), negotiated.map(str::as_bytes));
        if negotiated != Some("h2") {
            continue;
        }
        let (mut sender, connection) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
                .await
                .unwrap();
        tokio::spawn(connection);
        let request = Request::post(format!("https://localhost:{}/", server.address().port()))
            .header("content-type", "application/x-amz-json-1.0")
            .header("x-amz-target", "Large")
            .body(Full::new(Bytes::from_static(b"{}")))
            .unwrap();
        let response = sender.send_request(request).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body.len(), LARGE_BYTES);
    }
}

#[test]
fn a_client_that_does_not_encrypt_is_told_so() {
    let directory = tempfile::tempdir().unwrap();
    let (server, _) = start(certificate(directory.path()).files);
    let reply = server.call("Echo", b"{}");
    assert_eq!(reply.status, 400);
    assert!(reply.text().contains("https://"), "{}", reply.text());
}

#[test]
fn a_handshake_that_takes_too_long_is_cut_off_and_holds_nobody_up() {
    let directory = tempfile::tempdir().unwrap();
    let made = certificate(directory.path());
    let (server, clock) = start(made.files);
    let mut silent: Vec<_> = (0..20).map(|_| server.connect()).collect();
    for client in &mut silent[..10] {
        client.send([0x16, 3, 1]);
    }
    let mut client = connect(&server, trusting(&made.authority, None));
    assert_eq!(send(&mut client, &call("Echo", b"{}")).status, 200);
    clock.advance(Duration::from_secs(10));
    for client in &mut silent {
        assert!(client.read_to_close().is_empty());
    }
}

#[test]
fn a_client_without_a_certificate_is_refused_if_one_is_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let made = certificate(directory.path());
    let authority_key = KeyPair::generate().unwrap();
    let mut authority = CertificateParams::default();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_file = directory.path().join("clients.pem");
    fs::write(&authority_file, authority.self_signed(&authority_key).unwrap().pem()).unwrap();
    let issuer = Issuer::new(authority, authority_key);
    let key = KeyPair::generate().unwrap();
    let client = CertificateParams::new(["alice".to_owned()]).unwrap();
    let shown = client.signed_by(&key, &issuer).unwrap();
    let chain = vec![shown.der().clone()];
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();

    let files = TlsFiles { client_authority: Some(authority_file), ..made.files };
    let (server, _) = start(files);
    let mut known = connect(&server, trusting(&made.authority, Some((chain, key))));
    assert_eq!(send(&mut known, &call("Echo", b"{}")).status, 200);
    let mut unknown = connect(&server, trusting(&made.authority, None));
    // The client may be done with its part before the server refuses it.
    let _ = unknown.get_mut().write_all(&call("Echo", b"{}"));
    assert!(unknown.read_to_end(&mut Vec::new()).is_err());
}

/// The certificate that a new connection is shown.
fn shown(server: &TestServer, authority: &Path) -> Option<Vec<u8>> {
    let mut client = connect(server, trusting(authority, None));
    client.get_mut().write_all(&call("Echo", b"{}")).ok()?;
    assert_eq!(Reply::read(&mut client).status, 200);
    Some(client.get_ref().conn.peer_certificates()?.first()?.to_vec())
}

#[test]
fn new_files_are_served_without_a_restart_and_bad_ones_are_not() {
    let directory = tempfile::tempdir().unwrap();
    let (one, other) =
        (certificate(&directory.path().join("one")), certificate(&directory.path().join("other")));
    let (server, clock) = start(one.files.clone());
    let first = shown(&server, &one.authority).unwrap();
    let mut open = connect(&server, trusting(&one.authority, None));
    assert_eq!(send(&mut open, &call("Echo", b"{}")).status, 200);

    // The key does not match yet.
    fs::copy(&other.files.certificate, &one.files.certificate).unwrap();
    for _ in 0..3 {
        clock.advance(Duration::from_secs(5));
        assert_eq!(shown(&server, &one.authority), Some(first.clone()));
    }
    fs::copy(&other.files.key, &one.files.key).unwrap();
    let is_new = (0..10_000).any(|_| {
        clock.advance(Duration::from_secs(5));
        shown(&server, &other.authority).is_some_and(|shown| shown != first)
    });
    assert!(is_new);
}

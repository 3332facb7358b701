//! HTTP for the reference servers.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::Arc;

use anyhow::{Context, Result};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime;

use super::Mode;
use super::answers::Answers;

const TARGET_PREFIX: &str = "DynamoDB_20120810.";

/// Serves on a port of this machine until the process is killed.
pub(crate) fn run(mode: Mode, port: u16) -> Result<()> {
    let runtime = runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(listen(Arc::new(Answers::new(mode)), port))
}

async fn listen(answers: Arc<Answers>, port: u16) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(serve(stream, answers.clone()));
    }
}

async fn serve(stream: TcpStream, answers: Arc<Answers>) {
    let service = service_fn(|request| {
        let answers = answers.clone();
        async move { Ok::<_, Infallible>(respond(&answers, request).await) }
    });
    // A client that goes away ends its connection early, which is no affair of the others.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn respond(answers: &Answers, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let (status, body) = match answer(answers, request).await {
        Ok(body) => (StatusCode::OK, body),
        Err(error) => (StatusCode::BAD_REQUEST, Bytes::from(format!("{error:#}"))),
    };
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let media_type = HeaderValue::from_static("application/x-amz-json-1.0");
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}

async fn answer(answers: &Answers, request: Request<Incoming>) -> Result<Bytes> {
    let (head, body) = request.into_parts();
    let target = head.headers.get("x-amz-target").and_then(|value| value.to_str().ok());
    let operation = target.and_then(|target| target.strip_prefix(TARGET_PREFIX));
    let body = body.collect().await?.to_bytes();
    answers.to(operation.context("the request names no operation")?, &body)
}

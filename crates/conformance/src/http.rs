//! HTTP/1.1 over one connection that is kept alive: just enough to ask a server and read its
//! answer.
//!
//! There is no retry. Whether a request was answered is what the crash suite is about, so an I/O
//! error is an error, and the connection is not used again.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use monotable_remote::{host_header, parse_address};
use rustls::ClientConfig;

use crate::transport::Transport;

/// One connection to a server.
#[derive(Debug)]
pub struct Connection {
    authority: String,
    stream: BufReader<Transport>,
}

/// What a server answered.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status, such as 200.
    pub status: u16,
    /// Names in lower case, in the order they came.
    pub headers: Vec<(String, String)>,
    /// The body as it was sent.
    pub body: Vec<u8>,
}

impl Connection {
    /// Connects to an endpoint such as `http://127.0.0.1:8000`.
    pub fn open(endpoint: &str) -> Result<Self> {
        let authority = endpoint
            .strip_prefix("http://")
            .with_context(|| format!("{endpoint} is not an http address"))?
            .trim_end_matches('/');
        let stream = Transport::Plain(connect(endpoint, authority)?);
        Ok(Self { authority: authority.to_owned(), stream: BufReader::new(stream) })
    }

    /// Connects to an endpoint such as `https://dynamodb.eu-west-2.amazonaws.com`, or to one that
    /// does not encrypt.
    pub fn open_with(endpoint: &str, tls: &Arc<ClientConfig>) -> Result<Self> {
        let address = parse_address(endpoint)?;
        let host = address.host().unwrap_or_default();
        let is_encrypted = address.scheme_str() == Some("https");
        let port = address.port_u16().unwrap_or(if is_encrypted { 443 } else { 80 });
        let stream = connect(endpoint, &format!("{host}:{port}"))?;
        let stream = if is_encrypted {
            Transport::encrypt(stream, host, tls)?
        } else {
            Transport::Plain(stream)
        };
        Ok(Self { authority: host_header(&address), stream: BufReader::new(stream) })
    }

    /// Gives up on an answer that takes longer; without a limit it is waited for.
    pub fn set_timeout(&self, timeout: Option<Duration>) -> Result<()> {
        Ok(self.stream.get_ref().socket().set_read_timeout(timeout)?)
    }

    /// Sends `POST /` and waits for the answer.
    pub fn post(&mut self, headers: &[(&str, &str)], body: &[u8]) -> Result<Answer> {
        self.send("POST", "/", headers, body)
    }

    /// Sends a request with any method and path, and waits for the answer.
    pub fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Answer> {
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n", self.authority);
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        let mut bytes = request.into_bytes();
        bytes.extend_from_slice(body);
        let stream = self.stream.get_mut();
        stream
            .write_all(&bytes)
            .and_then(|()| stream.flush())
            .context("the request cannot be sent")?;
        self.read_answer()
    }

    fn read_answer(&mut self) -> Result<Answer> {
        let status_line = self.read_line()?;
        let status = status_line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.with_context(|| format!("{status_line:?} is no status line"))?;
        let mut headers = Vec::new();
        loop {
            let line = self.read_line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut answer = Answer { status, headers, body: Vec::new() };
        if answer.header("transfer-encoding").is_some_and(|coding| coding == "chunked") {
            answer.body = self.read_chunks()?;
            return Ok(answer);
        }
        let length = answer.header("content-length").context("the answer has no length")?;
        answer.body = self.read_bytes(length.parse().context("the length is no number")?)?;
        Ok(answer)
    }

    fn read_chunks(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let size = self.read_line()?;
            let size = size.split(';').next().unwrap_or_default();
            let size = usize::from_str_radix(size, 16).context("a chunk has no length")?;
            body.extend(self.read_bytes(size)?);
            self.read_line()?;
            if size == 0 {
                return Ok(body);
            }
        }
    }

    fn read_bytes(&mut self, size: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; size];
        self.stream.read_exact(&mut bytes).context("the answer was cut off")?;
        Ok(bytes)
    }

    fn read_line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line).context("no answer")? == 0 {
            bail!("the server closed the connection");
        }
        Ok(line.trim_end().to_owned())
    }
}

fn connect(endpoint: &str, authority: &str) -> Result<TcpStream> {
    let stream =
        TcpStream::connect(authority).with_context(|| format!("{endpoint} cannot be reached"))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

impl Answer {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// True if the server closes the connection after this answer.
    pub fn closes_connection(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

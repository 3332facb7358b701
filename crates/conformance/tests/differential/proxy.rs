//! A proxy that changes the answers of a server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use monotable_conformance::http::Connection;
use serde_json::Value;

/// What is done to the answer to an action.
type Change = fn(&str, &mut Value);

/// A proxy on a free port. Its threads end with the test.
pub(crate) struct Proxy {
    endpoint: String,
}

impl Proxy {
    pub(crate) fn start(server: &str, change: Change) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let server = server.to_owned();
        thread::spawn(move || {
            for client in listener.incoming() {
                let server = server.clone();
                thread::spawn(move || serve(client.unwrap(), &server, change));
            }
        });
        Proxy { endpoint }
    }

    pub(crate) fn endpoint(&self) -> &str {
        &self.endpoint
    }
}

/// Answers the requests of a connection until it ends.
fn serve(client: TcpStream, server: &str, change: Change) {
    let mut client = BufReader::new(client);
    while let Some((headers, body)) = read_request(&mut client) {
        let sent = headers.iter().filter(|(name, _)| name != "host" && name != "content-length");
        let sent: Vec<(&str, &str)> =
            sent.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let answer = Connection::open(server).unwrap().post(&sent, &body).unwrap();
        let target = sent.iter().find(|(name, _)| *name == "x-amz-target");
        let action = target.and_then(|(_, target)| target.rsplit('.').next()).unwrap_or_default();
        let body = match serde_json::from_slice::<Value>(&answer.body) {
            Ok(mut body) => {
                change(action, &mut body);
                body.to_string().into_bytes()
            }
            Err(_) => answer.body,
        };
        // In one piece: a body that comes behind its head waits until the head is acknowledged.
        let mut message =
            format!("HTTP/1.1 {} Any\r\ncontent-length: {}\r\n\r\n", answer.status, body.len())
                .into_bytes();
        message.extend(body);
        if client.get_mut().write_all(&message).is_err() {
            return;
        }
    }
}

type Request = (Vec<(String, String)>, Vec<u8>);

fn read_request(client: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    client.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        client.read_line(&mut line).ok()?;
        let Some((name, value)) = line.split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let mut body = vec![0; length.map_or(0, |(_, length)| length.parse().unwrap())];
    client.read_exact(&mut body).ok()?;
    Some((headers, body))
}

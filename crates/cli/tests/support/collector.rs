//! A collector of traces.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long a test waits for what must come. Only a failing test ever waits this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Takes what is posted, and gives it to the test.
pub(crate) struct Collector {
    address: SocketAddr,
    bodies: mpsc::Receiver<(String, String)>,
}

impl Collector {
    pub(crate) fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, bodies) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let sender = sender.clone();
                thread::spawn(move || answer_all(stream, &sender));
            }
        });
        Collector { address, bodies }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The next request: its first line and its body.
    #[track_caller]
    pub(crate) fn next(&self) -> (String, String) {
        self.bodies.recv_timeout(PATIENCE).expect("spans come")
    }
}

fn answer_all(stream: TcpStream, bodies: &mpsc::Sender<(String, String)>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let (mut first, mut length) = (None, 0);
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let line = line.trim().to_owned();
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            if line.is_empty() {
                break;
            }
            first.get_or_insert(line);
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).ok()?;
        bodies.send((first?, String::from_utf8(body).ok()?)).ok()?;
        stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").ok()?;
    }
}

//! An HTTP server that takes the batches of a trigger.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// How long a test waits for what must come. Only a failing test ever waits this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Decides what a batch is answered with: the status and the body.
type Decide = Box<dyn Fn(&[Value]) -> (u16, String) + Send + Sync>;

/// Takes batches, and gives them to the test in the order they came.
pub(crate) struct Receiver {
    address: SocketAddr,
    batches: mpsc::Receiver<Vec<Value>>,
}

impl Receiver {
    /// Takes every batch.
    pub(crate) fn start() -> Receiver {
        Receiver::deciding(|_| (200, String::new()))
    }

    /// Answers as `decide` says, and with the status 0 hangs up instead. Batches that are not
    /// answered with 200 are not given to the test.
    pub(crate) fn deciding(
        decide: impl Fn(&[Value]) -> (u16, String) + Send + Sync + 'static,
    ) -> Receiver {
        Receiver::on(TcpListener::bind("127.0.0.1:0").unwrap(), Box::new(decide))
    }

    /// Takes every batch at an address that is free.
    pub(crate) fn at(address: SocketAddr) -> Receiver {
        let take_all = |_: &[Value]| (200, String::new());
        Receiver::on(TcpListener::bind(address).unwrap(), Box::new(take_all))
    }

    fn on(listener: TcpListener, decide: Decide) -> Receiver {
        let address = listener.local_addr().unwrap();
        let (sender, batches) = mpsc::channel();
        let decide = Arc::new(decide);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (sender, decide) = (sender.clone(), decide.clone());
                thread::spawn(move || answer_all(stream, &sender, &decide));
            }
        });
        Receiver { address, batches }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/batch", self.address)
    }

    /// The next batch that was taken.
    #[track_caller]
    pub(crate) fn batch(&self) -> Vec<Value> {
        self.batches.recv_timeout(PATIENCE).expect("a batch comes")
    }
}

fn answer_all(
    stream: TcpStream,
    batches: &mpsc::Sender<Vec<Value>>,
    decide: &Decide,
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let body = read_request(&mut stream)?;
        let event: Value = serde_json::from_slice(&body).ok()?;
        let records = event["Records"].as_array()?.clone();
        let (status, answer) = decide(&records);
        if status == 0 {
            return None;
        }
        if status == 200 {
            batches.send(records).ok()?;
        }
        let length = answer.len();
        let head = format!("HTTP/1.1 {status} Answer\r\ncontent-length: {length}\r\n\r\n");
        stream.get_mut().write_all(format!("{head}{answer}").as_bytes()).ok()?;
    }
}

/// The body of the next request; none when the connection has ended.
fn read_request(stream: &mut BufReader<TcpStream>) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(body)
}

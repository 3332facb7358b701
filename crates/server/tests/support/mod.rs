//! A server with a handler of few words, and a client that sends bytes as they are.

pub(crate) mod prometheus;

use std::error::Error;
use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::pin::Pin;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use monotable_api::{Api, ApiError};
use monotable_database::{Clock, Database, DatabaseOptions, Home, Ids, ManualClock};
use monotable_faults::FaultPlan;
use monotable_identity::{AuthenticationError, Caller, Keyring};
use monotable_server::{
    Access, Answer, DatabaseClock, Handler, HealthProbe, Limits, Listener, Monitoring, Options,
    Pages, Server, Tls,
};
use monotable_storage::MemoryEngine;
use serde_json::Value;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::{Notify, oneshot};

/// How long a test waits for what must come. Only a failing test ever waits this long.
const PATIENCE: Duration = Duration::from_secs(20);

/// The time of the machine, which stands still: 20150830T123600Z.
pub(crate) const NOW_MILLIS: u64 = 1_440_938_160_000;

/// The size of the answer to `Large`.
pub(crate) const LARGE_BYTES: usize = 100_000;

/// The size of the answer to `Huge`.
pub(crate) const HUGE_BYTES: usize = 16 << 20;

/// Answers by the name of the operation.
struct FakeHandler {
    waiting: mpsc::Sender<()>,
    given_up: mpsc::Sender<()>,
    release: Arc<Notify>,
    faults: Mutex<Arc<FaultPlan>>,
}

/// Says so if it is dropped before it is forgotten.
struct Unfinished(mpsc::Sender<()>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        // At the end of a test nobody listens.
        let _ = self.0.send(());
    }
}

impl Handler for FakeHandler {
    async fn call(&self, caller: &Caller, target: &str, body: &[u8]) -> Answer {
        match target {
            "Echo" => Answer { status: 200, body: body.to_vec() },
            "WhoAmI" => {
                let user = caller.principal().map_or("anyone", |principal| &principal.user);
                Answer { status: 200, body: user.into() }
            }
            "Large" => Answer { status: 200, body: vec![b'x'; LARGE_BYTES] },
            "Refuse" => Answer { status: 400, body: b"{\"refused\":true}".to_vec() },
            "Huge" => Answer { status: 200, body: vec![b'x'; HUGE_BYTES] },
            "Drop" => Answer::none(),
            "Panic" => panic!("told to panic"),
            "Wait" => {
                let unfinished = Unfinished(self.given_up.clone());
                self.waiting.send(()).unwrap();
                self.release.notified().await;
                std::mem::forget(unfinished);
                Answer { status: 200, body: b"{\"waited\":true}".to_vec() }
            }
            "WaitWithoutYielding" => {
                self.waiting.send(()).unwrap();
                let released = self.release.notified();
                tokio::task::block_in_place(|| Handle::current().block_on(released));
                Answer { status: 200, body: b"{\"waited\":true}".to_vec() }
            }
            other => {
                Answer { status: 200, body: format!("{other} of {} bytes", body.len()).into() }
            }
        }
    }

    fn refuse(&self, error: &AuthenticationError) -> Answer {
        Answer::from(ApiError::unauthenticated(error))
    }

    async fn catch_up(&self) {}

    fn room_bytes(&self, target: &str, _body_bytes: usize) -> usize {
        if target == "Huge" { HUGE_BYTES } else { 0 }
    }

    fn busy(&self) -> Answer {
        Answer { status: 503, body: b"{\"busy\":true}".to_vec() }
    }

    fn faults(&self) -> Arc<FaultPlan> {
        self.faults.lock().unwrap().clone()
    }

    fn set_faults(&self, plan: FaultPlan) {
        *self.faults.lock().unwrap() = Arc::new(plan);
    }

    fn failed(&self, cause: &(dyn Error + 'static)) -> Answer {
        Answer { status: 500, body: cause.to_string().into() }
    }
}

struct TokioClock;

impl Clock for TokioClock {
    fn now_millis(&self) -> u64 {
        NOW_MILLIS
    }

    #[expect(clippy::disallowed_methods, reason = "this is the clock that is passed in")]
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(duration))
    }
}

struct FixedIds;

impl Ids for FixedIds {
    fn random(&self) -> u128 {
        0x0F1E_2D3C_4B5A_6978_8796_A5B4_C3D2_E1F0
    }
}

/// A server on a thread of its own.
pub(crate) struct TestServer {
    address: SocketAddr,
    waiting: mpsc::Receiver<()>,
    given_up: mpsc::Receiver<()>,
    release: Arc<Notify>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

fn options() -> Options {
    Options {
        region: "us-east-1".to_owned(),
        limits: Limits::default(),
        clock: DatabaseClock::Manual(Arc::new(ManualClock::new(0))),
        access: Access::default(),
        health: HealthProbe::default(),
        monitoring: Monitoring::default(),
        keyring: None,
        pages: None,
    }
}

impl TestServer {
    pub(crate) fn start() -> TestServer {
        TestServer::with(options())
    }

    pub(crate) fn with_limits(limits: Limits) -> TestServer {
        TestServer::with(Options { limits, ..options() })
    }

    pub(crate) fn with_access(access: Access) -> TestServer {
        TestServer::with(Options { access, ..options() })
    }

    pub(crate) fn with_health(health: HealthProbe) -> TestServer {
        TestServer::with(Options { health, ..options() })
    }

    pub(crate) fn with_monitoring(monitoring: Monitoring) -> TestServer {
        TestServer::with(Options { monitoring, ..options() })
    }

    /// A server that has something to show to people.
    pub(crate) fn with_pages(pages: Arc<dyn Pages>) -> TestServer {
        TestServer::with(Options { pages: Some(pages), ..options() })
    }

    /// A server of the API on a database in memory.
    pub(crate) fn of_api(monitoring: Monitoring) -> TestServer {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let open = Database::open(
            MemoryEngine::new(),
            Arc::new(TokioClock),
            Arc::new(FixedIds),
            DatabaseOptions::default(),
        );
        let api = Api::new(runtime.block_on(open).unwrap(), Home::default());
        let (_, waiting) = mpsc::channel();
        let (_, given_up) = mpsc::channel();
        let options = Options { monitoring, ..options() };
        let server = Server::new(api, options, Arc::new(TokioClock), &FixedIds);
        TestServer::run(runtime, server, (waiting, given_up, Arc::default()))
    }

    /// A server that wants calls signed.
    pub(crate) fn with_keyring(keyring: Arc<Keyring>) -> TestServer {
        TestServer::with(Options { keyring: Some(keyring), ..options() })
    }

    /// The same, and what is done about calls besides.
    pub(crate) fn with_keyring_and(keyring: Arc<Keyring>, monitoring: Monitoring) -> TestServer {
        TestServer::with(Options { keyring: Some(keyring), monitoring, ..options() })
    }

    /// A server that goes by a clock that is moved.
    pub(crate) fn with_clock(limits: Limits, clock: Arc<ManualClock>) -> TestServer {
        TestServer::build(Options { limits, ..options() }, clock, None)
    }

    /// A server that speaks TLS, and goes by a clock that is moved.
    pub(crate) fn encrypted(tls: Tls, clock: Arc<ManualClock>) -> TestServer {
        TestServer::build(options(), clock, Some(tls))
    }

    fn with(options: Options) -> TestServer {
        TestServer::build(options, Arc::new(TokioClock), None)
    }

    fn build(options: Options, clock: Arc<dyn Clock>, tls: Option<Tls>) -> TestServer {
        let (waiting_sender, waiting) = mpsc::channel();
        let release = Arc::new(Notify::new());
        let (given_up_sender, given_up) = mpsc::channel();
        let handler = FakeHandler {
            waiting: waiting_sender,
            given_up: given_up_sender,
            release: release.clone(),
            faults: Mutex::default(),
        };
        let server = Server::new(handler, options, clock, &FixedIds);
        let server = match tls {
            Some(tls) => server.encrypted_by(tls),
            None => server,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(2).enable_all().build().unwrap();
        TestServer::run(runtime, server, (waiting, given_up, release))
    }

    fn run(
        runtime: Runtime,
        server: Server<impl Handler>,
        (waiting, given_up, release): (mpsc::Receiver<()>, mpsc::Receiver<()>, Arc<Notify>),
    ) -> TestServer {
        let (address_sender, address) = mpsc::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            runtime.block_on(async {
                let listener = Listener::bind("127.0.0.1", 0).await.unwrap();
                address_sender.send(listener.address()).unwrap();
                server.serve(listener, async { stopped.await.unwrap_or(()) }).await;
            });
        });
        let address = address.recv_timeout(PATIENCE).unwrap();
        TestServer { address, waiting, given_up, release, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn connect(&self) -> Client {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream: BufReader::new(stream) }
    }

    /// Sends one call on a connection of its own.
    pub(crate) fn call(&self, target: &str, body: &[u8]) -> Reply {
        self.connect().call(target, body)
    }

    /// Sends these bytes on a connection of its own, and reads one answer.
    pub(crate) fn send(&self, request: impl AsRef<[u8]>) -> Reply {
        let mut client = self.connect();
        client.send(request);
        client.read()
    }

    /// Answers a `GET`.
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    }

    /// Calls an operation of DynamoDB; returns the status and the answer.
    pub(crate) fn dynamodb(&self, operation: &str, body: &Value) -> (u16, Value) {
        let target = format!("DynamoDB_20120810.{operation}");
        let reply = self.call(&target, body.to_string().as_bytes());
        (reply.status, serde_json::from_slice(&reply.body).unwrap())
    }

    /// Sends these bytes on a connection of its own, and reads the head of one answer.
    pub(crate) fn send_for_head(&self, request: impl AsRef<[u8]>) -> Reply {
        let mut client = self.connect();
        client.send(request);
        Reply::read_head(&mut client.stream)
    }

    /// Returns when the handler is at work on a `Wait`.
    pub(crate) fn until_waiting(&self) {
        self.waiting.recv_timeout(PATIENCE).unwrap();
    }

    /// Returns when a `Wait` has been dropped before its end.
    pub(crate) fn until_given_up(&self) {
        self.given_up.recv_timeout(PATIENCE).unwrap();
    }

    /// Whether a `Wait` has been dropped before its end.
    pub(crate) fn has_given_up(&self) -> bool {
        self.given_up.try_recv().is_ok()
    }

    /// Lets one `Wait` end.
    pub(crate) fn release(&self) {
        self.release.notify_one();
    }

    /// Tells the server to stop.
    pub(crate) fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    /// Returns when the server has stopped.
    pub(crate) fn join(&mut self) {
        self.thread.take().unwrap().join().unwrap();
    }

    pub(crate) fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

/// A connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.get_mut().write_all(bytes.as_ref()).unwrap();
    }

    /// Sends bytes to a server that may not want them.
    pub(crate) fn try_send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// Says that nothing more is sent.
    pub(crate) fn end(&mut self) {
        self.stream.get_mut().shutdown(Shutdown::Write).unwrap();
    }

    pub(crate) fn read_exact(&mut self, bytes: &mut [u8]) {
        self.stream.read_exact(bytes).unwrap();
    }

    pub(crate) fn call(&mut self, target: &str, body: &[u8]) -> Reply {
        self.send(call(target, body));
        self.read()
    }

    pub(crate) fn read(&mut self) -> Reply {
        Reply::read(&mut self.stream)
    }

    /// Reads on until the server closes; gives what it still sent.
    pub(crate) fn read_to_close(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        match self.stream.read_to_end(&mut rest) {
            Ok(_) => rest,
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => rest,
            Err(error) => panic!("the server does not close: {error}"),
        }
    }
}

/// The bytes of a call.
pub(crate) fn call(target: &str, body: &[u8]) -> Vec<u8> {
    call_with(target, body, "")
}

/// The bytes of a call with more header lines, each ended by `\r\n`.
pub(crate) fn call_with(target: &str, body: &[u8], headers: &str) -> Vec<u8> {
    let mut request = format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: {target}\r\n\
         Content-Type: application/x-amz-json-1.0\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    )
    .into_bytes();
    request.extend_from_slice(body);
    request
}

/// The bytes of the same call in chunks, which is not how SDKs send it.
pub(crate) fn chunked_call_with(target: &str, body: &[u8], headers: &str) -> Vec<u8> {
    let head = format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: {target}\r\n\
         Content-Type: application/x-amz-json-1.0\r\nTransfer-Encoding: chunked\r\n{headers}\r\n"
    );
    let chunk = match body.len() {
        0 => Vec::new(),
        length => [format!("{length:x}\r\n").as_bytes(), body, b"\r\n"].concat(),
    };
    [head.as_bytes(), chunk.as_slice(), b"0\r\n\r\n"].concat()
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// Reads an answer up to its body.
    fn read_head(stream: &mut impl BufRead) -> Reply {
        let status_line = read_line(stream);
        let status = status_line.split(' ').nth(1).expect("a status line").parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = read_line(stream);
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').unwrap();
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Reply { status, headers, body: Vec::new() }
    }

    pub(crate) fn read(stream: &mut impl BufRead) -> Reply {
        let mut reply = Reply::read_head(stream);
        match reply.header("content-length") {
            Some(length) => {
                reply.body = vec![0; length.parse().unwrap()];
                stream.read_exact(&mut reply.body).unwrap();
            }
            None => {
                assert_eq!(read_line(stream), "0", "only empty answers come in chunks");
                assert_eq!(read_line(stream), "");
            }
        }
        reply
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut named = self.headers.iter().filter(|(found, _)| found == name);
        let (_, value) = named.next()?;
        assert!(named.next().is_none(), "{name} is there twice");
        Some(value)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

fn read_line(stream: &mut impl BufRead) -> String {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    assert!(line.ends_with("\r\n"), "the connection ended within {line:?}");
    line.truncate(line.len() - 2);
    line
}

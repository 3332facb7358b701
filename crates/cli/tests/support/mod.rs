//! Runs the real binary, and calls it over HTTP.
#![expect(dead_code, reason = "each test file uses its own part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// How long a test waits for what must come. Only a failing test ever waits this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// The binary, in an environment without settings of its own.
pub(crate) fn monotable(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_monotable"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .env_remove("MONOTABLE_LOG")
        .env_remove("MONOTABLE_CREDENTIALS")
        .env_remove("MONOTABLE_STORE")
        .env_remove("PGPASSWORD")
        .env_remove("AWS_ENDPOINT_URL")
        .env_remove("AWS_ENDPOINT_URL_DYNAMODB");
    command
}

/// Runs the binary to its end.
pub(crate) fn run(arguments: &[&str]) -> Output {
    monotable(arguments).output().unwrap()
}

/// Runs the binary, which must fail, and gives what it says about that.
#[track_caller]
pub(crate) fn run_to_error(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A server. It is killed when this is dropped.
pub(crate) struct Server {
    process: Child,
    output: BufReader<ChildStdout>,
    first_line: String,
    address: SocketAddr,
}

impl Server {
    pub(crate) fn in_memory() -> Server {
        Server::start(monotable(&["serve", "--port", "0", "--in-memory"]))
    }

    pub(crate) fn on(directory: &Path) -> Server {
        let mut command = monotable(&["serve", "--port", "0", "--data"]);
        command.arg(directory);
        Server::start(command)
    }

    /// Starts a server, which listens on 127.0.0.1 and says on which port.
    pub(crate) fn start(mut command: Command) -> Server {
        Server::of(command.stdout(Stdio::piped()).spawn().unwrap())
    }

    /// A process that was started with its standard output piped.
    pub(crate) fn of(mut process: Child) -> Server {
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut first_line = String::new();
        output.read_line(&mut first_line).unwrap();
        let (_, rest) = first_line.split_once("http://").expect("the first line has the address");
        let address = rest.split(' ').next().unwrap().parse().unwrap();
        Server { process, output, first_line, address }
    }

    pub(crate) fn first_line(&self) -> &str {
        &self.first_line
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Calls an operation, which must succeed.
    #[track_caller]
    pub(crate) fn call(&self, operation: &str, body: &Value) -> Value {
        let (status, answer) = self.try_call(operation, &body.to_string());
        assert_eq!(status, 200, "{operation} {body}: {answer}");
        serde_json::from_str(&answer).unwrap()
    }

    /// Calls an operation with any body; returns the status and the text.
    pub(crate) fn try_call(&self, operation: &str, body: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(request(operation, body).as_bytes()).unwrap();
        read_answer(&mut stream)
    }

    /// The same for an operation on streams.
    pub(crate) fn try_call_stream(&self, operation: &str, body: &str) -> (u16, String) {
        let mut stream = self.connect();
        let request =
            request(operation, body).replacen("DynamoDB_20120810", "DynamoDBStreams_20120810", 1);
        stream.write_all(request.as_bytes()).unwrap();
        read_answer(&mut stream)
    }

    /// Creates a table with the text key `id`, and these members besides.
    pub(crate) fn create_table(&self, name: &str, more: &Value) {
        let mut request = json!({
            "TableName": name,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "S" }],
            "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
        });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.call("CreateTable", &request);
        let table = json!({ "TableName": name });
        while self.call("DescribeTable", &table)["Table"]["TableStatus"] != "ACTIVE" {}
    }

    /// Moves the manual clock of the server forward, by a duration such as `7d`.
    pub(crate) fn advance_clock(&self, duration: &str) {
        let endpoint = format!("http://{}", self.address);
        let output = run(&["clock", "advance", duration, "--endpoint", &endpoint]);
        assert!(output.status.success(), "{output:?}");
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let mut stream = self.connect();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .unwrap();
        read_answer(&mut stream)
    }

    /// Sends a call but for its last byte, and returns when the server is at work on it; gives the
    /// connection and that byte.
    pub(crate) fn send_half_a_request(&self) -> (TcpStream, Vec<u8>) {
        let mut stream = self.connect();
        let whole =
            request("ListTables", "{}").replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
        let (most, rest) = whole.split_at(whole.len() - 1);
        stream.write_all(most.as_bytes()).unwrap();
        // The server asks for the body once it has read the headers.
        let mut go_on = [0; 25];
        stream.read_exact(&mut go_on).unwrap();
        assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
        (stream, rest.as_bytes().to_vec())
    }

    /// Sends a signal by its name, such as `INT`.
    pub(crate) fn signal(&self, name: &str) {
        signal(&self.process, name);
    }

    /// Waits for the end; returns the status and what was printed after the first line.
    pub(crate) fn wait(mut self) -> (ExitStatus, String) {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        (self.process.wait().unwrap(), rest)
    }

    /// Returns when nobody listens any more.
    pub(crate) fn until_not_listening(&self) {
        while TcpStream::connect(self.address).is_ok() {}
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Sends a process a signal by its name.
pub(crate) fn signal(process: &Child, name: &str) {
    let id = process.id().to_string();
    assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
}

/// The member of CreateTable that asks for a stream.
pub(crate) fn stream_of(view: &str) -> Value {
    json!({ "StreamSpecification": { "StreamEnabled": true, "StreamViewType": view } })
}

/// Puts an item with a number; `false` once the server is gone.
pub(crate) fn try_put(address: SocketAddr, table: &str, id: &str, number: u32) -> bool {
    let item = json!({ "id": { "S": id }, "n": { "N": number.to_string() } });
    let body = json!({ "TableName": table, "Item": item }).to_string();
    let Ok(mut stream) = TcpStream::connect(address) else { return false };
    let mut answer = String::new();
    stream.write_all(request("PutItem", &body).as_bytes()).is_ok()
        && stream.read_to_string(&mut answer).is_ok()
        && answer.starts_with("HTTP/1.1 200")
}

/// The first line that a process writes there.
pub(crate) fn first_line_of(output: impl Read) -> String {
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).unwrap();
    line
}

/// The text of a call that closes its connection.
pub(crate) fn request(operation: &str, body: &str) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n\
         Content-Type: application/x-amz-json-1.0\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Reads an answer up to the end of the connection.
pub(crate) fn read_answer(stream: &mut TcpStream) -> (u16, String) {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

//! Servers on PostgreSQL, and the commands for their stores, with a database that the tests start.

mod bad_days;
mod copy;
mod rolling_upgrade;
mod servers;
mod session;
#[path = "../support/mod.rs"]
mod support;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_postgres_fixture::{Postgres, Programs, Syncs};
use serde_json::Value;

use support::{Server, monotable, run};

/// The database server of this process.
fn database() -> &'static Postgres {
    static SERVER: OnceLock<Postgres> = OnceLock::new();
    SERVER.get_or_init(|| {
        let programs = Programs::find().expect("PostgreSQL is installed");
        Postgres::start(&programs, Syncs::Never).expect("PostgreSQL starts")
    })
}

/// The address of a store that is not there yet.
fn new_address() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{}?schema=store_{number}", database().address())
}

/// The address of a store that has just been made.
fn new_store() -> String {
    let address = new_address();
    let output = run(&["store", "init", &address]);
    assert!(output.status.success(), "{output:?}");
    address
}

fn serve(address: &str) -> Server {
    Server::start(monotable(&["serve", "--port", "0", "--store", address]))
}

/// Runs a command that succeeds, and reads the object that it prints.
#[track_caller]
fn run_for_json(arguments: &[&str]) -> Value {
    let output = run(&[arguments, &["--output", "json"]].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

/// Stops a server, cleanly.
fn stop(server: Server) -> String {
    server.signal("TERM");
    let (status, printed) = server.wait();
    assert!(status.success(), "{status}");
    printed
}

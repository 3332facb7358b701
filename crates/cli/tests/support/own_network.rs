//! A network that a test makes for itself, with an address that is not one of loopback.

use std::env;
use std::process::Command;

/// An address of the network, one of those that documents use for examples.
pub(crate) const ADDRESS: &str = "192.0.2.1";

/// Tells the test that it runs in its own network.
const INSIDE: &str = "MONOTABLE_TEST_NETWORK";

/// What makes the network before it runs the test.
const SCRIPT: &str = "ip link set lo up && ip address add \"$0\"/32 dev lo && exec \"$@\"";

/// Runs a test in a network of its own, where there is nothing but this machine; the name is that
/// of the test with its modules. Returns whether this process is in there, so that the test goes
/// on. Where the system lets nobody make networks, no process is, and in CI the test fails.
pub(crate) fn is_inside(test: &str) -> bool {
    if env::var_os(INSIDE).is_some() {
        return true;
    }
    let mut trial = Command::new("unshare");
    trial.args(["-rn", "sh", "-c", SCRIPT, ADDRESS, "true"]);
    if !trial.status().is_ok_and(|status| status.success()) {
        assert!(env::var_os("CI").is_none(), "{test} needs unshare, ip and leave to use them");
        eprintln!("no network can be made here, so {test} proves nothing");
        return false;
    }
    let mut inside = Command::new("unshare");
    inside.args(["-rn", "sh", "-c", SCRIPT, ADDRESS]).arg(env::current_exe().unwrap());
    inside.args(["--exact", "--nocapture", test]).env(INSIDE, "1");
    let output = inside.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{output:?}");
    false
}

//! Whatever other clients do, one that means well is served.

use std::time::Duration;

use crate::support::{Server, monotable};
use monotable_conformance::abuse::{self, ATTACKS, Size};

#[test]
fn a_good_client_is_served_beside_every_kind_of_abuse() {
    let server = Server::start(monotable(&[
        "serve",
        "--port",
        "0",
        "--in-memory",
        "--memory-max",
        "64MB",
        "--log",
        "error",
    ]));
    let endpoint = format!("http://{}", server.address());
    abuse::prepare(&endpoint).unwrap();
    let size = Size { connections: 50, rest: Duration::ZERO, requests: 200 };
    for attack in ATTACKS {
        let latencies = abuse::measure(&endpoint, Some(attack), size).unwrap();
        assert_eq!(latencies.count(), size.requests, "{}", attack.name);
    }
}

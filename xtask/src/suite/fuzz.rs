//! A minute of each fuzzer: of what strangers can send.
//!
//! The fuzzers are tests that play on for longer when they are told to. `MONOTABLE_FUZZ_SECONDS` and
//! `PROPTEST_CASES` make any of them as long as one likes.

use anyhow::Result;

use super::counted;
use crate::counts::{self, Counts};
use crate::workspace::Workspace;

/// How long a fuzzer runs that counts time.
const SECONDS: &str = "60";

/// A fuzzer: its crate, the tests of it, and how many cases take about a minute on two cores.
struct Fuzzer {
    package: &'static str,
    tests: &'static [&'static str],
    cases: &'static str,
}

const FUZZERS: &[Fuzzer] = &[
    Fuzzer { package: "monotable-policy", tests: &["--test", "fuzz"], cases: "256" },
    Fuzzer { package: "monotable-sigv4", tests: &["--test", "verification"], cases: "60000" },
    Fuzzer { package: "monotable-server", tests: &["--lib", "arrival"], cases: "400000" },
    Fuzzer {
        package: "monotable-server",
        tests: &["--test", "two_ways", "damaged"],
        cases: "6000",
    },
];

pub(super) fn a_minute_each(workspace: &Workspace) -> Result<Counts> {
    let mut total = Counts::default();
    for Fuzzer { package, tests, cases } in FUZZERS {
        let finished = workspace
            .cargo(["test", "--package", package])
            .args(*tests)
            .env("MONOTABLE_FUZZ_SECONDS", SECONDS)
            .env("PROPTEST_CASES", cases)
            .tee()?;
        total += counted(&finished, counts::cargo_test)?;
    }
    Ok(total)
}

//! A minute of each fuzzer: of what strangers can send.
//!
//! The fuzzers are tests that play on for longer when they are told to:
//! `MONOTABLE_FUZZ_SECONDS` and `PROPTEST_CASES` make any of them as long as one likes.

use anyhow::Result;

use super::{counted, rust};
use crate::counts::{self, Counts};
use crate::workspace::Workspace;

/// How long a fuzzer runs that counts time.
const SECONDS: &str = "60";

/// A fuzzer: which tests of the workspace it is, and how many cases take about a minute on two
/// cores.
struct Fuzzer {
    tests: &'static [&'static str],
    cases: &'static str,
}

const FUZZERS: &[Fuzzer] = &[
    Fuzzer { tests: &["--test", "fuzz"], cases: "256" },
    Fuzzer { tests: &["--test", "verification"], cases: "180000" },
    Fuzzer { tests: &["--lib", "plain::arrival"], cases: "5000000" },
    Fuzzer { tests: &["--test", "server", "two_ways::a_damaged"], cases: "20000" },
];

pub(super) fn a_minute_each(workspace: &Workspace) -> Result<Counts> {
    let mut total = Counts::default();
    for Fuzzer { tests, cases } in FUZZERS {
        let finished = rust::test_build(workspace, &["test"])
            .args(*tests)
            .env("MONOTABLE_FUZZ_SECONDS", SECONDS)
            .env("PROPTEST_CASES", cases)
            .tee()?;
        total += counted(&finished, counts::cargo_test)?;
    }
    Ok(total)
}

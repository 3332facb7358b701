//! How many tests passed and failed, read from what each test runner prints at its end.

use std::iter::Sum;
use std::ops::AddAssign;

/// Tests that passed and tests that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Counts {
    /// One check that is not made of tests.
    pub(crate) fn one(passed: bool) -> Self {
        if passed { Self { passed: 1, failed: 0 } } else { Self { passed: 0, failed: 1 } }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(all: I) -> Counts {
        let mut total = Counts::default();
        all.for_each(|counts| total += counts);
        total
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// `Summary [ 0.1s] 12 tests run: 11 passed (1 slow), 1 failed, 0 skipped`
pub(crate) fn nextest(output: &str) -> Option<Counts> {
    let line = output.lines().rfind(|line| line.trim_start().starts_with("Summary ["))?;
    let run = number_before(line, "tests run:").or_else(|| number_before(line, "test run:"))?;
    let passed = number_before(line, "passed").unwrap_or(0);
    // A test that timed out or could not be started is not among the "failed".
    Some(Counts { passed, failed: run.saturating_sub(passed) })
}

/// `test result: ok. 3 passed; 0 failed; …`, once for each test program.
pub(crate) fn cargo_test(output: &str) -> Option<Counts> {
    let mut total = None;
    for line in output.lines().filter(|line| line.starts_with("test result:")) {
        *total.get_or_insert_with(Counts::default) += words(line)?;
    }
    total
}

/// `==== 2 failed, 118 passed, 1 error in 3.2s ====`
pub(crate) fn pytest(output: &str) -> Option<Counts> {
    let line = output.lines().rfind(|line| {
        line.contains(" in ")
            && ["passed", "failed", "error"].iter().any(|word| line.contains(word))
    })?;
    let errors = number_before(line, "error").unwrap_or(0);
    let passed = number_before(line, "passed").unwrap_or(0);
    let failed = number_before(line, "failed").unwrap_or(0);
    Some(Counts { passed, failed: failed + errors })
}

/// `ℹ pass 10`, `ℹ fail 0` and `ℹ cancelled 0`, a line each.
pub(crate) fn node(output: &str) -> Option<Counts> {
    let figure = |name: &str| {
        output
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("ℹ ")?.strip_prefix(name)?.trim().parse().ok())
    };
    let failed: u64 = figure("fail ")?;
    let cancelled: u64 = figure("cancelled ")?;
    Some(Counts { passed: figure("pass ")?, failed: failed + cancelled })
}

/// `9 passed, 0 failed` as the last line, which may end as Neovim ends lines.
pub(crate) fn summary(output: &str) -> Option<Counts> {
    words(output.lines().last()?)
}

fn words(line: &str) -> Option<Counts> {
    Some(Counts { passed: number_before(line, "passed")?, failed: number_before(line, "failed")? })
}

/// The number that stands right before `word`.
fn number_before(line: &str, word: &str) -> Option<u64> {
    let (before, _) = line.split_once(&format!(" {word}"))?;
    before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: u64, failed: u64) -> Option<Counts> {
        Some(Counts { passed, failed })
    }

    #[test]
    fn nextest_counts_every_test_that_did_not_pass_as_failed() {
        let line = "     Summary [   0.123s] 12 tests run: 9 passed (1 slow), 2 failed, 1 timed \
                    out, 4 skipped";
        assert_eq!(nextest(line), counts(9, 3));
        assert_eq!(nextest("     Summary [   0.1s] 1 test run: 1 passed, 0 skipped"), counts(1, 0));
        assert_eq!(nextest("error: could not compile"), None);
    }

    #[test]
    fn cargo_test_sums_over_its_programs() {
        let output = "test result: ok. 3 passed; 0 failed; 0 ignored\n\
                      test result: FAILED. 1 passed; 2 failed; 0 ignored\n";
        assert_eq!(cargo_test(output), counts(4, 2));
        assert_eq!(cargo_test("error[E0425]"), None);
    }

    #[test]
    fn pytest_counts_errors_as_failed() {
        assert_eq!(pytest("== 2 failed, 118 passed, 1 error in 3.21s =="), counts(118, 3));
        assert_eq!(pytest("118 passed in 3.21s"), counts(118, 0));
        assert_eq!(pytest("no tests ran in 0.01s"), None);
    }

    #[test]
    fn node_counts_cancelled_tests_as_failed() {
        let output = "ℹ tests 12\nℹ suites 0\nℹ pass 10\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\n";
        assert_eq!(node(output), counts(10, 2));
    }

    #[test]
    fn only_a_last_line_sums_up() {
        let counts = summary("ok   a fact\r\n8 passed, 1 failed\r\n").unwrap();
        assert_eq!((counts.passed, counts.failed), (8, 1));
        assert!(summary("8 passed, 1 failed\nE5108: an error").is_none());
    }
}

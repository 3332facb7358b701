//! Makes the same call again and again, and marks the calls that count.

use std::hint::black_box;
use std::ops::Range;

use anyhow::Result;

/// How often a call is made before it counts. By then caches are filled, buffers have their size,
/// and the allocator has the blocks that the calls will ask for.
const WARM_UP_CALLS: u64 = 200;

/// Makes a call until nothing is new to it, then so many times inside [`counted`]. The call gets
/// its number.
pub(crate) fn calls<T>(iterations: u64, mut call: impl FnMut(u64) -> Result<T>) -> Result<()> {
    batches(iterations, |numbers| {
        for number in numbers {
            black_box(call(number)?);
        }
        Ok(())
    })
}

/// The same for calls that are cheaper together: a batch makes the calls of these numbers.
pub(crate) fn batches(
    iterations: u64,
    mut batch: impl FnMut(Range<u64>) -> Result<()>,
) -> Result<()> {
    batch(0..WARM_UP_CALLS)?;
    counted(&mut || batch(WARM_UP_CALLS..WARM_UP_CALLS + iterations))
}

/// Only what runs inside this function is counted, so its name and its frame must survive
/// optimisation: it is not inlined, and its call is not the last thing that it does.
#[inline(never)]
fn counted(work: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    let outcome = work();
    black_box(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_gets_the_next_number() {
        let mut numbers = Vec::new();
        calls(3, |number| {
            numbers.push(number);
            Ok(())
        })
        .unwrap();
        assert_eq!(numbers, (0..WARM_UP_CALLS + 3).collect::<Vec<u64>>());
    }

    #[test]
    fn a_call_that_fails_ends_the_scenario() {
        let fail_late = |number| {
            anyhow::ensure!(number < WARM_UP_CALLS + 1);
            Ok(())
        };
        assert!(calls(3, fail_late).is_err());
    }
}

//! The history of each item alone, by the linearizability tester of `stateright`.
//!
//! It knows nothing of the stream: it looks for an order by itself. Each operation is a thread of
//! its own to it, reads before writes before those without an answer: the first that fits is then
//! almost always the right one, and the search is short.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow, ensure};
use stateright::semantics::{ConsistencyTester, LinearizabilityTester, SequentialSpec};

use crate::history::{Key, Operation, Value};

/// An item.
#[derive(Clone, Debug)]
struct Register(Value);

/// What happens to an item: it is read, and written if it is what is expected.
#[derive(Clone, Debug)]
struct Step {
    expected: Option<Value>,
    written: Option<Value>,
}

impl SequentialSpec for Register {
    type Op = Step;
    type Ret = Option<Value>;

    fn invoke(&mut self, step: &Step) -> Option<Value> {
        let found = self.0;
        if step.expected.is_none_or(|expected| expected == found) {
            self.0 = step.written.unwrap_or(found);
        }
        Some(found)
    }

    fn is_valid_step(&mut self, step: &Step, found: &Option<Value>) -> bool {
        let is_there = found.is_none_or(|found| found == self.0);
        self.invoke(step);
        is_there
    }
}

/// A step with its times and what it found.
struct Timed {
    begin: u64,
    end: Option<u64>,
    step: Step,
    found: Option<Value>,
}

/// Checks the history of every item.
pub(crate) fn check(operations: &[Operation]) -> Result<()> {
    for (key, steps) in by_item(operations) {
        let is_linearizable = is_linearizable(&steps)?;
        ensure!(is_linearizable, "the history of {key} is not linearizable");
    }
    Ok(())
}

fn by_item(operations: &[Operation]) -> BTreeMap<&Key, Vec<Timed>> {
    let mut items: BTreeMap<&Key, Vec<Timed>> = BTreeMap::new();
    for operation in operations {
        let keys = operation.reads.iter().chain(&operation.writes).map(|(key, _)| key);
        let mut keys: Vec<&Key> = keys.collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let value = |list: &[(Key, Value)]| {
                list.iter().find(|(found, _)| found == key).map(|(_, value)| *value)
            };
            let (read, written) = (value(&operation.reads), value(&operation.writes));
            // An operation without an answer that only reads says nothing.
            if operation.end.is_some() || written.is_some() {
                items.entry(key).or_default().push(Timed {
                    begin: operation.begin,
                    end: operation.end,
                    step: Step { expected: written.and(read), written },
                    found: operation.end.and(read),
                });
            }
        }
    }
    items
}

fn is_linearizable(steps: &[Timed]) -> Result<bool> {
    let mut order: Vec<usize> = (0..steps.len()).collect();
    order.sort_by_key(|number| {
        let step = steps.get(*number);
        step.map(|it| (it.end.is_none(), it.step.written.is_some(), it.end))
    });
    let mut threads = vec![0; steps.len()];
    for (thread, number) in order.iter().enumerate() {
        if let Some(slot) = threads.get_mut(*number) {
            *slot = thread;
        }
    }
    // At one moment, what begins comes before what ends.
    let mut events: Vec<(u64, bool, usize)> = Vec::new();
    for (step, thread) in steps.iter().zip(&threads) {
        events.push((step.begin, false, *thread));
        events.extend(step.end.map(|end| (end, true, *thread)));
    }
    events.sort_unstable();
    let mut tester = LinearizabilityTester::new(Register(0));
    for (_, is_end, thread) in events {
        let Some(step) = order.get(thread).and_then(|number| steps.get(*number)) else { continue };
        let noted = if is_end {
            tester.on_return(thread, step.found)
        } else {
            tester.on_invoke(thread, step.step.clone())
        };
        noted.map_err(|error| anyhow!(error))?;
    }
    Ok(tester.is_consistent())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(times: (u64, u64), read: Option<Value>, written: Option<Value>) -> Operation {
        let pair = |value: Option<Value>| value.map(|value| ("x".to_owned(), value));
        let (begin, end) = times;
        Operation {
            begin,
            end: (end > 0).then_some(end),
            reads: pair(read).into_iter().collect(),
            writes: pair(written).into_iter().collect(),
        }
    }

    #[test]
    fn a_history_that_can_be_true_passes() {
        check(&[
            operation((1, 4), Some(0), Some(1)),
            operation((2, 5), Some(1), Some(2)),
            operation((3, 0), Some(2), Some(3)),
            operation((3, 0), Some(7), Some(4)),
            operation((6, 7), Some(2), None),
            operation((8, 9), Some(3), None),
        ])
        .unwrap();
    }

    #[test]
    fn a_lost_update_is_found() {
        let lost = [operation((1, 2), Some(0), Some(1)), operation((3, 4), Some(0), Some(2))];
        assert!(check(&lost).is_err());
    }

    #[test]
    fn an_old_value_is_found() {
        let stale = [
            operation((1, 2), Some(0), Some(1)),
            operation((3, 4), Some(1), Some(2)),
            operation((5, 6), Some(1), None),
        ];
        assert!(check(&stale).is_err());
    }

    #[test]
    fn a_write_without_an_answer_whose_condition_was_not_met_did_not_happen() {
        let impossible = [operation((1, 0), Some(7), Some(1)), operation((2, 3), Some(1), None)];
        assert!(check(&impossible).is_err());
    }
}

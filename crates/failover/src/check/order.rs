//! One order of all operations.
//!
//! The stream says in which order the values of an item came. So it is known of each operation
//! what comes before it and what after: the write whose value it read, the write that replaced
//! it, and whatever was answered before it was sent. If there is no circle in that, everything
//! happened as if one after the other, transactions as a whole, in an order that clients could
//! not tell from the real one.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use anyhow::{Context, Result, bail, ensure};

use crate::history::{Chains, Key, Operation, Value};

/// Where a value stands in the chain of its item: 0 is before the first write.
type Position = usize;

/// Checks that nothing that was answered is lost, that nothing happened twice or in part, and that
/// there is an order.
pub(crate) fn check(operations: &[Operation], chains: &Chains) -> Result<()> {
    let positions = positions(chains)?;
    let writers = writers(operations)?;
    for (key, value) in positions.keys().filter(|(_, value)| *value != 0) {
        let is_known = writers.contains_key(&(key.clone(), *value));
        ensure!(is_known, "nobody wrote {value} to {key}, but the stream has it");
    }
    let happened = happened(operations, &positions)?;
    let graph = Graph::new(operations, &happened, &positions)?;
    graph.check_no_circle(operations)
}

/// The values that a chain has, each once, and each in place of the one before.
fn positions(chains: &Chains) -> Result<HashMap<(Key, Value), Position>> {
    let mut positions = HashMap::new();
    for (key, chain) in chains {
        let mut last = 0;
        positions.insert((key.clone(), 0), 0);
        for (position, (old, new)) in chain.iter().enumerate() {
            ensure!(*old == last, "{key}: {new} took the place of {old}, but {last} was there");
            let before = positions.insert((key.clone(), *new), position + 1);
            ensure!(before.is_none(), "{key}: {new} was written twice");
            last = *new;
        }
    }
    Ok(positions)
}

fn writers(operations: &[Operation]) -> Result<BTreeMap<(Key, Value), usize>> {
    let mut writers = BTreeMap::new();
    for (number, operation) in operations.iter().enumerate() {
        for write in &operation.writes {
            let other = writers.insert(write.clone(), number);
            ensure!(other.is_none(), "{} of {} is written by two operations", write.1, write.0);
        }
    }
    Ok(writers)
}

/// Which operations happened: all that were answered, and the unanswered ones whose values are
/// there.
fn happened(
    operations: &[Operation],
    positions: &HashMap<(Key, Value), Position>,
) -> Result<BTreeSet<usize>> {
    let mut happened = BTreeSet::new();
    for (number, operation) in operations.iter().enumerate() {
        let there = operation.writes.iter().filter(|write| positions.contains_key(*write)).count();
        let all = operation.writes.len();
        if operation.end.is_some() {
            ensure!(there == all, "an answered write is lost: {operation:?}");
        }
        ensure!(there == 0 || there == all, "a transaction happened in part: {operation:?}");
        if operation.end.is_some() || there > 0 {
            happened.insert(number);
        }
    }
    Ok(happened)
}

/// What comes before what. The nodes are the operations, and then the moments at which answers
/// came, in order.
struct Graph {
    next: Vec<Vec<usize>>,
}

impl Graph {
    fn new(
        operations: &[Operation],
        happened: &BTreeSet<usize>,
        positions: &HashMap<(Key, Value), Position>,
    ) -> Result<Graph> {
        let mut graph = Graph { next: vec![Vec::new(); operations.len()] };
        let mut writers: HashMap<(&Key, Position), usize> = HashMap::new();
        let mut readers: Vec<(&Key, Position, usize)> = Vec::new();
        for number in happened {
            let Some(operation) = operations.get(*number) else { continue };
            for write in &operation.writes {
                let position = positions.get(write).context("a write that happened is there")?;
                writers.insert((&write.0, *position), *number);
            }
            for read in &operation.reads {
                let found = match positions.get(read) {
                    Some(position) => *position,
                    None if read.1 == 0 => 0,
                    None => bail!("{operation:?} read {} of {}, which never was", read.1, read.0),
                };
                readers.push((&read.0, found, *number));
            }
        }
        for ((key, position), writer) in &writers {
            if let Some(next) = writers.get(&(*key, position + 1)) {
                graph.arrow(*writer, *next);
            }
        }
        for (key, position, reader) in readers {
            if let Some(writer) = writers.get(&(key, position)) {
                graph.arrow(*writer, reader);
            }
            if let Some(next) = writers.get(&(key, position + 1)) {
                graph.arrow(reader, *next);
            }
        }
        graph.add_time(operations, happened);
        Ok(graph)
    }

    fn arrow(&mut self, from: usize, to: usize) {
        if from != to
            && let Some(next) = self.next.get_mut(from)
        {
            next.push(to);
        }
    }

    /// What was answered comes before what was sent after that.
    fn add_time(&mut self, operations: &[Operation], happened: &BTreeSet<usize>) {
        let numbered =
            happened.iter().filter_map(|number| Some((*number, operations.get(*number)?)));
        let answers = numbered.clone().filter_map(|(number, it)| Some((it.end?, number)));
        let mut answers: Vec<(u64, usize)> = answers.collect();
        answers.sort_unstable();
        let moments = self.next.len();
        self.next.resize(moments + answers.len(), Vec::new());
        for (moment, (_, number)) in answers.iter().enumerate() {
            self.arrow(*number, moments + moment);
            if moment > 0 {
                self.arrow(moments + moment - 1, moments + moment);
            }
        }
        for (number, operation) in numbered {
            let before = answers.partition_point(|(end, _)| *end < operation.begin);
            if before > 0 {
                self.arrow(moments + before - 1, number);
            }
        }
    }

    /// Takes away what nothing comes before, again and again; a circle is what is left.
    fn check_no_circle(&self, operations: &[Operation]) -> Result<()> {
        let mut before = vec![0_usize; self.next.len()];
        for to in self.next.iter().flatten() {
            if let Some(count) = before.get_mut(*to) {
                *count += 1;
            }
        }
        let free = before.iter().enumerate().filter(|(_, count)| **count == 0);
        let mut free: VecDeque<usize> = free.map(|(node, _)| node).collect();
        let mut left: BTreeSet<usize> = (0..self.next.len()).collect();
        while let Some(node) = free.pop_front() {
            left.remove(&node);
            for to in self.next.get(node).into_iter().flatten() {
                if let Some(count) = before.get_mut(*to) {
                    *count -= 1;
                    if *count == 0 {
                        free.push_back(*to);
                    }
                }
            }
        }
        match self.circle(&left) {
            None => Ok(()),
            Some(circle) => {
                let shown = circle.iter().filter_map(|node| operations.get(*node));
                let shown: Vec<String> = shown.map(|operation| format!("{operation:?}")).collect();
                bail!("no order explains these operations:\n  {}", shown.join("\n  "))
            }
        }
    }

    /// A circle among the nodes that are left, each of which has one before it that is left.
    fn circle(&self, left: &BTreeSet<usize>) -> Option<Vec<usize>> {
        let mut from: BTreeMap<usize, usize> = BTreeMap::new();
        for node in left {
            for to in self.next.get(*node).into_iter().flatten().filter(|to| left.contains(to)) {
                from.insert(*to, *node);
            }
        }
        let mut node = *left.first()?;
        let mut seen = Vec::new();
        while !seen.contains(&node) {
            seen.push(node);
            node = *from.get(&node)?;
        }
        let start = seen.iter().position(|seen| *seen == node)?;
        let mut circle = seen.split_off(start);
        circle.reverse();
        Some(circle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(
        times: (u64, u64),
        reads: &[(&str, Value)],
        writes: &[(&str, Value)],
    ) -> Operation {
        let owned = |list: &[(&str, Value)]| {
            list.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect()
        };
        let (begin, end) = times;
        Operation {
            begin,
            end: (end > 0).then_some(end),
            reads: owned(reads),
            writes: owned(writes),
        }
    }

    fn chains(list: &[(&str, &[Value])]) -> Chains {
        let chain = |values: &[Value]| {
            let before = std::iter::once(&0).chain(values);
            before.zip(values).map(|(old, new)| (*old, *new)).collect()
        };
        list.iter().map(|(key, values)| ((*key).to_owned(), chain(values))).collect()
    }

    #[track_caller]
    fn check_fails(operations: &[Operation], chains: &Chains, message: &str) {
        let error = check(operations, chains).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn a_history_that_can_be_true_passes() {
        let operations = [
            operation((1, 5), &[("x", 0)], &[("x", 1)]),
            operation((2, 6), &[("x", 1)], &[("x", 2), ("y", 3)]),
            operation((3, 7), &[("x", 2), ("y", 3)], &[]),
            operation((3, 4), &[("x", 0)], &[]),
            // Without an answer, one happened and one did not.
            operation((1, 0), &[], &[("y", 4)]),
            operation((1, 0), &[], &[("y", 5)]),
        ];
        check(&operations, &chains(&[("x", &[1, 2]), ("y", &[3, 4])])).unwrap();
    }

    #[test]
    fn a_lost_write_is_found() {
        let operations = [operation((1, 2), &[("x", 0)], &[("x", 1)])];
        check_fails(&operations, &chains(&[("x", &[])]), "lost");
    }

    #[test]
    fn a_write_that_happened_twice_is_found() {
        let operations = [operation((1, 2), &[], &[("x", 1)]), operation((3, 4), &[], &[("x", 2)])];
        check_fails(&operations, &chains(&[("x", &[1, 2, 1])]), "twice");
    }

    #[test]
    fn half_a_transaction_is_found() {
        let operations = [operation((1, 0), &[], &[("x", 1), ("y", 2)])];
        check_fails(&operations, &chains(&[("x", &[1])]), "in part");
    }

    #[test]
    fn a_value_from_nowhere_is_found() {
        check_fails(&[], &chains(&[("x", &[1])]), "nobody wrote");
        let read = [operation((1, 2), &[("x", 9)], &[])];
        check_fails(&read, &chains(&[]), "never was");
    }

    #[test]
    fn a_read_of_what_was_replaced_before_is_found() {
        let operations = [
            operation((1, 2), &[], &[("x", 1)]),
            operation((3, 4), &[], &[("x", 2)]),
            operation((5, 6), &[("x", 1)], &[]),
        ];
        check_fails(&operations, &chains(&[("x", &[1, 2])]), "no order");
    }

    #[test]
    fn reads_that_see_two_writes_in_two_orders_are_found() {
        let operations = [
            operation((1, 9), &[], &[("x", 1)]),
            operation((1, 9), &[], &[("y", 2)]),
            operation((1, 9), &[("x", 1), ("y", 0)], &[]),
            operation((1, 9), &[("x", 0), ("y", 2)], &[]),
        ];
        check_fails(&operations, &chains(&[("x", &[1]), ("y", &[2])]), "no order");
    }
}

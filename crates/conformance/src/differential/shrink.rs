//! Makes a history short while the difference that it shows stays.

use anyhow::Result;
use monotable_workload::Call;
use monotable_workload::mutation::{at, count};
use serde_json::Value;

use super::{Difference, Met, Pair};

/// The shortest history that was found to show a difference, and the difference as it is then.
pub(super) fn shrink(
    pair: &mut Pair,
    mut calls: Vec<Call>,
    met: Met,
) -> Result<(Vec<Call>, Difference)> {
    calls.truncate(met.place + 1);
    let replays_left = pair.replays_max;
    let mut shrinking =
        Shrinking { pair, signature: met.difference.signature(), replays_left, shortest: None };
    shrinking.drop_calls(&mut calls)?;
    shrinking.drop_parts(&mut calls)?;
    let difference = shrinking.shortest.unwrap_or(met.difference);
    Ok((calls, difference))
}

struct Shrinking<'p> {
    pair: &'p mut Pair,
    signature: String,
    replays_left: usize,
    /// The difference as the shortest history so far shows it.
    shortest: Option<Difference>,
}

impl Shrinking<'_> {
    /// Whether a history shows the difference at its last call.
    fn shows(&mut self, calls: &[Call]) -> Result<bool> {
        if self.replays_left == 0 {
            return Ok(false);
        }
        self.replays_left -= 1;
        let Some(met) = self.pair.play(calls)? else { return Ok(false) };
        let is_same = met.place + 1 == calls.len() && met.difference.signature() == self.signature;
        if is_same {
            self.shortest = Some(met.difference);
        }
        Ok(is_same)
    }

    /// Leaves out calls before the last one: first many at once, then each.
    fn drop_calls(&mut self, calls: &mut Vec<Call>) -> Result<()> {
        let mut size = calls.len() / 2;
        while size > 0 {
            let mut start = 0;
            while start + size < calls.len() {
                let mut fewer = calls.clone();
                fewer.drain(start..start + size);
                if self.shows(&fewer)? {
                    *calls = fewer;
                } else {
                    start += size;
                }
            }
            size /= 2;
        }
        Ok(())
    }

    /// Leaves out members and elements of the requests, those of the last one first.
    fn drop_parts(&mut self, calls: &mut Vec<Call>) -> Result<()> {
        for number in (0..calls.len()).rev() {
            let mut place = 0;
            while let Some(parts) = calls.get(number).map(|call| count(&call.request)) {
                if place >= parts || self.replays_left == 0 {
                    break;
                }
                if !self.drop_inner(calls, number, place)? {
                    place += 1;
                }
            }
        }
        Ok(())
    }

    /// Leaves out one part of the value at a place of a request, if one can be left out.
    fn drop_inner(&mut self, calls: &mut Vec<Call>, number: usize, place: usize) -> Result<bool> {
        for part in 0..inner_count(calls, number, place) {
            let mut fewer = calls.clone();
            if let Some(call) = fewer.get_mut(number) {
                at(&mut call.request, place, &mut |node| remove(node, part));
            }
            if self.shows(&fewer)? {
                *calls = fewer;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn inner_count(calls: &[Call], number: usize, place: usize) -> usize {
    let Some(call) = calls.get(number) else { return 0 };
    let mut inner = 0;
    at(&mut call.request.clone(), place, &mut |node| {
        inner = match node {
            Value::Object(members) => members.len(),
            Value::Array(elements) => elements.len(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        };
    });
    inner
}

fn remove(node: &mut Value, part: usize) {
    match node {
        Value::Object(members) => {
            let name = members.keys().nth(part).cloned().unwrap_or_default();
            members.remove(&name);
        }
        Value::Array(elements) if part < elements.len() => _ = elements.remove(part),
        _ => {}
    }
}
